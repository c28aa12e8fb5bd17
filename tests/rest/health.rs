//! What the doctor says of files and folders, each with what to do about it.

use serde_json::{Value, json};

use super::remember;
use crate::support::{TestServer, tree};

fn found(server: &TestServer, check: &str, state: &str) -> Vec<Value> {
    let rows = server.get("/api/v1/doctor").json()["rows"].as_array().unwrap().clone();
    rows.into_iter().filter(|row| row["check"] == check && row["state"] == state).collect()
}

#[test]
fn whatever_is_amiss_has_its_row_and_its_remedy() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = TestServer::start();
    remember(&server, "walnut");
    let home = server.home();
    let store = home.memory().join("global");
    let put = |path: &str, text: &str| {
        let path = store.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for row in server.get("/api/v1/doctor").json()["rows"].as_array().unwrap() {
        assert_eq!(row["state"], "ok", "{row}");
    }
    put("knowledge/odd.md", "---\ntitle: [\n---\nx\n");
    put("handoff/main.md", "---\nbranch: {\n---\nx\n");
    put("rules/a.md", "- x\n");
    std::os::unix::fs::symlink("/etc/passwd", store.join("rules/link.md")).unwrap();
    let old = home.intents().join("left.json");
    std::fs::write(&old, "{").unwrap();
    let hour = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    std::fs::File::options().write(true).open(&old).unwrap().set_modified(hour).unwrap();
    std::fs::set_permissions(home.logs(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(home.database(), std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(home.config_file(), "nothing = 1\n").unwrap();
    assert_eq!(server.trigger("/api/v1/resources/memory/global/disable").status, 200);
    for (check, state, many) in [
        ("document", "warning", 1),
        ("header", "warning", 1),
        ("file", "warning", 1),
        ("leftover", "warning", 1),
        ("folder", "warning", 3),
        ("settings", "warning", 1),
        ("store", "ok", 1),
        ("disk", "ok", 1),
    ] {
        let rows = found(&server, check, state);
        assert_eq!(rows.len(), many, "{check}: {rows:?}");
        let says = |row: &Value| row["path"].is_string() && row["reason"].is_string();
        assert!(rows.iter().all(says), "{rows:?}");
        assert!(check == "disk" || rows.iter().all(|row| row["fix"].is_string()), "{rows:?}");
    }
    let fixed = server.trigger("/api/v1/doctor/fix");
    assert_eq!(fixed.status, 200);
    assert_eq!(found(&server, "folder", "warning"), [Value::Null; 0], "{}", fixed.text());
    let mode = std::fs::metadata(home.database()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = tree::files(&store)["knowledge/odd.md"].clone();
    assert_eq!(text, b"---\ntitle: [\n---\nx\n", "no file of a person is touched");
}

#[test]
fn keys_that_others_can_read_are_said_and_closed() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = TestServer::start();
    server.put("/api/v1/credentials/key", &json!({"value": "test-key"}));
    let files = [server.home().master_key(), server.home().credentials_file()];
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for path in &files {
        assert_eq!(mode(path), 0o600);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    let rows = found(&server, "folder", "warning");
    let paths: Vec<_> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths, files.each_ref().map(|path| path.to_str().unwrap()), "{rows:?}");
    assert_eq!(server.trigger("/api/v1/doctor/fix").status, 200);
    assert!(files.iter().all(|path| mode(path) == 0o600));
    assert_eq!(found(&server, "folder", "warning"), [Value::Null; 0]);
}
