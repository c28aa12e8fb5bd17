//! One window a home: a second start shows the window of the first and ends.
//!
//! Without a session bus nobody can be asked; the owner's lock then decides, as everywhere.

use coffer_env::Home;
use sha2::{Digest as _, Sha256};
use tauri::Wry;
use tauri::plugin::TauriPlugin;

use crate::arguments::is_minimized;
use crate::window;

/// The plugin that finds the other instance.
pub(crate) fn plugin(home: &Home) -> TauriPlugin<Wry> {
    tauri_plugin_single_instance::Builder::new()
        .dbus_id(bus_name(home))
        .callback(|app, arguments, _| {
            if !is_minimized(arguments.iter()) {
                window::open(app);
            }
        })
        .build()
}

/// Another home is another Coffer, and its path may hold what no bus name may.
fn bus_name(home: &Home) -> String {
    let digest = Sha256::digest(home.root().as_os_str().as_encoded_bytes());
    format!("dev.coffer.desktop.home_{}", hex::encode(&digest[..8]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_home_has_a_valid_name_of_its_own() {
        let name = |path: &str| bus_name(&Home::at(path));
        assert_eq!(name("/home/ü b/.coffer"), name("/home/ü b/.coffer"));
        assert_ne!(name("/a"), name("/b"));
        let valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        assert!(name("/home/ü b").chars().all(valid));
    }
}
