//! Knowledge bases: made, filled, asked, kept in step, deleted.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::http::Reply;
use crate::support::{Request, TestServer};

const BASES: &str = "/api/v1/knowledge_bases";
const GUIDE: &str = "/api/v1/knowledge_bases/guide";

fn guide(server: &TestServer) {
    let made = server.post(BASES, &json!({"name": "guide", "description": "how to"}));
    assert_eq!(made.status, 201, "{}", made.text());
}

/// A form with a file, as a page sends it.
fn form(request: Request, filename: &str, text: &str, replace: bool) -> Request {
    let body = format!(
        "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{filename}\"\r\n\
         content-type: application/octet-stream\r\n\r\n{text}\r\n--b\r\n\
         content-disposition: form-data; name=\"replace\"\r\n\r\n{replace}\r\n--b--\r\n"
    );
    request.header("content-type", "multipart/form-data; boundary=b").body(body)
}

fn upload(server: &TestServer, filename: &str, text: &str, replace: bool) -> Reply {
    let request = server.request("POST", &format!("{GUIDE}/documents"));
    form(request, filename, text, replace).send(&server.port())
}

#[track_caller]
fn add(server: &TestServer, filename: &str, text: &str) -> Value {
    let reply = upload(server, filename, text, false);
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

fn document(added: &Value) -> String {
    format!("{GUIDE}/documents/{}", added["id"].as_str().unwrap())
}

#[test]
fn a_base_is_made_changed_and_deleted_without_a_trace() {
    let server = TestServer::start();
    guide(&server);
    let again = server.post(BASES, &json!({"name": "guide"}));
    assert_eq!(again.refusal(), (409, "ALREADY_EXISTS".to_owned()));
    for (body, field) in [
        (json!({"name": "../x"}), "name"),
        (json!({"name": "Guide"}), "name"),
        (json!({"name": "x", "config": {"chunk_size": 5}}), "chunk_size"),
        (json!({"name": "x", "config": {"enabled_modes": ["vector"]}}), "enabled_modes"),
        (json!({"name": "x", "chunk_size": 100}), "chunk_size"),
    ] {
        let refused = server.post(BASES, &body);
        assert_eq!((refused.status, refused.fields()), (422, vec![field.to_owned()]), "{body}");
    }
    let patch =
        json!({"description": null, "config": {"chunk_size": 128, "auto_update_sources": true}});
    let changed = server.patch(GUIDE, &patch).json();
    assert_eq!(
        (&changed["description"], &changed["config"]["chunk_size"]),
        (&json!(null), &json!(128))
    );
    assert_eq!(server.get(BASES).json()["knowledge_bases"], json!([server.get(GUIDE).json()]));
    let resource = server.get("/api/v1/resources/knowledge_base/guide").json();
    assert_eq!(
        (&resource["ref"], &resource["config"]),
        (&json!("knowledge_base:guide"), &changed["config"])
    );
    add(&server, "a.md", "a walnut");
    let status = server.get("/api/v1/status").json();
    assert_eq!((&status["knowledge_bases"], &status["documents"]), (&json!(1), &json!(1)));
    assert_eq!(server.delete(GUIDE).status, 204);
    for path in [GUIDE, "/api/v1/knowledge_bases/Guide", "/api/v1/knowledge_bases/none/metrics"] {
        assert_eq!(server.get(path).refusal(), (404, "KB_NOT_FOUND".to_owned()), "{path}");
    }
    let listed = server.get("/api/v1/resources?kind=knowledge_base").json();
    assert_eq!(listed["resources"], json!([]));
    for folder in ["knowledge", "trash", "run/intents/kb"] {
        let left = std::fs::read_dir(server.home().root().join(folder)).unwrap().count();
        assert_eq!(left, 0, "{folder}");
    }
    let audit = server.get("/api/v1/audit?store=knowledge_base:guide").json();
    let events = audit["events"].as_array().unwrap().iter();
    let events = events.map(|row| row["event"].as_str().unwrap());
    // When the job that cuts documents again ends is its own affair.
    let events: Vec<&str> = events.filter(|event| *event != "kb_reindexed").collect();
    assert_eq!(events, ["resource_deleted", "kb_document_ingested", "resource_created"]);
}

#[test]
fn a_file_is_taken_in_once_replaced_when_asked_and_refused_with_its_reason() {
    let server = TestServer::start();
    guide(&server);
    let first = add(&server, "setup.md", "# Set up\n\nRun it.");
    assert_eq!((&first["title"], &first["source_mode"]), (&json!("Set up"), &json!("converted")));
    let again = upload(&server, "setup.md", "# Set up\n\nRun it.", false);
    assert_eq!((again.status, again.json()), (200, first.clone()));
    let other = upload(&server, "setup.md", "# Set up\n\nWalk.", false);
    assert_eq!(other.refusal(), (409, "INGEST_REJECTED".to_owned()));
    assert_eq!(other.json()["error"]["details"]["reason"], "duplicate");
    let replaced = upload(&server, "setup.md", "# Set up\n\nWalk.", true);
    assert_eq!((replaced.status, &replaced.json()["id"]), (200, &first["id"]));
    assert_eq!(server.get(&document(&first)).json()["markdown"], "# Set up\n\nWalk.");
    for (name, text, status, reason) in
        [("a.md", " \n", 400, "empty"), ("a.bin", "\u{7f}ELF\0\0", 415, "unsupported_type")]
    {
        let refused = upload(&server, name, text, false);
        assert_eq!(refused.refusal(), (status, "INGEST_REJECTED".to_owned()), "{name}");
        assert_eq!(refused.json()["error"]["details"]["reason"], reason);
    }
    server.patch(GUIDE, &json!({"config": {"max_document_bytes": 1024}}));
    let large = upload(&server, "large.md", &"x".repeat(3 << 20), false);
    assert_eq!(large.refusal(), (413, "INGEST_REJECTED".to_owned()));
    let nameless = upload(&server, "", "x", false);
    assert_eq!((nameless.status, nameless.fields()), (422, vec!["filename".to_owned()]));
    let bad = server.request("POST", &format!("{GUIDE}/documents"));
    let bad = bad.header("content-type", "multipart/form-data; boundary=b").body("no form");
    assert_eq!(bad.send(&server.port()).refusal(), (400, "BAD_REQUEST".to_owned()));
    assert_eq!(server.get(&format!("{GUIDE}/documents")).json()["total"], 1);
}

#[test]
fn a_document_is_read_edited_searched_grepped_and_deleted() {
    let server = TestServer::start();
    guide(&server);
    let added = add(&server, "deploy.md", "# Deploy\n\nWe deploy with `make release`.\n");
    add(&server, "other.md", "# Other\n\nNothing here.\n");
    let path = document(&added);
    let found = server.post(&format!("{GUIDE}/search"), &json!({"query": "how to deploy"})).json();
    let passage = &found["passages"][0];
    assert_eq!(
        (&passage["document_id"], &passage["heading_path"]),
        (&added["id"], &json!("Deploy"))
    );
    let file = server.home().root().join("knowledge/guide").join(passage["path"].as_str().unwrap());
    let lines: Vec<String> =
        std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect();
    let at = |key: &str| usize::try_from(passage[key].as_u64().unwrap()).unwrap();
    assert!(lines[at("line_start") - 1..at("line_end")].join("\n").contains("make release"));
    let hits = server.post(&format!("{GUIDE}/grep"), &json!({"pattern": "make .*se"})).json();
    assert_eq!((hits["hits"].as_array().unwrap().len(), &hits["truncated"]), (1, &json!(false)));
    let bad = server.post(&format!("{GUIDE}/grep"), &json!({"pattern": "("}));
    assert_eq!((bad.status, bad.fields()), (422, vec!["pattern".to_owned()]));
    let mode = server.post(&format!("{GUIDE}/search"), &json!({"query": "x", "mode": "grep"}));
    assert_eq!(mode.fields(), ["mode"]);

    let edit = |sha: &Value| server.put(&path, &json!({"markdown": "Mine.", "if_sha256": sha}));
    let stale = edit(&json!("00"));
    assert_eq!(stale.refusal(), (409, "VERSION_CONFLICT".to_owned()));
    assert_eq!(stale.json()["error"]["details"]["current_sha256"], added["content_sha256"]);
    let edited = edit(&added["content_sha256"]).json();
    assert_eq!(edited["source_mode"], "edited");
    for action in ["reconvert", "update-source"] {
        let blocked = server.trigger(&format!("{path}/{action}"));
        assert_eq!(blocked.refusal(), (409, "RECONVERSION_BLOCKED".to_owned()), "{action}");
    }
    let list = server.get(&format!("{GUIDE}/documents?q=OTHER&limit=1")).json();
    assert_eq!((&list["total"], &list["documents"][0]["title"]), (&json!(1), &json!("Other")));
    server.trigger("/api/v1/resources/knowledge_base/guide/disable");
    let off = server.post(&format!("{GUIDE}/search"), &json!({"query": "deploy"})).json();
    assert!(off["passages"] == json!([]) && off["note"].is_string(), "{off}");
    server.trigger("/api/v1/resources/knowledge_base/guide/enable");
    assert_eq!(server.delete(&path).status, 204);
    assert_eq!(server.get(&path).refusal(), (404, "DOCUMENT_NOT_FOUND".to_owned()));
    let metrics = server.get(&format!("{GUIDE}/metrics")).json();
    assert_eq!((&metrics["document_count"], &metrics["chunk_count"]), (&json!(1), &json!(1)));
    let reindexed = server.trigger(&format!("{GUIDE}/reindex")).json();
    assert_eq!(reindexed["documents_scanned"], 1);
    assert_eq!(server.trigger("/api/v1/reindex").json()["documents_scanned"], 1);
}

fn write(folder: &Path, file: &str, text: &str) -> String {
    let path = folder.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn files_of_this_machine_are_taken_in_by_its_owner_only() {
    let server = TestServer::start();
    guide(&server);
    let folder = server.folder().join("outside");
    let file = write(&folder, "a.md", "# A\n\nOne.");
    let documents = format!("{GUIDE}/documents");
    let added = server.post(&documents, &json!({"path": file}));
    assert_eq!(added.status, 201, "{}", added.text());
    assert_eq!(added.json()["metadata"]["source_path"], json!(file));
    write(&folder, "b.md", "# B\n\nTwo.");
    write(&folder, "a.md", "# A\n\nChanged.");
    let checked = server.trigger(&format!("{GUIDE}/check-sources")).json();
    assert_eq!(checked["documents"][0]["status"], "changed");
    let updated = server.trigger(&format!("{}/update-source", document(&added.json())));
    assert_eq!((updated.status, &updated.json()["id"]), (200, &added.json()["id"]));
    let all = server.post(&documents, &json!({"path": folder.to_str().unwrap()}));
    let all = all.json();
    assert_eq!((&all["ingested"], &all["unchanged"]), (&json!(1), &json!(1)), "{all}");
    for (path, status) in [
        (server.home().root().join("run/server.json"), 422),
        (server.home().root().to_owned(), 422),
        (folder.join("none.md"), 422),
        (Path::new("relative.md").to_owned(), 422),
    ] {
        let refused = server.post(&documents, &json!({"path": path.to_str().unwrap()}));
        assert_eq!((refused.status, refused.fields()), (status, vec!["path".to_owned()]));
    }

    // A page has a token of its own; it may bring a file, but name none.
    let code = server.post("/api/v1/session/code", &json!({})).json();
    let session = server.post("/api/v1/session", &json!({"code": code["code"]})).json();
    let token = format!("Bearer {}", session["token"].as_str().unwrap());
    let as_page =
        |request: Request| request.without("authorization").header("authorization", &token);
    let named = as_page(server.request("POST", &documents)).json(&json!({"path": file}));
    let refused = named.send(&server.port());
    assert_eq!(refused.refusal(), (403, "PATH_NOT_ALLOWED".to_owned()));
    let brought = form(as_page(server.request("POST", &documents)), "c.md", "See.", false);
    assert_eq!(brought.send(&server.port()).status, 201);
}

#[test]
fn one_search_goes_over_stores_and_knowledge_bases() {
    let server = TestServer::start();
    guide(&server);
    let added = add(&server, "a.md", "# Nuts\n\nThe walnut is in the cellar.");
    super::remember(&server, "the walnut is mine");
    let search = |body: Value| server.post("/api/v1/search", &body).json();
    let both = search(json!({"query": "walnut"}));
    let names: Vec<&str> = both["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["store_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["global", "knowledge_base:guide"], "{both}");
    assert_eq!(both["hits"][1]["id"], added["id"]);
    let only = search(json!({"query": "walnut", "kinds": ["knowledge_base"]}));
    assert_eq!(only["hits"].as_array().unwrap().len(), 1);
    let named = search(json!({"query": "walnut", "stores": ["knowledge_base:guide"]}));
    assert_eq!(named["hits"], only["hits"]);
    let bad = server.post("/api/v1/search", &json!({"query": "x", "stores": ["knowledge_base:X"]}));
    assert_eq!(bad.refusal(), (404, "KB_NOT_FOUND".to_owned()));
}
