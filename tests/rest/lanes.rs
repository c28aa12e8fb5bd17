//! The lanes beside knowledge, and the working state by directory.

use serde_json::json;

use super::EMPTY;
use crate::support::{TestServer, project};

const GLOBAL: &str = "/api/v1/memory_stores/global";

#[test]
fn empty_lanes_are_empty() {
    let server = TestServer::start();
    for store in [GLOBAL, EMPTY] {
        let get = |lane: &str| server.get(&format!("{store}/{lane}")).json();
        assert_eq!(get("rules"), json!({"text": null, "files": []}));
        assert_eq!(get("journal"), json!({"files": []}));
        assert_eq!(get("handoff"), json!({"scenes": []}));
        assert_eq!(get("consolidation-log")["text"], json!(null));
    }
}

#[test]
fn lanes_are_read_as_they_stand_on_disk() {
    let server = TestServer::start();
    let store = server.home().memory().join("global");
    for (path, text) in [
        ("rules/b.md", "- second\n"),
        ("rules/a/first.md", "- first\n"),
        ("journal/2026-06-08.md", "older\n"),
        ("journal/2026-06-09.md", "newer\n"),
        ("consolidation-log.md", "- retired x\n"),
    ] {
        std::fs::create_dir_all(store.join(path).parent().unwrap()).unwrap();
        std::fs::write(store.join(path), text).unwrap();
    }
    let rules = server.get(&format!("{GLOBAL}/rules")).json();
    assert_eq!(rules["text"], "- first\n\n- second");
    assert_eq!(rules["files"][0]["name"], "a/first.md");
    assert_eq!(rules["files"][0]["folder_path"], store.join("rules/a").to_str().unwrap());
    let journal = server.get(&format!("{GLOBAL}/journal")).json();
    assert_eq!(journal["files"][0]["period"], "2026-06-09");
    assert_eq!(journal["files"][1]["text"], "older\n");
    let log = server.get(&format!("{GLOBAL}/consolidation-log")).json();
    assert_eq!(log["text"], "- retired x\n");
}

#[test]
fn working_state_belongs_to_a_branch() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let feature = project::worktree(&app, "feature");
    let save = |cwd: &std::path::Path, body: &str| {
        server.post("/api/v1/handoff", &json!({"cwd": cwd.to_str().unwrap(), "body": body}))
    };
    let resume = |cwd: &std::path::Path| {
        server.get(&format!("/api/v1/resume?cwd={}", cwd.to_str().unwrap())).json()
    };
    let saved = save(&app, "half way").json();
    assert_eq!((&saved["status"], &saved["branch"]), (&json!("saved"), &json!("main")));
    let found = resume(&app);
    assert_eq!((&found["found"], &found["body"]), (&json!(true), &json!("half way")));
    assert_eq!(resume(&feature), json!({"found": false}));
    save(&feature, "elsewhere");
    assert_eq!(resume(&app)["body"], "half way");

    let store = saved["scope"].as_str().unwrap();
    let lane = server.get(&format!("/api/v1/memory_stores/{store}/handoff")).json();
    assert_eq!(lane["scenes"].as_array().unwrap().len(), 2);

    let outside = save(server.folder(), "x");
    assert_eq!(outside.refusal(), (422, "SCOPE_UNRESOLVED".to_owned()));
    assert_eq!(save(&app, " ").refusal(), (422, "MEMORY_REJECTED".to_owned()));
    assert_eq!(save(std::path::Path::new("app"), "x").fields(), ["cwd"]);
}
