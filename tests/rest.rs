//! The REST API, route by route, against a real server.

mod agents;
mod credentials;
mod facts;
mod health;
mod hooks;
mod hostile_files;
mod jobs;
mod kb;
mod lanes;
mod live;
mod model_settings;
mod models;
mod purge;
mod recall;
mod secrets;
mod stores;
mod system;
mod transfer;
mod vectors;

use serde_json::{Value, json};

use crate::support::TestServer;

/// The facts of the global store.
const FACTS: &str = "/api/v1/memory_stores/global/facts";
/// The store of a project that nobody has.
const EMPTY: &str = "/api/v1/memory_stores/project-01JXYZ01JXYZ01JXYZ01JXYZ01";

/// Adds a fact and gives its reply.
#[track_caller]
fn remember(server: &TestServer, text: &str) -> Value {
    let reply = server.post(FACTS, &json!({"text": text}));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

/// The path of a fact.
fn fact(added: &Value) -> String {
    format!("{FACTS}/{}", added["id"].as_str().unwrap())
}
