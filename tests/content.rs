//! What files and requests may hold: broken headers, odd names, every script, hostile queries, paths
//! that lead elsewhere. Nothing of it is lost, breaks a search, or reaches outside of a store.

mod containment;
mod headers;
mod names;
mod queries;
mod strange_files;
mod texts;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Reply, TestServer};

/// The facts of the global store.
const FACTS: &str = "/api/v1/memory_stores/global/facts";
const RECALL: &str = "/api/v1/memory_stores/global/recall";

/// Writes a file below the global store's knowledge, as a person would.
fn put(server: &TestServer, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = server.home().memory().join("global/knowledge").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

fn recall(server: &TestServer, query: &str) -> Reply {
    server.post(RECALL, &json!({"query": query, "top_k": 20}))
}

/// The hits of a recall that must succeed.
#[track_caller]
fn hits(server: &TestServer, query: &str) -> Vec<Value> {
    let reply = recall(server, query);
    assert_eq!(reply.status, 200, "{query:?}: {}", reply.text());
    reply.json()["hits"].as_array().unwrap().clone()
}

/// The id of the fact in a file, by a query that finds it.
#[track_caller]
fn id_of(server: &TestServer, query: &str, file: &str) -> String {
    let found = hits(server, query);
    let here = found.iter().find(|hit| hit["source"].as_str().unwrap().ends_with(file));
    let here = here.unwrap_or_else(|| panic!("`{file}` is not found by {query:?}: {found:?}"));
    here["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn remember(server: &TestServer, body: &Value) -> Value {
    let reply = server.post(FACTS, body);
    assert_eq!(reply.status, 201, "{body}: {}", reply.text());
    reply.json()
}

/// What the doctor says of a file, if it does.
fn doctor_on(server: &TestServer, path: &std::path::Path) -> Option<Value> {
    let rows = server.get("/api/v1/doctor").json();
    let rows = rows["rows"].as_array().unwrap();
    rows.iter().find(|row| row["path"].as_str() == path.to_str() && row["state"] != "ok").cloned()
}
