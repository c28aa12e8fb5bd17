//! The tray's menu: its items, and keeping them true.

use tauri::menu::{CheckMenuItem, IsMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::{AppHandle, Wry};

use crate::follow::{RecentStore, Shown};

pub(super) const OPEN: &str = "open";
pub(super) const SERVE: &str = "serve-agents";
pub(super) const LOGIN: &str = "start-at-login";
pub(super) const FOLDER: &str = "memory-folder";
pub(super) const TOOLS: &str = "install-tools";
pub(super) const QUIT: &str = "quit";
/// Before a store's name.
pub(super) const STORE: &str = "store:";
/// The longest title of a store in the menu, in characters.
const TITLE: usize = 40;

/// The menu and those of its items that change.
pub(crate) struct TrayMenu {
    whole: Menu<Wry>,
    serve: CheckMenuItem<Wry>,
    login: CheckMenuItem<Wry>,
    recent: Submenu<Wry>,
}

impl TrayMenu {
    /// The menu, with no store in it yet.
    pub(super) fn new(app: &AppHandle) -> tauri::Result<Self> {
        let item = |id, text| MenuItem::with_id(app, id, text, true, None::<&str>);
        let check = |id, text| CheckMenuItem::with_id(app, id, text, true, false, None::<&str>);
        let line = || PredefinedMenuItem::separator(app);
        let (serve, login) = (check(SERVE, "Serve agents")?, check(LOGIN, "Start at login")?);
        let recent = Submenu::new(app, "Recent stores", false)?;
        let (open, quit) = (item(OPEN, "Open Coffer")?, item(QUIT, "Quit")?);
        let (folder, tools) =
            (item(FOLDER, "Open memory folder")?, item(TOOLS, "Install command-line tools")?);
        let lines = [line()?, line()?, line()?];
        let mut items: Vec<&dyn IsMenuItem<Wry>> =
            vec![&open, &lines[0], &serve, &login, &lines[1], &folder, &recent];
        if cfg!(unix) {
            items.push(&tools);
        }
        items.extend([&lines[2] as &dyn IsMenuItem<Wry>, &quit]);
        Ok(Self { whole: Menu::with_items(app, &items)?, serve, login, recent })
    }

    /// All of it.
    pub(super) fn whole(&self) -> &Menu<Wry> {
        &self.whole
    }

    /// The check item of a name.
    pub(super) fn check(&self, id: &str) -> &CheckMenuItem<Wry> {
        if id == LOGIN { &self.login } else { &self.serve }
    }

    /// Shows what is so now; `before` is what is shown.
    pub(super) fn show(&self, now: &Shown, before: Option<&Shown>) -> tauri::Result<()> {
        self.serve.set_checked(now.serve_agents)?;
        self.login.set_checked(now.start_at_login)?;
        if before.is_none_or(|before| before.recent != now.recent) {
            self.offer(&now.recent)?;
        }
        Ok(())
    }

    fn offer(&self, stores: &[RecentStore]) -> tauri::Result<()> {
        while self.recent.remove_at(0)?.is_some() {}
        for RecentStore { name, title } in stores {
            let id = format!("{STORE}{name}");
            let app = self.recent.app_handle();
            let item = MenuItem::with_id(app, id, label(title), true, None::<&str>)?;
            self.recent.append(&item)?;
        }
        self.recent.set_enabled(!stores.is_empty())
    }
}

/// A title as a menu shows it: short, on one line, `&` being no sign for a key.
fn label(title: &str) -> String {
    let plain = title.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut label: String = plain.take(TITLE).collect();
    if title.chars().count() > TITLE {
        label.pop();
        label.push('…');
    }
    label.replace('&', "&&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_shown_as_they_are_and_fit() {
        for (title, wanted) in [
            ("coffer", "coffer".to_owned()),
            ("R&D_tools", "R&&D_tools".to_owned()),
            ("two\nlines", "two lines".to_owned()),
            ("ü".repeat(40).as_str(), "ü".repeat(40)),
            ("ü".repeat(41).as_str(), "ü".repeat(39) + "…"),
        ] {
            assert_eq!(label(title), wanted);
        }
    }
}
