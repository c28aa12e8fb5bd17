//! Status, settings, history, files, and the server's start and end.

use coffer_api::settings::SettingsOut;
use coffer_api::status::StatusOut;
use serde_json::{Value, json};

use super::{FACTS, fact, remember};
use crate::support::{Request, TestServer};

#[test]
fn health_is_open_and_status_counts() {
    let server = TestServer::start();
    remember(&server, "one");
    let open =
        Request::new("GET", "/health").header("host", &format!("127.0.0.1:{}", server.info.port));
    let health = open.send(&server.port()).json();
    assert_eq!((&health["status"], &health["name"]), (&json!("ok"), &json!("coffer")));
    assert_eq!(health["version"], server.info.version);
    let status: StatusOut = server.get("/api/v1/status").read_as();
    assert_eq!((status.pid, status.port), (server.info.pid, server.info.port));
    assert_eq!((status.facts, status.knowledge_bases), (1, 0));
    assert_eq!(status.home, server.home().root().to_str().unwrap());
    assert_eq!(status.degraded, [""; 0]);
}

#[test]
fn the_description_names_what_is_served() {
    let server = TestServer::start();
    let described = server.get("/openapi.json").json();
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().unwrap();
    for path in ["/health", "/api/v1/memory_stores/{name}/facts/{id}", "/api/v1/events"] {
        assert!(paths.contains_key(path), "{path}");
    }
    let listing = &paths["/api/v1/memory_stores/{name}/facts"]["get"];
    let places: Vec<(&str, &str)> = listing["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["in"].as_str().unwrap()))
        .collect();
    assert_eq!(places, [("name", "path"), ("limit", "query"), ("offset", "query"), ("q", "query")]);
    let codes = described["components"]["schemas"]["ErrorCode"]["enum"].as_array().unwrap();
    assert!(codes.contains(&json!("MEMORY_NOT_FOUND")), "{codes:?}");
    for reference in references(&described) {
        let name = reference.strip_prefix("#/components/schemas/").unwrap();
        assert!(!described["components"]["schemas"][name].is_null(), "{reference}");
    }
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(map) => {
            let own = map.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(map.values().flat_map(references)).collect()
        }
        Value::Array(list) => list.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn what_is_not_there_has_the_envelope() {
    let server = TestServer::start();
    let nothing = server.get("/api/v1/nothing");
    assert_eq!(nothing.refusal(), (404, "ROUTE_NOT_FOUND".to_owned()));
    let method = server.request("DELETE", "/api/v1/status").send(&server.port());
    assert_eq!(method.refusal(), (405, "METHOD_NOT_ALLOWED".to_owned()));
    let page = server.get("/stores/global");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'self'"));
    assert_eq!(server.get("/nothing.js").refusal(), (404, "ROUTE_NOT_FOUND".to_owned()));
}

#[test]
fn settings_change_field_by_field() {
    let server = TestServer::start();
    let before: SettingsOut = server.get("/api/v1/settings").read_as();
    assert!(before.serve_agents && before.preferred_editor.is_none());
    let patch = json!({"preferred_editor": "vim", "auto_organize": {"idle_seconds": 60}});
    let changed: SettingsOut = server.put("/api/v1/settings", &patch).read_as();
    assert_eq!(changed.preferred_editor.as_deref(), Some("vim"));
    assert_eq!(changed.auto_organize.idle_seconds, 60);
    assert_eq!(changed.auto_organize.enabled, before.auto_organize.enabled);
    let again: SettingsOut = server.get("/api/v1/settings").read_as();
    assert_eq!(again, changed);
    let file = std::fs::read_to_string(server.home().config_file()).unwrap();
    assert!(file.contains("vim"), "{file}");
    for (body, field) in [
        (json!({"auto_organize": {"idle_seconds": 4}}), "auto_organize.idle_seconds"),
        (json!({"preferred_editor": "x".repeat(1025)}), "preferred_editor"),
        (json!({"serve_agents": "yes"}), "serve_agents"),
        (json!({"telemetry": true}), "telemetry"),
    ] {
        let refused = server.put("/api/v1/settings", &body);
        assert_eq!((refused.status, refused.fields()), (422, vec![field.to_owned()]), "{body}");
    }
}

#[test]
fn changes_leave_a_trail_without_content() {
    let server = TestServer::start();
    let added = remember(&server, "walnut is secret");
    server.delete(&fact(&added));
    let trail = server.get("/api/v1/audit").json();
    let events: Vec<&str> = trail["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["event"].as_str().unwrap())
        .collect();
    assert_eq!(events[..2], ["memory_deleted", "memory_added"]);
    assert_eq!(trail["events"][0]["actor"], "user");
    assert_eq!(trail["events"][0]["ids"], json!([added["id"]]));
    assert!(!trail.to_string().contains("walnut"));

    let first = server.get("/api/v1/audit?limit=1").json();
    assert_eq!(first["events"], json!([trail["events"][0]]));
    let older =
        server.get(&format!("/api/v1/audit?limit=1&before={}", first["events"][0]["seq"])).json();
    assert_eq!(older["events"], json!([trail["events"][1]]));
    let added_only = server.get("/api/v1/audit?event=memory_added&store=global&agent=user").json();
    assert_eq!(added_only["events"].as_array().unwrap().len(), 1);
    assert_eq!(server.get("/api/v1/audit?store=other").json()["events"], json!([]));
    for limit in [0, 501] {
        assert_eq!(server.get(&format!("/api/v1/audit?limit={limit}")).fields(), ["limit"]);
    }
}

#[test]
fn only_coffers_files_are_opened() {
    let server = TestServer::start();
    remember(&server, "one");
    let run = server.home().server_file();
    for path in ["/etc/passwd", "relative", "", run.to_str().unwrap()] {
        for route in ["/api/v1/files/open", "/api/v1/files/reveal"] {
            let refused = server.post(route, &json!({"path": path}));
            assert_eq!(refused.refusal(), (403, "PATH_NOT_ALLOWED".to_owned()), "{route} {path}");
        }
    }
}

#[test]
fn a_stopped_server_leaves_nothing_behind_but_the_memory() {
    for stop in ["TERM", "INT", "HUP", "route"] {
        let mut server = TestServer::start();
        let added = remember(&server, "kept");
        match stop {
            "route" => assert_eq!(server.trigger("/api/v1/shutdown").status, 204),
            signal => server.signal(signal),
        }
        assert!(server.ended().success(), "{stop}");
        assert!(
            !server.home().server_file().exists() && !server.home().socket().exists(),
            "{stop}"
        );
        server.start_again();
        assert_eq!(server.get(&fact(&added)).json()["text"], "kept");
    }
}

#[test]
fn a_killed_server_does_not_stand_in_the_way() {
    let mut server = TestServer::start();
    let added = remember(&server, "kept");
    let old = server.info.clone();
    server.kill();
    assert!(server.home().server_file().exists());
    server.start_again();
    assert_ne!((&server.info.token, &server.info.instance), (&old.token, &old.instance));
    assert_eq!(server.get(&fact(&added)).json()["text"], "kept");
    assert_eq!(server.get(FACTS).json()["total"], 1);
}

#[test]
fn a_home_has_one_owner() {
    let server = TestServer::start();
    let second = server.command("coffer").arg("serve").output().unwrap();
    assert!(!second.status.success());
    assert_eq!(server.get("/health").status, 200);
    let info = coffer_env::ServerFile::read(&server.home().server_file()).unwrap();
    assert_eq!(info.instance, server.info.instance);
}

#[test]
fn a_new_token_and_calls_can_be_found_in_the_history() {
    let server = TestServer::start();
    let rotate = Request::new("POST", "/api/v1/auth/rotate").json(&json!({}));
    assert_eq!(rotate.send(&server.socket()).status, 200);
    let get = |path: &str| Request::new("GET", path).send(&server.socket());
    let trail = get("/api/v1/audit?event=token_rotated&agent=user").json();
    assert_eq!(trail["events"].as_array().unwrap().len(), 1, "{trail}");
    assert_eq!(trail["events"][0]["store"], Value::Null);
    let calls = get("/api/v1/mcp/invocations?event=coffer__recall&agent=codex");
    assert_eq!(calls.json()["invocations"], json!([]));
    assert_eq!(get("/api/v1/mcp/invocations?store=global").fields(), ["store"]);
}
