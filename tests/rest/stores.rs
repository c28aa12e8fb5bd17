//! Stores and resources: list, settings, labels, counts, enable, delete.

use coffer_api::recall::Mode;
use coffer_api::stores::{MemoryStoreOut, MemoryStoresOut, StoreMetricsOut};
use serde_json::json;

use super::{EMPTY, remember};
use crate::support::{TestServer, project, tree};

const GLOBAL: &str = "/api/v1/memory_stores/global";

#[test]
fn stores_are_listed_with_their_counts() {
    let server = TestServer::start();
    remember(&server, "one");
    server.post(&format!("{EMPTY}/facts"), &json!({"text": "two"}));
    let list: MemoryStoresOut = server.get("/api/v1/memory_stores").read_as();
    let [global, other] = &list.memory_stores[..] else { panic!("{list:?}") };
    assert_eq!((global.name.as_str(), global.fact_count, global.enabled), ("global", 1, true));
    assert_eq!(global.reference, "memory:global");
    assert_eq!(global.project_id, "0".repeat(26));
    assert!(other.name.ends_with("01JXYZ01JXYZ01JXYZ01JXYZ01") && other.fact_count == 1);
    let one: MemoryStoreOut = server.get(GLOBAL).read_as();
    assert_eq!(&one, global);
    let missing = server.get("/api/v1/memory_stores/project-01JXYZ01JXYZ01JXYZ01JXYZ02");
    assert_eq!(missing.refusal(), (404, "MEMORY_STORE_NOT_FOUND".to_owned()));
}

#[test]
fn settings_of_a_store_are_checked() {
    let server = TestServer::start();
    remember(&server, "one");
    let patch = json!({"max_fact_chars": 64, "default_mode": "grep", "embedding_model": "kept"});
    let changed: MemoryStoreOut = server.patch(GLOBAL, &patch).read_as();
    assert_eq!(changed.config.max_fact_chars, 64);
    assert_eq!(changed.config.embedding_model.as_deref(), Some("kept"));
    let long = server.post(&format!("{GLOBAL}/facts"), &json!({"text": "x".repeat(65)}));
    assert_eq!(long.refusal().1, "MEMORY_REJECTED");
    for (body, field) in [
        (json!({"max_fact_chars": 63}), "max_fact_chars"),
        (json!({"max_fact_chars": 32769}), "max_fact_chars"),
        (json!({"max_fact_chars": "many"}), "max_fact_chars"),
        (json!({"default_mode": "vector"}), "default_mode"),
        (json!({"retrieval_modes": []}), "retrieval_modes"),
        (json!({"embedding_dimensions": 0}), "embedding_dimensions"),
        (json!({"merged_identities": []}), "merged_identities"),
        (json!({"merged_identities": ["01JXYZ01JXYZ01JXYZ01JXYZ01"]}), "merged_identities"),
        (json!({"unknown": 1}), "unknown"),
    ] {
        let refused = server.patch(GLOBAL, &body);
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}");
        assert_eq!(refused.fields(), [field], "{body}");
    }
    let same: MemoryStoreOut = server.get(GLOBAL).read_as();
    assert_eq!(same.config, changed.config);
}

#[test]
fn labels_name_stores() {
    let server = TestServer::start();
    server.post(&format!("{EMPTY}/facts"), &json!({"text": "x"}));
    let path = format!("{EMPTY}/label");
    let named: MemoryStoreOut = server.patch(&path, &json!({"label": "  Café ☕ "})).read_as();
    assert_eq!((named.label.as_deref(), named.display_name.as_str()), (Some("Café ☕"), "Café ☕"));
    let cleared: MemoryStoreOut = server.patch(&path, &json!({"label": " "})).read_as();
    assert_eq!(cleared.label, None);
    server.patch(&path, &json!({"label": "again"}));
    let cleared: MemoryStoreOut = server.patch(&path, &json!({"label": null})).read_as();
    assert_eq!((cleared.label, cleared.display_name), (None, cleared.name));
    for label in [json!("x".repeat(201)), json!("a\nb"), json!(7)] {
        let refused = server.patch(&path, &json!({"label": label}));
        assert_eq!((refused.status, refused.fields()), (422, vec!["label".to_owned()]), "{label}");
    }
    let missing = "/api/v1/memory_stores/project-01JXYZ01JXYZ01JXYZ01JXYZ02/label";
    assert_eq!(server.patch(missing, &json!({"label": "x"})).status, 404);
}

#[test]
fn counts_are_read_from_the_files() {
    let server = TestServer::start();
    remember(&server, "one");
    let store = server.home().memory().join("global");
    for (path, text) in [
        ("knowledge/topic.md", "# Topic\n\ntext\n"),
        ("rules/house.md", "- be kind\n- be brief\n"),
        ("journal/2026-06-09.md", "## 10:00\n\ndid\n"),
        ("knowledge/INDEX.md", "- [Topic](topic.md)\n"),
        ("handoff/main.md", "---\nbranch: main\n---\nhalf way\n"),
        ("superseded/knowledge--a-20260528T202640123456Z.md", "before\n"),
        ("consolidation-log.md", "- x\n"),
    ] {
        std::fs::create_dir_all(store.join(path).parent().unwrap()).unwrap();
        std::fs::write(store.join(path), text).unwrap();
    }
    let counted: StoreMetricsOut = server.get(&format!("{GLOBAL}/metrics")).read_as();
    assert_eq!((counted.fact_count, counted.topic_count, counted.inbox_count), (2, 1, 1));
    assert_eq!((counted.journal_days, counted.rules_count), (1, 2));
    assert_eq!((counted.chunk_count, counted.documents_degraded), (3, 0));
    assert_eq!(counted.indexed_modes, [Mode::Grep, Mode::Keyword]);
    let on_disk: usize = tree::files(&store).values().map(Vec::len).sum();
    assert_eq!(counted.disk_bytes, on_disk as u64);
}

#[test]
fn resources_are_stores_and_knowledge_bases() {
    let server = TestServer::start();
    remember(&server, "one");
    let list = server.get("/api/v1/resources").json();
    assert_eq!(list["resources"][0]["ref"], "memory:global");
    assert_eq!(server.get("/api/v1/resources?kind=memory").json(), list);
    let none = server.get("/api/v1/resources?kind=knowledge_base").json();
    assert_eq!(none, json!({"resources": []}));
    assert_eq!(server.get("/api/v1/resources?kind=x").status, 400);
    assert_eq!(server.get("/api/v1/resources/memory/global").json(), list["resources"][0]);
    for path in ["memory/nothing", "knowledge_base/..%2Fglobal", "x/global", "memory/..%2Fglobal"] {
        let reply = server.get(&format!("/api/v1/resources/{path}"));
        assert_eq!(reply.refusal(), (404, "RESOURCE_NOT_FOUND".to_owned()), "{path}");
    }
}

#[test]
fn deleting_a_store_moves_its_folder_away() {
    let server = TestServer::start();
    server.post(&format!("{EMPTY}/facts"), &json!({"text": "walnut"}));
    let path = "/api/v1/resources/memory/project-01JXYZ01JXYZ01JXYZ01JXYZ01";
    assert_eq!(server.delete(path).status, 204);
    assert_eq!(server.get(path).status, 404);
    assert_eq!(server.delete(path).status, 404);
    assert!(!server.home().projects().join("01JXYZ01JXYZ01JXYZ01JXYZ01").exists());
    let found = server.post("/api/v1/search", &json!({"query": "walnut"})).json();
    assert_eq!(found["hits"], json!([]));
}

#[test]
fn a_working_directory_has_a_store() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let before = server.get("/api/v1/resources").json();
    let scope = |cwd: &str| server.get(&format!("/api/v1/scope?cwd={cwd}"));
    let found = scope(app.to_str().unwrap()).json();
    assert_eq!((&found["scope"], &found["branch"]), (&json!("project"), &json!("main")));
    assert_eq!(found["project_root"], app.to_str().unwrap());
    let outside = scope(server.folder().to_str().unwrap()).json();
    assert_eq!(outside["store_name"], "global");
    assert_eq!(outside["reason"], "no_project");
    let relative = scope("app");
    assert_eq!((relative.status, relative.fields()), (422, vec!["cwd".to_owned()]));
    assert_eq!(server.get("/api/v1/scope").refusal(), (400, "BAD_REQUEST".to_owned()));
    assert_eq!(server.get("/api/v1/resources").json(), before, "asking made a store");
}
