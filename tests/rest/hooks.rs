//! What hooks of agents are answered, and the preview of it.

use coffer_env::Home;
use serde_json::{Value, json};

use crate::support::ended::ended_sessions;
use crate::support::{TestServer, project};

fn context(server: &TestServer, cwd: &str) -> String {
    let told = server.get(&format!("/api/v1/agents/codex/session-context?cwd={cwd}"));
    assert_eq!(told.status, 200, "{}", told.text());
    let told = told.json();
    assert_eq!(told["type"], "codex");
    told["additional_context"].as_str().unwrap().to_owned()
}

fn served(prepare: impl FnOnce(&Home)) -> TestServer {
    let server = TestServer::start_with(prepare);
    std::fs::create_dir(server.folder().join(".codex")).unwrap();
    assert_eq!(server.post("/api/v1/agents", &json!({"type": "codex"})).status, 201);
    server
}

fn add(server: &TestServer, store: &str, text: &str) {
    let added =
        server.post(&format!("/api/v1/memory_stores/{store}/rules"), &json!({"text": text}));
    assert_eq!(added.status, 201, "{}", added.text());
}

fn store_of(server: &TestServer, cwd: &str) -> String {
    let scope = server.get(&format!("/api/v1/scope?cwd={cwd}")).json();
    scope["store_name"].as_str().unwrap().to_owned()
}

#[test]
fn the_projects_rules_come_before_those_for_all() {
    let server = served(|_| {});
    let app = project::repository(server.folder(), "app");
    let app = app.to_str().unwrap();
    let store = store_of(&server, app);
    add(&server, "global", "Answer briefly.");
    add(&server, &store, "Use tabs.\n\nAlways.");
    let text = context(&server, app);
    let tabs = text.find("## Rules kept for the project `app`\n- Use tabs.\n\n  Always.\n");
    let briefly = text.find("\n## Rules kept for all projects\n- Answer briefly.\n");
    assert!(tabs.unwrap() < briefly.unwrap(), "{text}");
    assert!(briefly.unwrap() < text.find("coffer__resume").unwrap());
    let outside = context(&server, server.folder().to_str().unwrap());
    assert!(outside.contains("Answer briefly.") && !outside.contains("tabs"), "{outside}");
    // A label names it; what stands on disk now is told, without where it comes from.
    server.patch(&format!("/api/v1/memory_stores/{store}/label"), &json!({"label": "The `App`"}));
    let rules = server.get(&format!("/api/v1/memory_stores/{store}/rules")).json();
    let folder = rules["files"][0]["folder_path"].as_str().unwrap();
    let file = std::path::Path::new(folder).join("style/more.md");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "# Style\r\n- No emoji. <!-- coffer: from codex, 01J -->\r\n").unwrap();
    let text = context(&server, app);
    assert!(text.contains("for the project `The 'App'`\n"), "{text}");
    assert!(text.contains("\n# Style\n- No emoji.\n"), "{text}");
}

#[test]
fn inboxes_handoffs_and_disabled_stores_are_not_told() {
    let server = served(|_| {});
    let app = project::repository(server.folder(), "app");
    let app = app.to_str().unwrap();
    let store = store_of(&server, app);
    add(&server, &store, "Rule of the project.");
    add(&server, "global", "Rule for all.");
    server.post(&format!("/api/v1/memory_stores/{store}/facts"), &json!({"text": "A raw fact."}));
    server.post("/api/v1/handoff", &json!({"cwd": app, "body": "Half done."}));
    let text = context(&server, app);
    assert!(!text.contains("raw fact") && !text.contains("Half done"), "{text}");
    server.trigger(&format!("/api/v1/resources/memory/{store}/disable"));
    let text = context(&server, app);
    assert!(!text.contains("Rule of the project") && text.contains("Rule for all."), "{text}");
    server.trigger("/api/v1/resources/memory/global/disable");
    let text = context(&server, app);
    assert!(!text.contains("Rule") && text.contains("coffer__remember"), "{text}");
}

#[test]
fn what_cannot_be_answered_is_said() {
    let server = served(|_| {});
    let of = |path: &str| server.get(&format!("/api/v1/agents/{path}")).refusal();
    assert_eq!(of("nobody/session-context?cwd=/"), (404, "AGENT_NOT_FOUND".to_owned()));
    assert_eq!(of("codex/session-context?cwd=x"), (422, "CONFIG_INVALID".to_owned()));
    assert_eq!(of("codex/session-context"), (400, "BAD_REQUEST".to_owned()));
    // A directory that is not there is in no project.
    assert!(context(&server, "/nowhere/at/all").contains("coffer__resume"));
    server.put("/api/v1/settings", &json!({"serve_agents": false}));
    assert_eq!(of("codex/session-context?cwd=/"), (503, "PAUSED".to_owned()));
    let end = server.post("/api/v1/agents/codex/sessions/s/end", &json!({"cwd": "/"}));
    assert_eq!(end.refusal(), (503, "PAUSED".to_owned()));
}

#[test]
fn the_preview_is_what_is_told_with_its_size() {
    let server = served(|_| {});
    let app = project::repository(server.folder(), "app");
    let app = app.to_str().unwrap();
    let store = store_of(&server, app);
    for n in 0..40 {
        add(&server, &store, &format!("{n}: {}", "規則を守る。".repeat(20)));
    }
    let preview =
        |store: &str| server.get(&format!("/api/v1/memory_stores/{store}/injection")).json();
    let told = preview(&store);
    let text = context(&server, app);
    assert_eq!(told["additional_context"], json!(text));
    assert_eq!(told["bytes"], json!(text.len()));
    assert_eq!(told["utf16_units"], json!(text.encode_utf16().count()));
    assert_eq!((&told["max_bytes"], &told["max_utf16_units"]), (&json!(9000), &json!(9000)));
    let (rules, left_out) = (told["rules"].as_u64().unwrap(), told["left_out"].as_u64().unwrap());
    assert!(rules > 10 && left_out > 10 && rules + left_out == 40, "{told}");
    let rules = server.get(&format!("/api/v1/memory_stores/{store}/rules")).json();
    let folder = format!("below `{}`", rules["files"][0]["folder_path"].as_str().unwrap());
    assert!(text.contains(&format!("{left_out} more rules")) && text.contains(&folder), "{text}");
    assert_eq!(told["enabled"], true);
    assert!(preview("global")["additional_context"].as_str().unwrap().contains("coffer__resume"));
    let unknown = server.get("/api/v1/memory_stores/project-01K0000000000000000000000A/injection");
    assert_eq!(unknown.refusal(), (404, "MEMORY_STORE_NOT_FOUND".to_owned()));
}

#[test]
fn a_session_that_ended_waits_only_where_it_is_wanted() {
    let server = served(|_| {});
    let app = project::repository(server.folder(), "app");
    let end =
        |cwd: &str| server.post("/api/v1/agents/codex/sessions/one/end", &json!({"cwd": cwd}));
    let app = app.to_str().unwrap();
    let status = |reply: crate::support::Reply| (reply.status, reply.json());
    let not = |word: &str| (200, json!({"status": word}));
    assert_eq!(status(end(app)), not("no_model"));
    let engine = json!({"provider": "ollama", "model": "m", "base_url": "http://127.0.0.1:1/v1"});
    assert_eq!(server.put("/api/v1/settings/engine", &engine).status, 200);
    assert_eq!(status(end(app)), not("off"));
    server.put("/api/v1/settings", &json!({"distill": {"on_session_end": true}}));
    assert_eq!(status(end(server.folder().to_str().unwrap())), not("not_a_project"));
    assert_eq!(status(end(app)), (202, json!({"queued": true})));
    assert_eq!(status(end(app)), (202, json!({"queued": true})));
    assert_eq!(
        ended_sessions(&server.home()),
        [("codex".to_owned(), "one".to_owned(), app.to_owned())]
    );
    let refused = |path: &str, body: Value| {
        server.post(&format!("/api/v1/agents/{path}/end"), &body).refusal()
    };
    let here = || json!({"cwd": app});
    assert_eq!(refused("nobody/sessions/s", here()), (404, "AGENT_NOT_FOUND".to_owned()));
    let long = format!("codex/sessions/{}", "x".repeat(257));
    assert_eq!(refused(&long, here()), (422, "CONFIG_INVALID".to_owned()));
    assert_eq!(refused("codex/sessions/a%0Ab", here()), (422, "CONFIG_INVALID".to_owned()));
    assert_eq!(
        refused("codex/sessions/s", json!({"cwd": "x"})),
        (422, "CONFIG_INVALID".to_owned())
    );
    std::fs::create_dir(server.folder().join(".cursor")).unwrap();
    server.post("/api/v1/agents", &json!({"type": "cursor"}));
    assert_eq!(refused("cursor/sessions/s", here()), (400, "UNSUPPORTED_AGENT_TYPE".to_owned()));
}
