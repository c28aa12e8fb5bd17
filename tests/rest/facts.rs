//! Facts: add, list, read, change, delete, clear.

use coffer_api::facts::{Actor, FactOut, FactsOut, Lane, RememberedOut, Scope};
use coffer_domain::id::Id;
use serde_json::json;

use super::{EMPTY, FACTS, fact, remember};
use crate::support::TestServer;

#[test]
fn a_fact_lives_from_writing_to_deleting() {
    let server = TestServer::start();
    let body = json!({"text": "Deploy with `make release`.", "title": "Deploying",
        "description": "How to deploy", "origin_session_id": "s1"});
    let added: RememberedOut = server.post(FACTS, &body).read_as();
    let written = &added.fact;
    assert_eq!((written.store_name.as_str(), written.scope), ("global", Scope::Global));
    assert_eq!((written.lane, written.actor), (Lane::Knowledge, Actor::User));
    assert_eq!(written.origin_session_id.as_deref(), Some("s1"));
    assert!(added.indexed && added.similar.is_empty() && written.agent.is_none());
    let file = std::fs::read_to_string(&written.path).unwrap();
    assert!(file.starts_with("---\n") && file.contains("Deploy with `make release`."), "{file}");
    assert_eq!(coffer_domain::id::sha256(&file), written.content_sha256);

    let path = format!("{FACTS}/{}", written.id);
    let read: FactOut = server.get(&path).read_as();
    assert_eq!(&read, written);
    let lower: FactOut = server.get(&format!("{FACTS}/{}", written.id.to_lowercase())).read_as();
    assert_eq!(lower.id, written.id);

    let patch = json!({"title": "Releasing", "if_sha256": written.content_sha256});
    let edited: FactOut = server.patch(&path, &patch).read_as();
    assert_eq!((edited.title.as_str(), edited.text.as_str()), ("Releasing", written.text.as_str()));
    assert_ne!(edited.content_sha256, written.content_sha256);

    let stale = server.patch(&path, &patch);
    assert_eq!(stale.refusal(), (409, "VERSION_CONFLICT".to_owned()));
    let details = &stale.json()["error"]["details"];
    assert_eq!(details["current_sha256"], edited.content_sha256.as_str());

    assert_eq!(server.delete(&path).status, 204);
    assert_eq!(server.get(&path).refusal(), (404, "MEMORY_NOT_FOUND".to_owned()));
    assert_eq!(server.delete(&path).refusal(), (404, "MEMORY_NOT_FOUND".to_owned()));
    assert!(!std::path::Path::new(&edited.path).exists());
}

#[test]
fn what_nearly_says_the_same_is_reported_and_not_merged() {
    let server = TestServer::start();
    let text = "The production database runs PostgreSQL 16 on port 5433 behind pgbouncer in Oregon";
    let first = remember(&server, text);
    let second = remember(&server, &format!("{text}."));
    assert_eq!(second["similar"][0]["id"], first["id"]);
    assert_eq!(server.get(FACTS).json()["total"], 2);
}

#[test]
fn refused_facts_say_why() {
    let server = TestServer::start();
    let empty = server.post(FACTS, &json!({"text": " \n"}));
    assert_eq!(empty.refusal(), (422, "MEMORY_REJECTED".to_owned()));
    assert_eq!(empty.json()["error"]["details"]["reason"], "empty");
    let long = server.post(FACTS, &json!({"text": "字".repeat(8193)}));
    assert_eq!(long.refusal(), (422, "MEMORY_REJECTED".to_owned()));
    let details = long.json()["error"]["details"].clone();
    assert_eq!((&details["reason"], &details["max"]), (&json!("too_long"), &json!(8192)));
    for (body, field) in [
        (json!({"text": "x", "title": "a\nb"}), "title"),
        (json!({"text": "x", "title": ""}), "title"),
        (json!({"text": "x", "extra": 1}), "extra"),
        (json!({"text": 1}), "text"),
        (json!({}), "text"),
        (json!(["x"]), "body"),
    ] {
        let refused = server.post(FACTS, &body);
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}");
        assert_eq!(refused.fields(), [field], "{body}");
    }
    for body in ["{", "{\"text\":\"a\"} x", "{\"text\":\"\\ud800\"}", "nonsense"] {
        let request = server.request("POST", FACTS).header("content-type", "application/json");
        let refused = request.body(body).send(&server.port());
        assert_eq!(refused.refusal(), (400, "BAD_REQUEST".to_owned()), "{body}");
    }
    assert_eq!(server.trigger(FACTS).refusal(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()));
    assert_eq!(server.get(FACTS).json()["total"], 0);
}

#[test]
fn lists_are_pages_newest_first() {
    let server = TestServer::start();
    let mut ids: Vec<String> = (0..5)
        .map(|at| remember(&server, &format!("fact {at} about {}", ["tea", "milk"][at % 2])))
        .map(|added| added["id"].as_str().unwrap().to_owned())
        .collect();
    ids.reverse();
    let ids_of = |query: &str| {
        let page: FactsOut = server.get(&format!("{FACTS}{query}")).read_as();
        (page.facts.into_iter().map(|fact| fact.id).collect::<Vec<_>>(), page.total)
    };
    assert_eq!(ids_of(""), (ids.clone(), 5));
    assert_eq!(ids_of("?limit=2"), (ids[..2].to_vec(), 5));
    assert_eq!(ids_of("?limit=2&offset=4"), (ids[4..].to_vec(), 5));
    assert_eq!(ids_of("?offset=9"), (vec![], 5));
    assert_eq!(ids_of("?q=MILK"), (vec![ids[1].clone(), ids[3].clone()], 2));
    assert_eq!(ids_of("?q=%25"), (vec![], 0));
    for limit in [0, 201] {
        let refused = server.get(&format!("{FACTS}?limit={limit}"));
        assert_eq!((refused.status, refused.fields()), (422, vec!["limit".to_owned()]));
    }
    for query in ["?limit=x", "?limit=-1", "?limits=1", "?offset=99999999999"] {
        let refused = server.get(&format!("{FACTS}{query}"));
        assert_eq!(refused.refusal(), (400, "BAD_REQUEST".to_owned()), "{query}");
    }
}

#[test]
fn a_store_that_does_not_exist_is_empty_and_is_not_made_by_reading() {
    let server = TestServer::start();
    for path in
        ["/facts", "/facts?q=x", "/rules", "/journal", "/handoff", "/consolidation-log", "/metrics"]
    {
        let reply = server.get(&format!("{EMPTY}{path}"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    }
    assert_eq!(server.post(&format!("{EMPTY}/recall"), &json!({"query": "x"})).status, 200);
    let stores = server.get("/api/v1/memory_stores").json();
    assert!(!stores.to_string().contains("01JXYZ"), "{stores}");
    assert!(!server.home().projects().join("01JXYZ01JXYZ01JXYZ01JXYZ01").exists());

    let written = server.post(&format!("{EMPTY}/facts"), &json!({"text": "the first"}));
    assert_eq!(written.status, 201, "{}", written.text());
    assert!(server.home().projects().join("01JXYZ01JXYZ01JXYZ01JXYZ01/store.yaml").exists());
}

#[test]
fn malformed_names_are_not_found() {
    let server = TestServer::start();
    let bad = [
        "Global",
        "project-",
        "project-01J",
        "..%2Fglobal",
        "%2e%2e",
        "global%00",
        "global%2F..",
        "project-..%2F..%2Fetc",
        "%ff",
        "no",
        "project-01jxyz01jxyz01jxyz01jxyz01",
    ];
    for name in bad {
        for path in
            ["", "/facts", "/rules", "/journal", "/metrics", "/facts/01JXYZ01JXYZ01JXYZ01JXYZ01"]
        {
            let reply = server.get(&format!("/api/v1/memory_stores/{name}{path}"));
            let code = reply.refusal();
            assert!(code.0 == 404 && code.1.ends_with("_NOT_FOUND"), "{name}{path}: {code:?}");
        }
        let written =
            server.post(&format!("/api/v1/memory_stores/{name}/facts"), &json!({"text": "x"}));
        assert_eq!(written.status, 404, "{name}");
    }
    for id in ["x", "01J", "..", "%2e%2e%2frun%2fserver.json", "01JXYZ01JXYZ01JXYZ01JXYZ0U"] {
        let reply = server.get(&format!("{FACTS}/{id}"));
        assert_eq!(reply.status, 404, "{id}");
    }
}

#[test]
fn clearing_keeps_the_store() {
    let server = TestServer::start();
    remember(&server, "one");
    remember(&server, "two");
    assert_eq!(server.delete(FACTS).json(), json!({"cleared": 2}));
    assert_eq!(server.delete(FACTS).json(), json!({"cleared": 0}));
    assert_eq!(server.get(FACTS).json(), json!({"facts": [], "total": 0}));
    assert!(server.home().memory().join("global/store.yaml").exists());
}

#[test]
fn journals_are_read_by_id_and_never_edited() {
    let server = TestServer::start_with(|home| {
        let store = home.memory().join("global");
        std::fs::create_dir_all(store.join("journal")).unwrap();
        std::fs::write(store.join("journal/2026-06-09.md"), "## 10:00 · did\n\nthings\n").unwrap();
    });
    let id = Id::of_file("global", "journal/2026-06-09.md");
    let path = format!("{FACTS}/{id}");
    let read: FactOut = server.get(&path).read_as();
    assert_eq!((read.lane, read.title.as_str()), (Lane::Journal, "2026-06-09"));
    let edited = server.patch(&path, &json!({"text": "x"}));
    assert_eq!(edited.refusal(), (409, "NOT_EDITABLE".to_owned()));
    assert_eq!(server.delete(&path).refusal(), (409, "NOT_EDITABLE".to_owned()));
    assert_eq!(server.get(FACTS).json()["total"], 0);
}

#[test]
fn a_write_by_hand_between_two_edits_is_a_conflict() {
    let server = TestServer::start();
    let added = remember(&server, "as it was");
    let file = added["path"].as_str().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, text.replace("as it was", "as a person wrote")).unwrap();
    let patch = json!({"text": "as an agent wants", "if_sha256": added["content_sha256"]});
    assert_eq!(server.patch(&fact(&added), &patch).status, 409);
    assert_eq!(server.get(&fact(&added)).json()["text"], "as a person wrote");
}
