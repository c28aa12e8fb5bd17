//! The viewer in a browser, against the real server: what `coffer open --browser` leads to.
//!
//! The application's window shows the same pages; its own tests are in `window`.

mod agents;
mod bases;
mod distill;
mod engine;
mod hostile;
mod keyboard;
mod live;
mod models;
mod pages;
mod session;
mod trouble;

use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::browser::Browser;

const FACTS: &str = "/api/v1/memory_stores/global/facts";

/// An address of the viewer that signs in, once.
#[track_caller]
fn way_in(server: &TestServer, path: &str) -> String {
    let reply = server.trigger("/api/v1/session/code");
    let code = reply.json()["code"].as_str().unwrap().to_owned();
    format!("http://127.0.0.1:{}{path}#code={code}", server.info.port)
}

/// A browser that shows a page of the viewer.
#[track_caller]
fn signed_in(server: &TestServer, path: &str) -> Browser {
    let browser = Browser::start();
    browser.go(&way_in(server, path));
    browser.see("[data-testid=stores]");
    browser
}

/// Keeps a fact of the global store, as the person does.
#[track_caller]
fn remember(server: &TestServer, title: &str, text: &str) -> Value {
    let reply = server.post(FACTS, &json!({"title": title, "text": text}));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}
