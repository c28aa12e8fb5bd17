//! Export and import over REST: what they refuse, what they answer, and that the one undoes the loss
//! of what the other wrote.

use std::path::PathBuf;

use coffer_api::transfer::{ExportOut, ImportFormat, ImportOut, ImportOutcome};
use serde_json::{Value, json};

use super::{FACTS, remember};
use crate::support::{Request, TestServer, derived, tree};

const EXPORT: &str = "/api/v1/export";
const IMPORT: &str = "/api/v1/import";

/// A fixture of another program's memories.
fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/import").join(name)
}

#[test]
fn what_was_lost_comes_back_from_an_archive() {
    let server = TestServer::start();
    for text in ["one: walnut", "two: 部署", "three"] {
        remember(&server, text);
    }
    let path = server.folder().join("all.tar.gz");
    let done: ExportOut = server.post(EXPORT, &json!({"path": path})).read_as();
    assert_eq!((done.stores, done.files, done.skipped.len()), (1, 4, 0), "{done:?}");
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    assert!(!text.contains(&server.info.token));

    let other = TestServer::start();
    let body = json!({"path": path, "dry_run": true});
    let dry: ImportOut = other.post(IMPORT, &body).read_as();
    assert_eq!((dry.added, dry.dry_run, dry.files.len()), (4, true, 4), "{dry:?}");
    assert!(dry.files.iter().all(|file| file.outcome == ImportOutcome::Added));
    assert_eq!(other.get(FACTS).json()["total"], 0);
    let done: ImportOut = other.post(IMPORT, &json!({"path": path})).read_as();
    assert_eq!((done.added, done.same, done.format), (4, 0, ImportFormat::Coffer), "{done:?}");
    assert_eq!(tree::files(&other.home().memory()), tree::files(&server.home().memory()));
    assert_eq!(derived::live(&other), derived::live(&server));
    let again: ImportOut = other.post(IMPORT, &json!({"path": path})).read_as();
    assert_eq!((again.added, again.same, again.conflicting), (0, 4, 0), "{again:?}");
    derived::assert_rebuildable(&other, "after an import");

    let events = |server: &TestServer, event: &str| -> Vec<Value> {
        let audit = server.get(&format!("/api/v1/audit?event={event}")).json();
        audit["events"].as_array().unwrap().clone()
    };
    assert_eq!(events(&server, "exported")[0]["counts"], json!({"files": 4, "stores": 1}));
    let imported = events(&other, "imported");
    assert_eq!((imported.len(), &imported[1]["counts"]["written"]), (2, &json!(4)));
}

#[test]
fn knowledge_bases_travel_with_their_originals() {
    let server = TestServer::start();
    remember(&server, "one: walnut");
    let fixture = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/documents");
    for (name, file) in [("guide", "tex-bees.pdf"), ("other", "hand-report.md")] {
        let made = server.post("/api/v1/knowledge_bases", &json!({"name": name}));
        assert_eq!(made.status, 201, "{}", made.text());
        let body = json!({"path": fixture.join(file).canonicalize().unwrap()});
        let added = server.post(&format!("/api/v1/knowledge_bases/{name}/documents"), &body);
        assert_eq!(added.status, 201, "{}", added.text());
    }
    let path = server.folder().join("all.tar.gz");
    let done: ExportOut = server.post(EXPORT, &json!({"path": path})).read_as();
    assert_eq!((done.stores, done.files, done.skipped.len()), (3, 8, 0), "{done:?}");

    let other = TestServer::start();
    let done: ImportOut = other.post(IMPORT, &json!({"path": path})).read_as();
    assert_eq!((done.added, done.skipped.len()), (8, 0), "{done:?}");
    assert_eq!(tree::files(&other.home().knowledge()), tree::files(&server.home().knowledge()));
    assert_eq!(derived::live(&other), derived::live(&server));
    let again: ImportOut = other.post(IMPORT, &json!({"path": path})).read_as();
    assert_eq!((again.added, again.same, again.conflicting), (0, 8, 0), "{again:?}");
    derived::assert_rebuildable(&other, "after an import");

    // One of them alone, out of an archive of all and into one.
    let alone = TestServer::start();
    let body = json!({"path": path, "store": "knowledge_base:guide", "dry_run": true});
    let dry: ImportOut = alone.post(IMPORT, &body).read_as();
    assert_eq!(dry.added, 3, "{dry:?}");
    assert!(dry.files.iter().all(|file| file.store == "knowledge_base:guide"), "{dry:?}");
    let guide = server.folder().join("guide.tar.gz");
    let body = json!({"path": guide, "stores": ["knowledge_base:guide"]});
    let done: ExportOut = server.post(EXPORT, &body).read_as();
    assert_eq!((done.stores, done.files), (1, 3), "{done:?}");
    let done: ImportOut = alone.post(IMPORT, &json!({"path": guide})).read_as();
    assert_eq!(done.added, 3, "{done:?}");
    let body = json!({"path": server.folder().join("x.tar.gz"), "stores": ["knowledge_base:none"]});
    assert_eq!(server.post(EXPORT, &body).refusal(), (404, "KB_NOT_FOUND".to_owned()));
    let body = json!({"path": fixture, "format": "markdown", "store": "knowledge_base:guide"});
    assert_eq!(server.post(IMPORT, &body).fields(), ["store"]);
}

#[test]
fn memories_of_another_program_go_where_one_works() {
    let server = TestServer::start();
    let project = crate::support::project::repository(server.folder(), "app");
    let body = json!({"path": fixture("claude-code"), "cwd": project});
    let done: ImportOut = server.post(IMPORT, &body).read_as();
    assert_eq!((done.added, done.format), (2, ImportFormat::ClaudeCode), "{done:?}");
    assert_eq!(done.skipped[0].path, "MEMORY.md");
    let scope = server.get(&format!("/api/v1/scope?cwd={}", project.display())).json();
    let facts = format!("/api/v1/memory_stores/{}/facts", scope["store_name"].as_str().unwrap());
    let found = server.get(&facts).json();
    assert_eq!(
        (found["total"].as_u64(), server.get(FACTS).json()["total"].as_u64()),
        (Some(2), Some(0))
    );
    assert_eq!(found["facts"][0]["agent"], "claude-code", "{found}");
    let store = server.get("/api/v1/memory_stores").json();
    assert_eq!(store["memory_stores"][0]["project_root"], json!(project), "{store}");

    let body = json!({"path": fixture("obsidian"), "store": "global", "format": "markdown"});
    let done: ImportOut = server.post(IMPORT, &body).read_as();
    assert_eq!((done.added, server.get(FACTS).json()["total"].as_u64()), (3, Some(3)), "{done:?}");
    derived::assert_rebuildable(&server, "after imports");
}

#[test]
fn what_cannot_begin_is_refused_at_once() {
    let server = TestServer::start();
    remember(&server, "one");
    let there = server.folder().join("there.tar.gz");
    std::fs::write(&there, "mine").unwrap();
    let refusal = |path: &str, body: Value| server.post(path, &body).refusal();
    let invalid = (422, "CONFIG_INVALID".to_owned());
    let conflict = (409, "ALREADY_EXISTS".to_owned());
    assert_eq!(refusal(EXPORT, json!({"path": there})), conflict);
    assert_eq!(std::fs::read(&there).unwrap(), b"mine");
    for path in ["x.tar.gz", "/none/x.tar.gz", server.home().run().join("x").to_str().unwrap()] {
        assert_eq!(refusal(EXPORT, json!({"path": path})), invalid, "{path}");
    }
    let unknown = json!({"path": server.folder().join("b"), "stores": ["project-01JXYZ01JXYZ01JXYZ01JXYZ01"]});
    assert_eq!(refusal(EXPORT, unknown), (404, "MEMORY_STORE_NOT_FOUND".to_owned()));
    for path in [
        "notes",
        "/none",
        server.home().server_file().to_str().unwrap(),
        server.home().memory().to_str().unwrap(),
        server.folder().to_str().unwrap(),
    ] {
        assert_eq!(refusal(IMPORT, json!({"path": path})), invalid, "{path}");
    }
    let body = json!({"path": fixture("obsidian"), "format": "word"});
    assert_eq!(refusal(IMPORT, body), invalid);
    let jobs = server.get("/api/v1/jobs").json();
    assert_eq!(jobs["jobs"], json!([]), "nothing was queued");
    server.post(EXPORT, &json!({"path": there, "replace": true})).read_as::<ExportOut>();
}

#[test]
fn a_damaged_archive_is_said_to_be_one() {
    let server = TestServer::start();
    remember(&server, "one");
    let path = server.folder().join("all.tar.gz");
    server.post(EXPORT, &json!({"path": path})).read_as::<ExportOut>();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let reply = server.post(IMPORT, &json!({"path": path}));
    assert!(reply.status >= 400 && reply.text().contains("damaged"), "{}", reply.text());
}

#[test]
fn the_socket_and_the_job_list_know_them_too() {
    let server = TestServer::start();
    remember(&server, "one");
    let path = server.folder().join("all.tar.gz");
    let asked = Request::new("POST", "/api/v1/export?wait=0").json(&json!({"path": path}));
    let reply = asked.send(&server.socket());
    assert_eq!(reply.status, 202, "{}", reply.text());
    let id = reply.json()["job"]["id"].as_str().unwrap().to_owned();
    let mut job = json!(null);
    tree::eventually("the export ends", || {
        job = server.get(&format!("/api/v1/jobs/{id}")).json();
        job["state"] == "done"
    });
    assert_eq!(
        (&job["kind"], &job["result"]["export"]["files"]),
        (&json!("export"), &json!(2)),
        "{job}"
    );
    assert!(path.exists());
}
