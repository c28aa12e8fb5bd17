//! Coding agents: registered, connected, refused. Their folders are below the server's own home.

use std::fs;

use serde_json::json;

use crate::support::TestServer;

const AGENTS: &str = "/api/v1/agents";

fn server() -> TestServer {
    let server = TestServer::start();
    for folder in [".claude", ".codex", ".cursor"] {
        fs::create_dir(server.folder().join(folder)).unwrap();
    }
    server
}

#[test]
fn agents_are_found_registered_and_forgotten() {
    let server = server();
    let found = server.get(&format!("{AGENTS}/candidates")).json();
    let names: Vec<_> =
        found["candidates"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    for name in ["claude-code", "codex", "cursor"] {
        assert!(names.contains(&&json!(name)), "{found}");
    }
    let folder = server.folder().join(".codex");
    let made = server.post(AGENTS, &json!({"type": "codex"}));
    assert_eq!(made.status, 201, "{}", made.text());
    let expected = json!({
        "name": "codex", "type": "codex", "config_dir": folder, "detected": true,
        "mcp_installed": false, "hook_installed": false, "disable_native_memory": false, "drift": [],
        "capabilities": {"mcp": true, "hook": true, "session_end": true, "transcripts": true,
            "native_memory": true},
    });
    assert_eq!(made.json(), expected);
    assert_eq!(server.get(&format!("{AGENTS}/codex")).json(), expected);
    assert_eq!(server.get(AGENTS).json(), json!({"agents": [expected]}));
    let again = server.post(AGENTS, &json!({"type": "codex"}));
    assert_eq!(again.refusal(), (409, "ALREADY_EXISTS".to_owned()));
    assert_eq!(server.delete(&format!("{AGENTS}/codex")).status, 200);
    let gone = server.get(&format!("{AGENTS}/codex"));
    assert_eq!(gone.refusal(), (404, "AGENT_NOT_FOUND".to_owned()));
}

#[test]
fn a_server_is_installed_shown_first_and_taken_out_again() {
    let server = server();
    let config = server.folder().join(".codex/config.toml");
    let before = "model = \"x\" # mine\r\n";
    fs::write(&config, before).unwrap();
    server.post(AGENTS, &json!({"type": "codex"}));
    let install = format!("{AGENTS}/codex/mcp-install");
    let state = |state: &str, drift: bool| json!({"installed": state == "installed", "files": [{"path": config, "state": state}], "drift": drift});
    assert_eq!(server.get(&install).json(), state("absent", false));
    let trial = server.post(&install, &json!({"dry_run": true})).json();
    let diff = trial["diff"].as_str().unwrap();
    assert!(diff.contains("+[mcp_servers.coffer]") && trial["installed"] == false, "{trial}");
    assert_eq!(fs::read_to_string(&config).unwrap(), before);
    let done = server.trigger(&install).json();
    assert_eq!((&done["diff"], &done["installed"]), (&json!(diff), &json!(true)));
    assert_eq!(server.get(&install).json(), state("installed", false));
    let audit = server.get("/api/v1/audit?event=agent_mcp_installed").json();
    assert_eq!(audit["events"][0]["ids"], json!(["codex", config]));
    let written = fs::read_to_string(&config).unwrap();
    fs::write(&config, written.replace("--agent", "--agnet")).unwrap();
    assert_eq!(server.get(&install).json(), state("changed", true));
    fs::write(&config, written).unwrap();
    assert_eq!(server.delete(&install).json()["installed"], false);
    assert_eq!(fs::read_to_string(&config).unwrap(), before);
    assert_eq!(fs::read_dir(server.home().installs()).unwrap().count(), 0);
}

#[test]
fn an_agents_own_memory_is_switched_off_and_back() {
    let server = server();
    let settings = server.folder().join(".claude/settings.json");
    fs::write(&settings, "{\n  \"theme\": \"dark\"\n}\n").unwrap();
    server.post(AGENTS, &json!({"type": "claude_code", "name": "work"}));
    let patch = |body: serde_json::Value| server.patch(&format!("{AGENTS}/work"), &body);
    let trial = patch(json!({"disable_native_memory": true, "dry_run": true})).json();
    assert!(trial["diff"].as_str().unwrap().contains("+  \"autoMemoryEnabled\": false"), "{trial}");
    assert_eq!(trial["disable_native_memory"], false);
    assert_eq!(patch(json!({"disable_native_memory": true})).json()["disable_native_memory"], true);
    assert!(fs::read_to_string(&settings).unwrap().contains("autoMemoryEnabled"));
    assert_eq!(
        patch(json!({"disable_native_memory": false})).json()["disable_native_memory"],
        false
    );
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{\n  \"theme\": \"dark\"\n}\n");
    server.post(AGENTS, &json!({"type": "cursor"}));
    let refused =
        server.patch(&format!("{AGENTS}/cursor"), &json!({"disable_native_memory": true}));
    assert_eq!(refused.refusal(), (400, "UNSUPPORTED_AGENT_TYPE".to_owned()));
}

#[test]
fn a_file_that_is_not_understood_is_left_alone_with_what_to_paste() {
    let server = server();
    let config = server.folder().join(".cursor/mcp.json");
    fs::write(&config, "{ // mine\n}").unwrap();
    server.post(AGENTS, &json!({"type": "cursor"}));
    let refused = server.trigger(&format!("{AGENTS}/cursor/mcp-install"));
    assert_eq!(refused.refusal(), (409, "AGENT_CONFIG_UNSAFE".to_owned()));
    let details = &refused.json()["error"]["details"];
    assert_eq!(details["path"], json!(config));
    let snippet: serde_json::Value =
        serde_json::from_str(details["snippet"].as_str().unwrap()).unwrap();
    let arguments = json!(["--agent", "cursor", "--home", server.home().root()]);
    assert_eq!(snippet["mcpServers"]["coffer"]["args"], arguments);
    assert_eq!(fs::read_to_string(&config).unwrap(), "{ // mine\n}");
    assert!(!server.folder().join(".cursor/mcp.json.coffer.bak").exists());
    assert_eq!(
        server.get(&format!("{AGENTS}/cursor/mcp-install")).json()["files"][0]["state"],
        "unreadable"
    );
}

#[test]
fn what_is_refused_names_its_field() {
    let server = server();
    for (body, field) in [
        (json!({}), "type"),
        (json!({"type": "robot"}), "type"),
        (json!({"type": "codex", "name": "../x"}), "name"),
        (json!({"type": "codex", "name": "Ü"}), "name"),
        (json!({"type": "codex", "config_dir": "here"}), "config_dir"),
        (json!({"type": "codex", "more": 1}), "more"),
    ] {
        let refused = server.post(AGENTS, &body);
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}");
        assert_eq!(refused.fields(), [field], "{body}");
    }
    for path in ["", "/mcp-install", "/hook-install"] {
        let missing = server.get(&format!("{AGENTS}/..%2Fx{path}"));
        assert_eq!(missing.refusal(), (404, "AGENT_NOT_FOUND".to_owned()), "{path}");
    }
}
