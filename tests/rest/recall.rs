//! Recall in one store, and search over all.

use coffer_api::recall::{Mode, RecallOut};
use serde_json::json;

use super::{EMPTY, fact, remember};
use crate::support::TestServer;

const RECALL: &str = "/api/v1/memory_stores/global/recall";
const SEARCH: &str = "/api/v1/search";

#[test]
fn a_question_finds_its_fact() {
    let server = TestServer::start();
    let added = remember(&server, "The staging cluster lives in Frankfurt.");
    remember(&server, "Lunch is at noon.");
    let found: RecallOut =
        server.post(RECALL, &json!({"query": "where is the staging cluster?"})).read_as();
    let hit = &found.hits[0];
    assert_eq!(hit.id, added["id"].as_str().unwrap());
    assert_eq!(hit.source, format!("global:{}", added["path"].as_str().unwrap()));
    assert_eq!((found.mode, found.fallback, found.note), (Mode::Keyword, false, None));

    let grep: RecallOut =
        server.post(RECALL, &json!({"query": "/Frank.urt/", "mode": "grep"})).read_as();
    assert_eq!((grep.hits.len(), grep.mode), (1, Mode::Grep));
    let hybrid: RecallOut =
        server.post(RECALL, &json!({"query": "Frankfurt", "mode": "hybrid"})).read_as();
    assert!(hybrid.fallback && hybrid.mode == Mode::Keyword && hybrid.hits.len() == 1);
}

#[test]
fn bad_questions_name_their_field() {
    let server = TestServer::start();
    for (body, field) in [
        (json!({"query": ""}), "query"),
        (json!({"query": "x".repeat(4097)}), "query"),
        (json!({"query": "x", "top_k": 0}), "top_k"),
        (json!({"query": "x", "top_k": 21}), "top_k"),
        (json!({"query": "x", "mode": "magic"}), "mode"),
        (json!({"query": "x", "scope": "project"}), "scope"),
        (json!({"query": "/(/", "mode": "grep"}), "query"),
        (json!({"top_k": 1}), "query"),
    ] {
        let refused = server.post(RECALL, &body);
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}");
        assert_eq!(refused.fields(), [field], "{body}");
    }
    for query in
        ["\"", "AND", "NEAR(", "*", "^x", "col:x", "'; DROP TABLE x;--", "%", "   ", "a\0b"]
    {
        let answer = server.post(RECALL, &json!({"query": query}));
        assert_eq!(answer.status, 200, "{query:?}: {}", answer.text());
    }
}

#[test]
fn scopes_widen_a_projects_recall() {
    let server = TestServer::start();
    remember(&server, "walnut of everybody");
    server.post(&format!("{EMPTY}/facts"), &json!({"text": "walnut of the project"}));
    let texts = |scope: serde_json::Value| {
        let body = json!({"query": "walnut", "scope": scope});
        let found: RecallOut = server.post(&format!("{EMPTY}/recall"), &body).read_as();
        let mut texts: Vec<String> = found.hits.into_iter().map(|hit| hit.text).collect();
        texts.sort();
        texts
    };
    let (all, own) = ("walnut of everybody", "walnut of the project");
    assert_eq!(texts(json!(null)), [own]);
    assert_eq!(texts(json!("project")), [own]);
    assert_eq!(texts(json!("global")), [all]);
    assert_eq!(texts(json!("both")), [all, own]);
}

#[test]
fn search_asks_all_enabled_stores() {
    let server = TestServer::start();
    remember(&server, "walnut of everybody");
    server.post(&format!("{EMPTY}/facts"), &json!({"text": "walnut of the project"}));
    let count = |body: serde_json::Value| {
        let found: RecallOut = server.post(SEARCH, &body).read_as();
        found.hits.len()
    };
    assert_eq!(count(json!({"query": "walnut"})), 2);
    assert_eq!(count(json!({"query": "walnut", "top_k": 1})), 1);
    assert_eq!(count(json!({"query": "walnut", "stores": ["global"]})), 1);
    assert_eq!(count(json!({"query": "walnut", "stores": []})), 0);
    assert_eq!(count(json!({"query": "walnut", "kinds": ["knowledge_base"]})), 0);
    let unknown = server.post(SEARCH, &json!({"query": "walnut", "stores": ["../etc"]}));
    assert_eq!(unknown.refusal(), (404, "MEMORY_STORE_NOT_FOUND".to_owned()));

    assert_eq!(server.trigger("/api/v1/resources/memory/global/disable").json()["enabled"], false);
    assert_eq!(count(json!({"query": "walnut"})), 1);
    let direct: RecallOut = server.post(RECALL, &json!({"query": "walnut"})).read_as();
    assert!(direct.hits.is_empty() && direct.note.is_some());
}

#[test]
fn an_edit_on_disk_is_seen_by_the_next_question() {
    let server = TestServer::start();
    let added = remember(&server, "the door code is walnut");
    let file = added["path"].as_str().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, text.replace("walnut", "hazelnut")).unwrap();
    let found: RecallOut = server.post(RECALL, &json!({"query": "hazelnut"})).read_as();
    assert_eq!(found.hits.len(), 1);
    std::fs::remove_file(file).unwrap();
    let found: RecallOut = server.post(RECALL, &json!({"query": "hazelnut"})).read_as();
    assert!(found.hits.is_empty());
    assert_eq!(server.get(&fact(&added)).status, 404);
}
