//! The tray icon: how Coffer stands, and a menu.

mod act;
mod menu;

use std::panic::{AssertUnwindSafe, catch_unwind};

use coffer_env::Home;
use tauri::image::Image;
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, include_image};

use crate::follow::Shown;
use menu::TrayMenu;

/// The icon's name in the system.
const ID: &str = "coffer";

/// The icon's menu. The icon itself belongs to the application, which takes it away at its end.
pub(crate) struct Tray {
    menu: TrayMenu,
}

impl Tray {
    /// Makes the icon; `None` where the system has no place for one.
    pub(crate) fn make(app: &AppHandle, home: &Home) -> Option<Self> {
        // Where the system's library is missing, the loader panics instead of failing.
        match catch_unwind(AssertUnwindSafe(|| Self::build(app, home))) {
            Ok(Ok(tray)) => return Some(tray),
            Ok(Err(error)) => tracing::warn!(%error, "there is no tray icon"),
            Err(_) => tracing::warn!("there is no tray icon: the system's library is missing"),
        }
        None
    }

    fn build(app: &AppHandle, home: &Home) -> tauri::Result<Self> {
        let menu = TrayMenu::new(app)?;
        TrayIconBuilder::with_id(ID)
            .icon(State::Serving.image())
            // The system reads icons from a folder, which another user must not fill.
            .temp_dir_path(home.run())
            .menu(menu.whole())
            .tooltip(State::Serving.words())
            .on_menu_event(|app, event| act::on(app, event.id().as_ref()))
            .build(app)?;
        Ok(Self { menu })
    }

    /// Shows what is so now; `before` is what is shown.
    pub(crate) fn show(
        &self,
        app: &AppHandle,
        now: &Shown,
        before: Option<&Shown>,
    ) -> tauri::Result<()> {
        let state = State::of(now);
        if before.map(State::of) != Some(state)
            && let Some(icon) = app.tray_by_id(ID)
        {
            icon.set_icon(Some(state.image()))?;
            icon.set_tooltip(Some(state.words()))?;
        }
        self.menu.show(now, before)
    }
}

/// How Coffer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Serving,
    Paused,
    Attention,
}

impl State {
    /// What is wrong matters more than what was switched off.
    fn of(shown: &Shown) -> Self {
        match (shown.needs_attention, shown.serve_agents) {
            (true, _) => Self::Attention,
            (false, true) => Self::Serving,
            (false, false) => Self::Paused,
        }
    }

    fn image(self) -> Image<'static> {
        match self {
            Self::Serving => include_image!("../icons/tray-serving-64.png"),
            Self::Paused => include_image!("../icons/tray-paused-64.png"),
            Self::Attention => include_image!("../icons/tray-attention-64.png"),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Serving => "Coffer serves your agents",
            Self::Paused => "Coffer is paused",
            Self::Attention => "Coffer needs your attention",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_shows_even_while_paused() {
        for (needs_attention, serve_agents, wanted) in [
            (false, true, State::Serving),
            (false, false, State::Paused),
            (true, true, State::Attention),
            (true, false, State::Attention),
        ] {
            let recent = Vec::new();
            let shown = Shown { serve_agents, start_at_login: false, needs_attention, recent };
            assert_eq!(State::of(&shown), wanted);
        }
    }

    #[test]
    fn icons_have_the_size_that_trays_scale_from() {
        for state in [State::Serving, State::Paused, State::Attention] {
            assert_eq!((state.image().width(), state.image().height()), (64, 64));
        }
    }
}
