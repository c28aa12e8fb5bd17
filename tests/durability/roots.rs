//! Folders that go away, files that are gone at once: none of it is taken for a wish to delete.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{FACTS, remember};
use crate::support::{TestServer, derived, project, tree};

fn hits(server: &TestServer, query: &str) -> Vec<Value> {
    let reply = server.post("/api/v1/memory_stores/global/recall", &json!({"query": query}));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["hits"].as_array().unwrap().clone()
}

fn degraded(server: &TestServer) -> String {
    server.get("/api/v1/status").json()["degraded"].to_string()
}

#[test]
fn a_store_that_is_moved_away_and_back_keeps_everything() {
    let server = TestServer::start();
    let added = remember(&server, "a walnut in a store that moves");
    let fact = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    derived::read_all(&server);
    let store = server.home().memory().join("global");
    let away = server.folder().join("away");
    fs::rename(&store, &away).unwrap();

    for path in [fact.as_str(), FACTS, "/api/v1/memory_stores", "/api/v1/doctor"] {
        let reply = server.get(path);
        assert!([200, 404, 503].contains(&reply.status), "{path}: {}", reply.text());
    }
    let known: u64 = derived::rows(&server.home(), "documents");
    assert_eq!(known, 1, "a folder that is gone was taken for a deletion");
    let written = server.post(FACTS, &json!({"text": "written into nothing"}));
    assert_eq!(written.refusal(), (503, "STORE_UNAVAILABLE".to_owned()), "{}", written.text());
    assert!(!store.exists(), "a store that is gone was made anew");
    assert!(degraded(&server).contains("global"), "{}", degraded(&server));

    fs::rename(&away, &store).unwrap();
    assert_eq!(server.get(&fact).json()["text"], added["text"]);
    assert_eq!(hits(&server, "walnut").len(), 1);
    assert_eq!(server.post(FACTS, &json!({"text": "written again"})).status, 201);
    assert_eq!(degraded(&server), "[]");
    derived::assert_rebuildable(&server, "after it came back");
}

#[test]
fn a_home_that_vanishes_is_not_made_anew() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let added = remember(&server, "a walnut in a home that moves");
    let fact = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    derived::read_all(&server);
    let home = server.home().root().to_owned();
    let away = server.folder().join("away");
    fs::rename(&home, &away).unwrap();

    let scene = json!({"cwd": app, "body": "half way"});
    for reply in [
        server.post(FACTS, &json!({"text": "written into nothing"})),
        server.post("/api/v1/handoff", &scene),
        server.patch(&fact, &json!({"text": "edited into nothing"})),
        server.delete(&fact),
        server.put("/api/v1/settings", &json!({"daily_token_cap": 5})),
        server.patch("/api/v1/memory_stores/global/label", &json!({"label": "x"})),
    ] {
        assert_eq!(reply.refusal(), (503, "STORE_UNAVAILABLE".to_owned()), "{}", reply.text());
    }
    let recalled = server.post("/api/v1/memory_stores/global/recall", &json!({"query": "walnut"}));
    let is_empty = recalled.json()["hits"].as_array().is_some_and(Vec::is_empty);
    assert!(!is_empty, "a clean empty answer: {}", recalled.text());
    assert!(!home.exists(), "{:?}", tree::files(&home).keys());

    fs::rename(&away, &home).unwrap();
    assert_eq!(server.get(&fact).json()["text"], added["text"]);
    assert_eq!(hits(&server, "walnut").len(), 1);
    assert_eq!(server.post(FACTS, &json!({"text": "written again"})).status, 201);
    assert_eq!(server.post("/api/v1/handoff", &scene).status, 200);
    derived::assert_rebuildable(&server, "after it came back");
}

/// 100 facts, of which 60 files are then taken away.
fn decimated() -> (TestServer, Vec<(PathBuf, PathBuf)>) {
    let server = TestServer::start();
    let facts: Vec<Value> =
        (0..100).map(|number| remember(&server, &format!("walnut number {number}"))).collect();
    derived::read_all(&server);
    let away = server.folder().join("away");
    fs::create_dir(&away).unwrap();
    let moves = facts[..60].iter().map(|fact| {
        let path = PathBuf::from(fact["path"].as_str().unwrap());
        (path.clone(), away.join(path.file_name().unwrap()))
    });
    let moves: Vec<_> = moves.collect();
    moves.iter().for_each(|(from, to)| fs::rename(from, to).unwrap());
    (server, moves)
}

#[test]
fn many_files_that_are_gone_at_once_are_asked_about() {
    let (server, moves) = decimated();
    assert_eq!(server.get(FACTS).json()["total"], 100);
    assert!(degraded(&server).contains("60 of 100"), "{}", degraded(&server));
    // What is added meanwhile counts, and what is edited.
    remember(&server, "an almond beside them");
    assert_eq!(hits(&server, "almond").len(), 1);
    assert_eq!(server.get(FACTS).json()["total"], 101);

    moves.iter().for_each(|(from, to)| fs::rename(to, from).unwrap());
    assert_eq!(server.get(FACTS).json()["total"], 101);
    assert_eq!(degraded(&server), "[]");
    derived::assert_rebuildable(&server, "after they came back");
}

#[test]
fn a_person_may_say_that_they_were_deleted() {
    let (mut server, _) = decimated();
    assert_eq!(server.get(FACTS).json()["total"], 100);
    // A restart asks again, it does not decide.
    server.kill();
    server.start_again();
    assert_eq!(server.get(FACTS).json()["total"], 100);
    let done = server.trigger("/api/v1/memory_stores/global/reindex").json();
    assert_eq!(done["documents_removed"], 60, "{done}");
    assert_eq!(server.get(FACTS).json()["total"], 40);
    assert_eq!(degraded(&server), "[]");
    derived::assert_rebuildable(&server, "after they were deleted");
}

#[test]
fn a_few_files_that_are_gone_were_deleted() {
    let server = TestServer::start();
    let facts: Vec<Value> =
        (0..10).map(|number| remember(&server, &format!("walnut number {number}"))).collect();
    derived::read_all(&server);
    facts[..6].iter().for_each(|fact| fs::remove_file(fact["path"].as_str().unwrap()).unwrap());
    assert_eq!(server.get(FACTS).json()["total"], 4);
    assert_eq!(degraded(&server), "[]");
    derived::assert_rebuildable(&server, "after a few were deleted");
}
