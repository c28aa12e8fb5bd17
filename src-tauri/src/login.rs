//! What the system starts at login: this program, in the tray, exactly when the preference says so.

use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use tauri_plugin_autostart::{Builder, ManagerExt as _};

use crate::arguments::MINIMIZED;

/// The plugin that knows how each system keeps that.
pub(crate) fn plugin() -> TauriPlugin<Wry> {
    Builder::new().arg(MINIMIZED).build()
}

/// Makes the system do what is wanted. An entry is written even where there is one: the program
/// may have moved since.
pub(crate) fn keep(app: &AppHandle, wanted: bool) {
    let system = app.autolaunch();
    let kept = match wanted {
        true => system.enable(),
        false if system.is_enabled().unwrap_or(true) => system.disable(),
        false => Ok(()),
    };
    if let Err(error) = kept {
        tracing::warn!(%error, wanted, "the start at login could not be changed");
    }
}
