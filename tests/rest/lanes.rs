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

#[test]
fn rules_are_added_once_and_retired_together() {
    let server = TestServer::start();
    let rules = format!("{GLOBAL}/rules");
    let add = |body: serde_json::Value| server.post(&rules, &body);
    let added = add(json!({"text": "Tests first."}));
    assert_eq!((added.status, &added.json()["name"]), (201, &json!("rules.md")));
    assert_eq!(add(json!({"text": "- Tests first."})).json()["text"], "- Tests first.\n");
    let nested = add(json!({"text": "No unwrap.", "file": "rust/style"})).json();
    assert_eq!(
        (&nested["name"], &nested["text"]),
        (&json!("rust/style.md"), &json!("- No unwrap.\n"))
    );
    // A person's own text stays as it is, to the byte.
    let file = server.home().memory().join("global/rules/rules.md");
    std::fs::write(&file, "\u{feff}# Mine\r\n\r\n* odd  bullet").unwrap();
    add(json!({"text": "two\nlines"}));
    let whole = "\u{feff}# Mine\r\n\r\n* odd  bullet\r\n- two\r\n  lines\r\n";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);

    for file in ["../x", "/etc/x", ".hidden", "a//b", "a/../b", "", "C:\\x"] {
        assert_eq!(add(json!({"text": "x", "file": file})).fields(), ["file"], "{file}");
    }
    assert_eq!(add(json!({"text": " "})).refusal(), (422, "MEMORY_REJECTED".to_owned()));

    assert_eq!(server.delete(&rules).status, 204);
    assert_eq!(server.get(&rules).json(), json!({"text": null, "files": []}));
    assert_eq!(server.delete(&rules).refusal(), (404, "LANE_FILE_NOT_FOUND".to_owned()));
    let log = server.get(&format!("{GLOBAL}/consolidation-log")).json();
    let log = log["text"].as_str().unwrap();
    assert_eq!(log.matches("user deleted `rules/").count(), 2, "{log}");
}

#[test]
fn one_rule_is_taken_out_and_can_come_back() {
    let server = TestServer::start();
    let file = server.home().memory().join("global/rules/rust/style.md");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let made = "- Use `?`. <!-- coffer: from codex, 01J -->";
    let whole = format!("\u{feff}# Mine\r\n\r\n* odd  one\r\n{made}\r\n  more\r\n- last");
    std::fs::write(&file, &whole).unwrap();
    let delete = |file: &str, rule: &str| {
        server.post(&format!("{GLOBAL}/rules/delete"), &json!({"file": file, "rule": rule}))
    };
    for (file, rule) in
        [("rust/style.md", made), ("rust/style", "- Use `?`."), ("none", made), ("rust/style", "")]
    {
        assert_eq!(delete(file, rule).refusal(), (404, "LANE_FILE_NOT_FOUND".to_owned()), "{rule}");
    }
    assert_eq!(delete("../x", made).fields(), ["file"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
    let superseded = || server.get(&format!("{GLOBAL}/superseded")).json();
    assert_eq!(superseded()["total"], 0, "what is refused retires nothing");

    assert_eq!(delete("rust/style.md", &format!("{made}\n  more")).status, 204);
    let left = "\u{feff}# Mine\r\n\r\n* odd  one\r\n- last";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), left);
    let kept = superseded()["files"][0].clone();
    assert_eq!((&kept["origin"], &kept["text"]), (&json!("rules/rust/style.md"), &json!(whole)));
    let log = server.get(&format!("{GLOBAL}/consolidation-log")).json()["text"].clone();
    assert!(
        log.as_str().unwrap().contains("user deleted a rule of `rules/rust/style.md`"),
        "{log}"
    );

    let restore = |dry_run: bool| {
        let asked = json!({"file": kept["file"], "dry_run": dry_run});
        server.post(&format!("{GLOBAL}/superseded/restore"), &asked).json()
    };
    let shown = restore(true);
    let diff = shown["diff"].as_str().unwrap();
    assert!(diff.contains(&format!("+{made}")) && !diff.contains("-* odd"), "{diff}");
    assert!(diff.starts_with("--- rules/rust/style.md\n"), "{diff}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), left, "nothing is done");
    assert_eq!((restore(false)["diff"].as_str(), &shown["archived"]), (Some(diff), &json!(null)));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);

    // The file goes with its last rule, and comes back with it.
    std::fs::write(&file, "- last\n").unwrap();
    assert_eq!(delete("rust/style", "- last").status, 204);
    assert!(!file.exists());
    let last = superseded()["files"][0]["file"].clone();
    let back = server.post(&format!("{GLOBAL}/superseded/restore"), &json!({"file": last})).json();
    assert!(back["diff"].as_str().unwrap().starts_with("--- /dev/null\n"), "{back}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "- last\n");
}

#[test]
fn each_lane_is_deleted_listed_and_put_back_byte_for_byte() {
    let server = TestServer::start();
    let store = server.home().memory().join("global");
    let (day, scene) =
        ("## 2026-06-09T10:11:12Z · A walnut\r\nno end", "---\nbranch: feat/x\n---\nhalf\n");
    let lanes: [(&str, &[u8], &str); 4] = [
        ("journal/2026-06-09.md", day.as_bytes(), "journal/2026-06-09"),
        ("handoff/feat-x-12345678.md", scene.as_bytes(), "handoff/feat%2Fx"),
        ("rules/a--b/-c-.md", b"- \xff\n", "rules"),
        ("consolidation-log.md", b"- by hand", "consolidation-log"),
    ];
    for (path, bytes, _) in lanes {
        std::fs::create_dir_all(store.join(path).parent().unwrap()).unwrap();
        std::fs::write(store.join(path), bytes).unwrap();
    }
    let recalled = || {
        let found = server.post(&format!("{GLOBAL}/recall"), &json!({"query": "walnut"})).json();
        found["hits"].as_array().unwrap().len()
    };
    assert_eq!(recalled(), 1);
    for (path, bytes, route) in lanes {
        let route = format!("{GLOBAL}/{route}");
        assert_eq!(server.delete(&route).status, 204, "{path}");
        let again = server.delete(&route);
        if path != "consolidation-log.md" {
            assert_eq!(again.refusal(), (404, "LANE_FILE_NOT_FOUND".to_owned()), "{path}");
        }
        let list = server.get(&format!("{GLOBAL}/superseded")).json();
        let retired = list["files"].as_array().unwrap();
        let retired = retired.iter().find(|file| file["origin"] == path).unwrap();
        let name = &retired["file"];
        if path.starts_with("journal") {
            assert_eq!(recalled(), 0);
        }
        let restored = server.post(&format!("{GLOBAL}/superseded/restore"), &json!({"file": name}));
        assert_eq!(restored.json()["path"], store.join(path).to_str().unwrap());
        let stands = std::fs::read(store.join(path)).unwrap();
        assert!(stands.starts_with(bytes), "{path}");
        assert!(path == "consolidation-log.md" || stands == bytes, "{path}");
    }
    assert_eq!(recalled(), 1);
    for file in ["../store.yaml", "nothing-20260609T101112345678Z.md", "x", "a/b", ""] {
        let refused = server.post(&format!("{GLOBAL}/superseded/restore"), &json!({"file": file}));
        assert_eq!(refused.refusal(), (404, "LANE_FILE_NOT_FOUND".to_owned()), "{file}");
    }
}

#[test]
fn an_edited_fact_goes_back_and_forth() {
    let server = TestServer::start();
    let facts = format!("{GLOBAL}/facts");
    let fact = server.post(&facts, &json!({"text": "walnut one"})).json();
    let id = fact["id"].as_str().unwrap();
    let path = fact["path"].as_str().unwrap();
    let first = std::fs::read(path).unwrap();
    server.patch(&format!("{facts}/{id}"), &json!({"text": "walnut two"}));
    let second = std::fs::read(path).unwrap();
    let newest = || {
        let list = server.get(&format!("{GLOBAL}/superseded")).json();
        list["files"][0]["file"].as_str().unwrap().to_owned()
    };
    let restore = |file: &str| {
        server.post(&format!("{GLOBAL}/superseded/restore"), &json!({"file": file})).json()
    };
    for wanted in [&first, &second, &first] {
        let restored = restore(&newest());
        assert!(restored["archived"].is_string(), "{restored}");
        assert_eq!(&std::fs::read(path).unwrap(), wanted);
        let text = server.get(&format!("{facts}/{id}")).json()["text"].as_str().unwrap().to_owned();
        assert!(String::from_utf8_lossy(wanted).contains(&text), "{text}");
    }
    server.delete(&format!("{facts}/{id}"));
    restore(&newest());
    assert_eq!(std::fs::read(path).unwrap(), first);
    assert_eq!(server.get(&format!("{facts}/{id}")).status, 200);
    crate::support::derived::assert_rebuildable(&server, "after restores");
}

#[test]
fn a_store_is_deleted_whole() {
    let server = TestServer::start();
    server.post(&format!("{GLOBAL}/facts"), &json!({"text": "x"}));
    assert_eq!(server.delete(GLOBAL).status, 204);
    assert!(!server.home().memory().join("global").exists());
    assert_eq!(server.delete(GLOBAL).status, 404);
}
