//! What was acknowledged stays, and what was not is whole or absent: whatever happens to the process,
//! the disk, the database, or the files.

mod bases;
mod concurrency;
mod database;
mod edits;
mod faults;
mod folders;
mod imports;
mod kills;
mod operations;
mod order;
mod owners;
mod proof;
mod purges;
mod roots;
mod space;
mod sweep;
mod vectors;

use serde_json::{Value, json};

use crate::support::TestServer;

/// The facts of the global store.
const FACTS: &str = "/api/v1/memory_stores/global/facts";

/// Adds a fact to the global store.
#[track_caller]
fn remember(server: &TestServer, text: &str) -> Value {
    let reply = server.post(FACTS, &json!({"text": text}));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}
