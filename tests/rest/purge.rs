//! Purging over REST: what it refuses, what it answers, what is left nowhere.

use coffer_api::purge::PurgeOut;
use serde_json::{Value, json};

use super::{FACTS, fact, remember};
use crate::support::{Request, TestServer, derived, tree};

const PURGE: &str = "/api/v1/purge?wait=60";

/// Files below the home whose bytes or names hold a text.
fn holding(server: &TestServer, text: &str) -> Vec<String> {
    let files = tree::files(server.home().root());
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    let found = files.into_iter().filter(|(path, bytes)| path.contains(text) || holds(bytes));
    found.map(|(path, _)| path).collect()
}

fn purge(server: &TestServer, body: &Value) -> PurgeOut {
    server.post(PURGE, body).read_as()
}

#[test]
fn a_text_that_went_everywhere_is_nowhere_afterwards() {
    let mut server = TestServer::start();
    let title = json!({"text": "the first", "title": "About WalnutSecret"});
    let added = server.post(FACTS, &title).json();
    let changed = json!({"text": "it was WalnutSecret 部署"});
    assert_eq!(server.patch(&fact(&added), &changed).status, 200);
    assert_eq!(server.patch(&fact(&added), &json!({"text": "an almond"})).status, 200);
    let other = remember(&server, "another WalnutSecret");
    assert_eq!(server.delete(&fact(&other)).status, 204);
    let rule = json!({"text": "never say WalnutSecret", "file": "walnutsecret.md"});
    assert_eq!(server.post("/api/v1/memory_stores/global/rules", &rule).status, 201);
    assert_eq!(server.delete("/api/v1/memory_stores/global/rules").status, 204);
    let label = json!({"label": "WalnutSecret"});
    assert_eq!(server.patch("/api/v1/memory_stores/global/label", &label).status, 200);
    assert!(holding(&server, "WalnutSecret").len() > 4);
    assert!(holding(&server, "walnutsecret").len() > 2);

    let text = json!({"match": "WalnutSecret"});
    let before = tree::files(&server.home().memory());
    let dry = purge(&server, &json!({"match": "WalnutSecret", "dry_run": true}));
    assert_eq!(tree::files(&server.home().memory()), before);
    assert!(dry.dry_run && dry.remaining > 6, "{dry:?}");
    let done = purge(&server, &text);
    assert_eq!((done.remaining, &done.places), (0, &dry.places), "{done:?}");
    assert_eq!(done.unreachable, [], "{done:?}");
    assert_eq!(holding(&server, "WalnutSecret"), [""; 0]);
    assert_eq!(holding(&server, "walnutsecret"), [""; 0]);
    assert_eq!(server.get(&fact(&added)).json()["title"], "About [purged]");
    let recalled = server.post("/api/v1/memory_stores/global/recall", &json!({"query": "almond"}));
    assert_eq!(recalled.json()["hits"][0]["id"], added["id"], "{}", recalled.text());
    derived::assert_rebuildable(&server, "after a purge");

    let trail = server.get("/api/v1/audit?event=purged").json();
    assert_eq!(trail["events"][0]["counts"]["remaining"], 0, "{trail}");
    assert_eq!(trail["events"].as_array().unwrap().len(), 1, "a dry run leaves no trail");
    assert!(!server.said().contains("WalnutSecret"));
    let again = purge(&server, &text);
    assert_eq!((again.places.as_slice(), again.remaining), ([].as_slice(), 0), "{again:?}");
    assert_eq!(tree::residue(&server.home()), [""; 0]);
    server.signal("TERM");
    server.ended();
    assert_eq!(holding(&server, "WalnutSecret"), [""; 0]);
}

#[test]
fn what_would_destroy_or_says_nothing_is_refused() {
    let server = TestServer::start();
    remember(&server, "walnut");
    for body in [json!({"match": "abc"}), json!({"match": "knowledge"}), json!({"regex": ".*"})] {
        assert_eq!(server.post(PURGE, &body).refusal(), (422, "REFUSED".to_owned()), "{body}");
    }
    for body in [
        json!({}),
        json!({"match": "walnut", "secrets": true}),
        json!({"match": "walnut", "regex": "walnut"}),
        json!({"regex": "(walnut"}),
        json!({"walnut": 1}),
    ] {
        assert_eq!(server.post(PURGE, &body).refusal().0, 422, "{body}");
    }
    assert_eq!(server.get("/api/v1/jobs").json()["jobs"], json!([]));
    let page = Request::new("POST", PURGE).json(&json!({"match": "walnut"}));
    assert_eq!(page.send(&server.port()).status, 403, "no host, no token");
    assert_eq!(server.get(FACTS).json()["total"], 1);
}

#[test]
fn a_job_of_a_purge_never_says_what() {
    let server = TestServer::start();
    remember(&server, "WalnutSecret");
    let body = json!({"regex": "WalnutS[a-z]+", "dry_run": true});
    let reply = server.post("/api/v1/purge?wait=0", &body);
    let id = reply.json()["job"]["id"].as_str().map(str::to_owned);
    let jobs = server.get("/api/v1/jobs");
    assert!(!jobs.text().contains("WalnutS"), "{}", jobs.text());
    if let Some(id) = id {
        tree::eventually("it ends", || {
            server.get(&format!("/api/v1/jobs/{id}")).json()["state"] == "done"
        });
    }
    assert_eq!(tree::residue(&server.home()), [""; 0]);
    // A job that was cancelled before it began leaves no record, either.
    let reply = server.post("/api/v1/purge?wait=0", &json!({"match": "WalnutSecret"}));
    if let Some(id) = reply.json()["job"]["id"].as_str() {
        assert_eq!(server.delete(&format!("/api/v1/jobs/{id}")).status, 200);
    }
    tree::eventually("no record is left", || tree::residue(&server.home()).is_empty());
}

#[test]
fn secrets_that_were_written_by_hand_are_found() {
    let server = TestServer::start();
    let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    let folder = server.home().memory().join("global/knowledge");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("keys.md"), format!("---\ntitle: {key}\n---\nit is {key}\n"))
        .unwrap();
    derived::read_all(&server);
    let done = purge(&server, &json!({"secrets": true}));
    let told: Vec<&str> = done.unreachable.iter().map(|row| row.path.as_str()).collect();
    assert_eq!((done.remaining, told.as_slice()), (0, &["coffer.db"][..]), "{done:?}");
    assert_eq!(holding(&server, &key), [""; 0]);
    assert_eq!(server.get(FACTS).json()["facts"][0]["title"], "[purged]");
    derived::assert_rebuildable(&server, "after secrets were purged");
}

#[test]
fn archives_that_were_exported_are_told() {
    let server = TestServer::start();
    remember(&server, "WalnutSecret");
    let path = json!({"path": server.folder().join("all.tar.gz")});
    assert_eq!(server.post("/api/v1/export", &path).status, 200);
    let done = purge(&server, &json!({"match": "WalnutSecret"}));
    let told = done.unreachable.iter().any(|row| row.path == "exports");
    assert!(told && done.remaining == 0, "{done:?}");
}

/// A person who saves meanwhile loses nothing: what is saved later is purged in its turn.
#[test]
fn a_person_who_saves_meanwhile_keeps_every_line() {
    let server = TestServer::start();
    remember(&server, "one");
    let folder = server.home().memory().join("global/knowledge");
    let text = |round: usize| -> String {
        (0..=round).map(|line| format!("line {line}: WalnutSecret\n")).collect()
    };
    std::thread::scope(|scope| {
        let (server, folder) = (&server, &folder);
        scope.spawn(move || {
            for round in 0..60 {
                let draft = folder.join(".draft");
                std::fs::write(&draft, text(round)).unwrap();
                std::fs::rename(&draft, folder.join("mine.md")).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        });
        for _ in 0..3 {
            purge(server, &json!({"match": "WalnutSecret"}));
        }
    });
    let done = purge(&server, &json!({"match": "WalnutSecret"}));
    assert_eq!(done.remaining, 0, "{done:?}");
    let now = std::fs::read_to_string(folder.join("mine.md")).unwrap();
    assert_eq!(now, text(59).replace("WalnutSecret", "[purged]"));
    derived::assert_rebuildable(&server, "after a purge beside saves");
}
