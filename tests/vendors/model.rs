//! A model that answers from a script, over loopback, in the three dialects that the agents speak.
//! It notes everything that it is asked.
//!
//! It is also the proxy that the agents are told to use: what they want of other hosts arrives here,
//! is refused, and is told apart.

pub mod chat;
pub mod messages;
pub mod responses;

use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::support::Request;
use crate::support::http::Place;

/// What a session's model says: it calls a tool of Coffer's, if there is one, and then says a text.
#[derive(Debug, Clone)]
pub struct Script {
    /// The tool's name as Coffer has it, and what it is called with.
    pub call: Option<(&'static str, Value)>,
    /// What it says at last.
    pub text: &'static str,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The method and what it was for.
    pub line: String,
    /// Whether it was meant for another host.
    pub is_strange: bool,
    /// The body; null where it was no JSON.
    pub body: Value,
}

/// The running model.
pub struct Model {
    /// The loopback port.
    pub port: u16,
    shared: Arc<Mutex<Shared>>,
    _runtime: Runtime,
}

struct Shared {
    script: Script,
    asked: Vec<Asked>,
}

impl Model {
    /// Starts one that only says a text.
    pub fn start() -> Self {
        let script = Script { call: None, text: "There is nothing to do." };
        let shared = Arc::new(Mutex::new(Shared { script, asked: Vec::new() }));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        listener.set_nonblocking(true).unwrap();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
        Self { port, shared, _runtime: runtime }
    }

    /// What it says from now on.
    pub fn follow(&self, script: Script) {
        self.shared.lock().unwrap().script = script;
    }

    /// Everything that was asked since this was called last.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.shared.lock().unwrap().asked)
    }
}

async fn answer(
    State(shared): State<Arc<Mutex<Shared>>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let is_strange = uri.authority().is_some();
    let mut shared = shared.lock().unwrap();
    let asked = Asked { line: format!("{method} {uri}"), is_strange, body };
    let said = (method == Method::POST && !is_strange)
        .then(|| said(uri.path(), &shared.script, &asked.body))
        .flatten();
    shared.asked.push(asked);
    match said {
        Some(events) => ([(CONTENT_TYPE, "text/event-stream")], events).into_response(),
        None if is_strange => StatusCode::FORBIDDEN.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The events of an answer; `None` for what no model is asked.
fn said(path: &str, script: &Script, body: &Value) -> Option<String> {
    match path {
        "/v1/messages" => Some(messages::answer(script, body)),
        "/v1/responses" => Some(responses::answer(script, body)),
        "/v1/chat/completions" => Some(chat::answer(script, body)),
        _ => None,
    }
}

/// One event of a stream, its kind named twice.
fn event(kind: &str, mut data: Value) -> String {
    data["type"] = kind.into();
    format!("event: {kind}\ndata: {data}\n\n")
}

#[test]
fn what_is_meant_for_other_hosts_is_told_apart_and_refused() {
    let model = Model::start();
    let here = Place::Port(model.port);
    for (method, target, status, is_strange) in [
        ("CONNECT", "example.org:443", 403, true),
        ("GET", "http://example.org/v1/messages", 403, true),
        ("POST", "http://example.org/v1/messages", 403, true),
        ("GET", "/v1/messages", 404, false),
        ("POST", "/telemetry", 404, false),
        ("POST", "/v1/messages?beta=true", 200, false),
        ("POST", "/v1/responses", 200, false),
        ("POST", "/v1/chat/completions", 200, false),
    ] {
        let request = Request::new(method, target).header("host", "localhost");
        assert_eq!(request.json(&json!({})).send(&here).status, status, "{method} {target}");
        let asked = model.asked();
        assert_eq!(asked.len(), 1, "{method} {target}");
        assert_eq!((asked[0].is_strange, &asked[0].body), (is_strange, &json!({})), "{target}");
    }
}
