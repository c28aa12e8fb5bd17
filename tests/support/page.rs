//! A page of the viewer, used as a person uses it: through the driver that belongs to its web
//! engine (W3C WebDriver, of which a few commands do). Who shows the page is not said here: the
//! application's window or a browser.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Place, Reply, Request};
use super::process::{PATIENCE, Process, answer_within, eventually};

/// The key under which the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A page in the hands of a driver.
pub struct Page {
    place: Place,
    /// The address of the session; commands are below it.
    session: String,
    _driver: Process,
}

impl Page {
    /// Starts a driver, and has it start what shows the page, as the capabilities say.
    ///
    /// Both drivers take a port in the same way. What they say goes to a file, for when it fails.
    #[track_caller]
    pub fn open(driver: &mut Command, wanted: &Value, log: &Path) -> Self {
        let port = free_port();
        let file = std::fs::File::create(log).unwrap();
        driver.arg(format!("--port={port}")).stdout(file.try_clone().unwrap()).stderr(file);
        let driver = Process::start(driver);
        eventually("the driver listens", PATIENCE, || {
            std::net::TcpStream::connect(("127.0.0.1", port)).ok()
        });
        let mut page = Self { place: Place::Port(port), session: String::new(), _driver: driver };
        let wanted = json!({"capabilities": {"alwaysMatch": wanted}});
        let reply = page.send("POST", "/session", &wanted);
        let session = reply.json()["value"]["sessionId"].as_str().map(str::to_owned);
        let said = || std::fs::read_to_string(log).unwrap_or_default();
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
    pub fn wait<T>(&self, what: &str, patience: Duration, ask: impl FnMut() -> Option<T>) -> T {
        answer_within(patience, ask).unwrap_or_else(|| {
            let text = self.text("body").unwrap_or_default();
            panic!("not within {patience:?}: {what}, at {}: {text}", self.address())
        })
    }

    /// The protocol's name of an element, if it is there.
    pub fn find(&self, css: &str) -> Option<String> {
        let wanted = json!({"using": "css selector", "value": css});
        let found = self.done("POST", "/element", &wanted)?;
        found[ELEMENT].as_str().map(str::to_owned)
    }

    /// The value of a command that succeeds.
    pub fn done(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let reply = self.command(method, path, body);
        (reply.status == 200).then(|| reply.json()["value"].clone())
    }

    /// What the driver says to a command.
    pub fn command(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.send(method, &format!("{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Reply {
        let request = Request::new(method, path).header("host", "127.0.0.1");
        let request = if body.is_null() { request } else { request.json(body) };
        request.send_to_keeper(&self.place)
    }
}

/// The driver ends what shows the page with the session.
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
