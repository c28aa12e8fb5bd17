//! The desktop application on a desktop: its process, its server, its window's page.

use std::path::Path;

use coffer_env::ServerFile;
use serde_json::{Value, json};

use super::tray::Tray;
use super::{Desktop, PATIENCE, built};
use crate::support::http::{Place, Reply, Request};
use crate::support::mcp::Mcp;
use crate::support::page::Page;
use crate::support::process::{Process, bound, eventually};

/// A running application.
pub struct App<'a> {
    /// Its process, where the test started it by itself.
    pub process: Option<Process>,
    /// What its server says of itself.
    pub info: ServerFile,
    desktop: &'a Desktop,
}

impl<'a> App<'a> {
    /// Starts it and waits for its server.
    #[track_caller]
    pub fn start(desktop: &'a Desktop, arguments: &[&str]) -> Self {
        let mut command = desktop.command("coffer-desktop");
        let log = std::fs::File::create(desktop.folder().join("app.log")).unwrap();
        command.args(arguments).stdout(log.try_clone().unwrap()).stderr(log);
        let process = Process::start(&mut command);
        let id = process.id();
        let info = announced(desktop, |info| info.pid == id);
        Self { process: Some(process), info, desktop }
    }

    /// Starts it by a driver that can use its page, and waits for both.
    #[track_caller]
    pub fn start_with_page(desktop: &'a Desktop, arguments: &[&str]) -> (Self, Page) {
        let page = page(desktop, arguments);
        let info = announced(desktop, |_| true);
        (Self { process: None, info, desktop }, page)
    }

    /// The application's icon.
    #[track_caller]
    pub fn tray(&self) -> Tray<'a> {
        self.desktop.bus.tray()
    }

    /// A request as its owner makes it, over the socket.
    pub fn send(&self, request: Request) -> Reply {
        request.header("host", "localhost").send(&Place::Socket(self.desktop.home().socket()))
    }

    /// GET.
    pub fn get(&self, path: &str) -> Reply {
        self.send(Request::new("GET", path))
    }

    /// POST with a body.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Request::new("POST", path).json(body))
    }

    /// PUT.
    pub fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(Request::new("PUT", path).json(body))
    }

    /// An agent that is connected to it.
    pub fn agent(&self, name: &str) -> Mcp {
        self.open_mcp(name, None)
    }

    /// An agent that works in a folder.
    pub fn agent_in(&self, name: &str, folder: &Path) -> Mcp {
        self.open_mcp(name, Some(folder))
    }

    fn open_mcp(&self, name: &str, folder: Option<&Path>) -> Mcp {
        let place = Place::Socket(self.desktop.home().socket());
        let base = Request::new("POST", "/mcp").header("host", "localhost");
        Mcp::open(place, &base, folder, name)
    }

    /// The window can be seen.
    #[track_caller]
    pub fn is_shown(&self) {
        eventually("the window is shown", PATIENCE, || self.has_window().then_some(()));
    }

    /// The window cannot be seen.
    #[track_caller]
    pub fn is_hidden(&self) {
        eventually("the window is hidden", PATIENCE, || (!self.has_window()).then_some(()));
    }

    /// Whether the window can be seen.
    pub fn has_window(&self) -> bool {
        self.desktop.windows().iter().any(|title| title.starts_with("Coffer"))
    }
}

/// The application in the hands of its web engine's driver.
#[track_caller]
fn page(desktop: &Desktop, arguments: &[&str]) -> Page {
    let mut driver = bound("WebKitWebDriver");
    driver.arg("--host=127.0.0.1").current_dir(desktop.folder());
    driver.envs(desktop.environment()).env("TAURI_WEBVIEW_AUTOMATION", "true");
    let options = json!({"binary": built("coffer-desktop"), "args": arguments});
    let wanted = json!({"webkitgtk:browserOptions": options});
    Page::open(&mut driver, &wanted, &desktop.folder().join("app.log"))
}

/// What a server says of itself, once it answers.
#[track_caller]
fn announced(desktop: &Desktop, is_it: impl Fn(&ServerFile) -> bool) -> ServerFile {
    let file = desktop.home().server_file();
    eventually("the server is announced", PATIENCE, || {
        ServerFile::read(&file).filter(|info| is_it(info))
    })
}
