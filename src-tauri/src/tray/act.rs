//! What the menu's items do. Whatever waits for a disk or another program leaves the main thread.

use coffer_core::Error;
use coffer_core::config::PreferencesPatch;
use tauri::async_runtime::{spawn, spawn_blocking};
use tauri::{AppHandle, Manager as _};

use super::menu::{FOLDER, LOGIN, OPEN, QUIT, SERVE, STORE, TOOLS};
use crate::shell::{self, Shell};
use crate::{message, tools, window};

/// An item was chosen.
pub(super) fn on(app: &AppHandle, id: &str) {
    match id {
        OPEN => window::open(app),
        SERVE => change(app, id, |on| PreferencesPatch { serve_agents: Some(on), ..unchanged() }),
        LOGIN => change(app, id, |on| PreferencesPatch { start_at_login: Some(on), ..unchanged() }),
        FOLDER => open_memory_folder(app),
        TOOLS => drop(spawn(tools::install(app.clone()))),
        QUIT => shell::quit(app),
        other => {
            if let Some(store) = other.strip_prefix(STORE) {
                window::open_store(app, store);
            }
        }
    }
}

fn unchanged() -> PreferencesPatch {
    PreferencesPatch::default()
}

/// Changes a preference to what its item shows by now. Where that fails the item is put back.
fn change(app: &AppHandle, id: &str, patch: fn(bool) -> PreferencesPatch) {
    let shell = app.state::<Shell>();
    let Some(tray) = &shell.tray else { return };
    let (item, settings) = (tray.menu.check(id).clone(), shell.server.coffer().settings.clone());
    let Ok(wanted) = item.is_checked() else { return };
    spawn_blocking(move || {
        if let Err(error) = settings.change(&patch(wanted)) {
            _ = item.set_checked(!wanted);
            complain("The setting was not changed", &error);
        }
    });
}

fn open_memory_folder(app: &AppHandle) {
    let shell = app.state::<Shell>();
    let (files, folder) = (shell.server.coffer().files.clone(), shell.home.memory());
    spawn_blocking(move || {
        if let Err(error) = files.reveal(&folder) {
            complain("The folder cannot be shown", &error);
        }
    });
}

fn complain(title: &'static str, error: &Error) {
    let reason = error.to_string();
    spawn(async move { message::trouble(title, &reason, None).await });
}
