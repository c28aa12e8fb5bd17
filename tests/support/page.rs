//! The page in the application's window, used as a person uses it: through the driver that belongs
//! to the system's web engine (W3C WebDriver, of which a few commands do).

use std::time::Duration;

use serde_json::{Value, json};

use super::process::{Process, answer_within, bound, eventually};
use super::{Desktop, PATIENCE, built};
use crate::support::http::{Place, Reply, Request};

/// The key under which the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A page in a window.
pub struct Page {
    place: Place,
    /// The address of the session; commands are below it.
    session: String,
    _driver: Process,
}

impl Page {
    /// Starts the application in the hands of a driver, and waits for its window.
    #[track_caller]
    pub(super) fn start(desktop: &Desktop, arguments: &[&str]) -> Self {
        let port = free_port();
        let log = std::fs::File::create(desktop.folder().join("app.log")).unwrap();
        let mut command = bound("WebKitWebDriver");
        command.args([&format!("--port={port}"), "--host=127.0.0.1"]);
        command.envs(desktop.environment()).env("TAURI_WEBVIEW_AUTOMATION", "true");
        command.current_dir(desktop.folder()).stdout(log.try_clone().unwrap()).stderr(log);
        let driver = Process::start(&mut command);
        eventually("the driver listens", PATIENCE, || {
            std::net::TcpStream::connect(("127.0.0.1", port)).ok()
        });
        let mut page = Self { place: Place::Port(port), session: String::new(), _driver: driver };
        let options = json!({"binary": built("coffer-desktop"), "args": arguments});
        let wanted = json!({"alwaysMatch": {"webkitgtk:browserOptions": options}});
        let reply = page.send("POST", "/session", &json!({"capabilities": wanted}));
        let session = reply.json()["value"]["sessionId"].as_str().map(str::to_owned);
        let said = || std::fs::read_to_string(desktop.folder().join("app.log")).unwrap_or_default();
        let session = session.unwrap_or_else(|| panic!("{}: {}", reply.text(), said()));
        page.session = format!("/session/{session}");
        page
    }

    /// Waits until an element is there.
    #[track_caller]
    pub fn see(&self, css: &str) {
        self.wait(css, PATIENCE, || self.find(css));
    }

    /// Waits until the text of an element holds a text.
    #[track_caller]
    pub fn reads(&self, css: &str, text: &str, patience: Duration) {
        self.wait(&format!("{css} reads {text:?}"), patience, || {
            self.text(css).filter(|found| found.contains(text))
        });
    }

    /// The text of an element as it is drawn, if it is there. The protocol's own command leaves
    /// out what stands in buttons.
    pub fn text(&self, css: &str) -> Option<String> {
        let text = self.value(&format!("document.querySelector({css:?})?.innerText ?? null"));
        text.as_str().map(str::to_owned)
    }

    /// Clicks an element once it can be clicked.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.wait(&format!("{css} can be clicked"), PATIENCE, || {
            self.done("POST", &format!("/element/{}/click", self.find(css)?), &json!({}))
        });
    }

    /// The value of a JavaScript expression.
    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        let script = json!({"script": format!("return {expression};"), "args": []});
        let reply = self.command("POST", "/execute/sync", &script);
        assert_eq!(reply.status, 200, "{expression}: {}", reply.text());
        reply.json()["value"].clone()
    }

    /// What a script hands to its callback `done`.
    #[track_caller]
    pub fn answer(&self, script: &str) -> Value {
        let script = format!("const done = arguments[0]; {script}");
        let reply = self.command("POST", "/execute/async", &json!({"script": script, "args": []}));
        assert_eq!(reply.status, 200, "{script}: {}", reply.text());
        reply.json()["value"].clone()
    }

    /// Where the page is.
    #[track_caller]
    pub fn address(&self) -> String {
        let address = self.done("GET", "/url", &Value::Null).expect("the page is somewhere");
        address.as_str().unwrap().to_owned()
    }

    /// Loads the page anew.
    #[track_caller]
    pub fn reload(&self) {
        self.done("POST", "/refresh", &json!({})).expect("the page can be loaded");
    }

    /// Asks until there is an answer; where there is none, what the page shows tells why.
    #[track_caller]
    fn wait<T>(&self, what: &str, patience: Duration, ask: impl FnMut() -> Option<T>) -> T {
        answer_within(patience, ask).unwrap_or_else(|| {
            let text = self.text("body").unwrap_or_default();
            panic!("not within {patience:?}: {what}, at {}: {text}", self.address())
        })
    }

    fn find(&self, css: &str) -> Option<String> {
        let wanted = json!({"using": "css selector", "value": css});
        let found = self.done("POST", "/element", &wanted)?;
        found[ELEMENT].as_str().map(str::to_owned)
    }

    /// The value of a command that succeeds.
    fn done(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let reply = self.command(method, path, body);
        (reply.status == 200).then(|| reply.json()["value"].clone())
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.send(method, &format!("{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Reply {
        let request = Request::new(method, path).header("host", "127.0.0.1");
        let request = if body.is_null() { request } else { request.json(body) };
        request.send(&self.place)
    }
}

/// The driver ends the application with the session.
impl Drop for Page {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.command("DELETE", "", &Value::Null);
        }
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}
