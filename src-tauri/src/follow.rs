//! The tray follows the server: whoever changes a preference or a store, the icon and its menu show
//! it at once, and so does what the system starts at login.

use std::time::Duration;

use coffer_core::Coffer;
use tauri::{AppHandle, Manager as _};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{sleep, timeout};

use crate::login;
use crate::shell::Shell;

/// Changes come in bursts when agents work.
const GATHER: Duration = Duration::from_millis(100);
/// How often one looks although nothing was told: files may be edited by hand.
const LOOK: Duration = Duration::from_secs(5);
/// How many stores the menu offers.
const RECENT: usize = 5;

/// What the tray and the system's login show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Whether agents are served.
    pub(crate) serve_agents: bool,
    /// Whether the program starts at login.
    pub(crate) start_at_login: bool,
    /// Whether something does not work fully.
    pub(crate) needs_attention: bool,
    /// The stores that changed last, the latest first.
    pub(crate) recent: Vec<RecentStore>,
}

/// A store in the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecentStore {
    /// Its name.
    pub(crate) name: String,
    /// What it is called.
    pub(crate) title: String,
}

/// Follows until the program ends. What happened is read anew each time, so that it does not
/// matter which event it was, or whether some were missed.
pub(crate) async fn follow(app: AppHandle) {
    let shell = app.state::<Shell>();
    let mut events = shell.server.events();
    let mut before = None;
    loop {
        events = events.resubscribe();
        let engine = shell.server.coffer();
        let Ok(now) = tauri::async_runtime::spawn_blocking(move || read(&engine)).await else {
            return;
        };
        if before.as_ref() != Some(&now) {
            show(&app, &now, before.as_ref());
            before = Some(now);
        }
        match timeout(LOOK, events.recv()).await {
            Ok(Err(RecvError::Closed)) => return,
            Ok(_) => sleep(GATHER).await,
            Err(_) => {}
        }
    }
}

fn show(app: &AppHandle, now: &Shown, before: Option<&Shown>) {
    if before.is_none_or(|before| before.start_at_login != now.start_at_login) {
        login::keep(app, now.start_at_login);
    }
    if let Some(tray) = &app.state::<Shell>().tray
        && let Err(error) = tray.show(app, now, before)
    {
        tracing::warn!(%error, "the tray icon could not be brought up to date");
    }
}

fn read(engine: &Coffer) -> Shown {
    let preferences = engine.settings.get();
    Shown {
        serve_agents: preferences.serve_agents,
        start_at_login: preferences.start_at_login,
        needs_attention: !engine.doctor.degraded().is_empty(),
        recent: recent(engine),
    }
}

fn recent(engine: &Coffer) -> Vec<RecentStore> {
    let mut stores = engine.memory.stores().unwrap_or_default();
    stores.sort_by_key(|store| std::cmp::Reverse(store.updated_at));
    let shown = stores.into_iter().take(RECENT);
    shown
        .map(|store| RecentStore { title: store.display_name(), name: store.name.to_string() })
        .collect()
}
