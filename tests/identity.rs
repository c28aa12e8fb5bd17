//! Which store a project has, whatever happens to its folder: moved, linked, cloned, merged. Real
//! repositories by the real `git`, a real server.

mod merge;
mod moved;
mod older;
mod places;
mod remotes;

use std::path::Path;

use coffer_api::handoff::{ScopeOut, ScopeReason};
use coffer_api::merge::MergeScanOut;
use coffer_domain::id::Id;
use serde_json::{Value, json};

use crate::support::project::{git, repository};
use crate::support::{Reply, TestServer};

/// The URL of a remote that nobody has, with credentials.
const REMOTE: &str = "https://me:hunter2@Example.org/team/app.git";

/// The store of a folder, and why.
#[track_caller]
fn scope(server: &TestServer, folder: &Path) -> ScopeOut {
    let cwd = folder.to_str().unwrap().replace(' ', "%20");
    server.get(&format!("/api/v1/scope?cwd={cwd}")).read_as()
}

/// The store's name and the reason.
#[track_caller]
fn found(server: &TestServer, folder: &Path) -> (String, ScopeReason) {
    let scope = scope(server, folder);
    (scope.store_name, scope.reason)
}

/// Adds a fact to the store of a folder, and gives the store.
#[track_caller]
fn remember(server: &TestServer, folder: &Path, text: &str) -> String {
    let store = scope(server, folder).store_name;
    let reply = server.post(&facts_of(&store), &json!({"text": text}));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["store_name"].as_str().unwrap().to_owned()
}

fn facts_of(store: &str) -> String {
    format!("/api/v1/memory_stores/{store}/facts")
}

/// The texts of a store's facts, in order.
#[track_caller]
fn texts(server: &TestServer, store: &str) -> Vec<String> {
    let reply = server.get(&format!("{}?limit=200", facts_of(store)));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let facts = reply.json();
    let facts = facts["facts"].as_array().unwrap().iter();
    let mut texts: Vec<String> =
        facts.map(|fact| fact["text"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
}

#[track_caller]
fn scan(server: &TestServer) -> MergeScanOut {
    server.trigger("/api/v1/memory_stores/merge_scan").read_as()
}

fn merge(server: &TestServer, source: &str, target: &str) -> Reply {
    server.post("/api/v1/memory_stores/merge", &json!({"source": source, "target": target}))
}

/// The rows of one event in the trail.
#[track_caller]
fn audited(server: &TestServer, event: &str) -> Vec<Value> {
    let reply = server.get(&format!("/api/v1/audit?event={event}&limit=100"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let rows = reply.json();
    rows.as_object().unwrap().values().find_map(Value::as_array).unwrap().clone()
}

/// A store's folder.
fn folder_of(server: &TestServer, store: &str) -> std::path::PathBuf {
    server.home().projects().join(store.strip_prefix("project-").unwrap())
}

/// What a store says of itself.
#[track_caller]
fn yaml(server: &TestServer, store: &str) -> String {
    std::fs::read_to_string(folder_of(server, store).join("store.yaml")).unwrap()
}

/// The store that a path names.
fn named_by(path: &Path) -> String {
    format!("project-{}", Id::of_project(path.to_str().unwrap()))
}

/// A repository with the remote.
fn with_remote(parent: &Path, name: &str) -> std::path::PathBuf {
    let folder = repository(parent, name);
    git(&folder, &["remote", "add", "origin", REMOTE]);
    folder
}

/// Another clone of a repository, of the same remote.
fn clone(repository: &Path, name: &str) -> std::path::PathBuf {
    let folder = repository.with_file_name(name);
    let parent = repository.parent().unwrap();
    git(parent, &["clone", "-q", repository.to_str().unwrap(), folder.to_str().unwrap()]);
    git(&folder, &["remote", "set-url", "origin", "git@example.org:team/app"]);
    folder
}
