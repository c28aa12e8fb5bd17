//! Distilling behind a real server: what a person, a hook and the command come to, and what of a
//! transcript leaves.

mod kills;
mod leaks;
pub mod talks;

use std::time::{Duration, Instant};

use coffer_corpus::provider::{Answer, Provider};
use serde_json::{Value, json};

use super::scripted::{Chat, configure, late, provider, said};
use crate::support::{Reply, TestServer, project};
use talks::{Kind, Talk};

const DISTILL: &str = "/api/v1/agents/claude-code/transcripts/distill";
/// What a model may say: two insights.
pub const TWO: &str = r#"[{"name": "Walnut", "description": "The walnut is planted.", "body": "At the gate."},
    {"name": "Hazel", "description": "The hazel is not.", "body": ""}]"#;

/// A server with all agents whose sessions can be read, a provider, and a project `app`.
pub fn served(script: impl Fn(&Chat) -> Answer + Send + Sync + 'static) -> (TestServer, Provider) {
    let server = TestServer::start();
    let provider = provider(script);
    configure(&server, &provider);
    Kind::ALL.iter().for_each(|kind| kind.register(&server));
    project::repository(server.folder(), "app");
    (server, provider)
}

/// A session of Claude Code in `app`; what the agent says begins with `A`.
pub fn talk(server: &TestServer, id: &str, said: &[&str]) {
    Talk::new(Kind::ClaudeCode, id, &server.folder().join("app")).saying(said).write(server);
}

pub fn run(server: &TestServer, id: &str) -> Value {
    let done = server.post(&format!("{DISTILL}?wait=60"), &json!({"session_id": id}));
    assert_eq!(done.status, 200, "{}", done.text());
    done.json()
}

pub fn journal(server: &TestServer) -> String {
    let app = server.folder().join("app");
    let scope = server.get(&format!("/api/v1/scope?cwd={}", app.display())).json();
    let store = scope["store_name"].as_str().unwrap().to_owned();
    let days = server.get(&format!("/api/v1/memory_stores/{store}/journal")).json();
    let days = days["files"].as_array().unwrap().clone();
    days.iter().map(|day| day["text"].as_str().unwrap()).collect()
}

fn end(server: &TestServer, id: &str) -> Reply {
    let body = json!({"cwd": server.folder().join("app")});
    server.post(&format!("/api/v1/agents/claude-code/sessions/{id}/end"), &body)
}

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_session_is_distilled_into_its_projects_journal() {
    let (server, provider) = served(|_| said(TWO));
    talk(&server, "s", &["plant the walnut", "A planted"]);
    let done = run(&server, "s");
    assert_eq!((&done["status"], &done["written"]), (&json!("distilled"), &json!(2)));
    let walnut =
        json!({"name": "Walnut", "description": "The walnut is planted.", "body": "At the gate."});
    assert_eq!(done["insights"][0], walnut);
    let text = std::fs::read_to_string(done["journal_path"].as_str().unwrap()).unwrap();
    assert!(text.contains(" · Walnut\n<!-- agent: claude-code; session: s; sha256: "), "{text}");
    assert_eq!(text, journal(&server));
    let again = run(&server, "s");
    assert_eq!((&again["status"], &again["insights"]), (&json!("already_distilled"), &json!([])));
    assert_eq!(provider.asked().len(), 1);
    // It has no event of its own: only what was appended is in the trail.
    let audit = server.get("/api/v1/audit?limit=50").text();
    assert!(audit.contains("journal_append") && !audit.contains("distill"), "{audit}");
    let jobs = server.get("/api/v1/jobs").json();
    assert_eq!(
        (&jobs["jobs"][0]["kind"], &jobs["jobs"][0]["store"]),
        (&json!("distill"), &Value::Null)
    );
}

#[test]
fn trials_show_and_write_nothing() {
    let (server, provider) = served(|_| said(TWO));
    talk(&server, "s", &["plant the walnut", "A planted"]);
    let trial = |mode: &str| server.post(DISTILL, &json!({"session_id": "s", "mode": mode})).json();
    let dry = trial("dry_run");
    assert_eq!(
        (&dry["status"], &dry["written"], &dry["insights"]),
        (&json!("dry_run"), &json!(0), &json!([]))
    );
    assert!(dry["would_send"].as_str().unwrap().contains("> plant the walnut\n"));
    assert!(dry["tokens"].as_u64().unwrap() > 100 && provider.asked().is_empty());
    assert_eq!(server.get("/api/v1/jobs").json()["jobs"], json!([]));
    let preview = trial("preview");
    assert_eq!((&preview["status"], &preview["written"]), (&json!("preview"), &json!(0)));
    assert_eq!(preview["insights"].as_array().unwrap().len(), 2);
    assert!(journal(&server).is_empty() && provider.asked().len() == 1);
    assert_eq!(run(&server, "s")["written"], 2);
}

#[test]
fn what_is_asked_for_wrongly_is_said() {
    let (server, _provider) = served(|_| said("[]"));
    let refused = |body: Value| {
        let refused = server.post(DISTILL, &body);
        (refused.refusal().1, refused.fields())
    };
    let invalid = |field: &str| ("CONFIG_INVALID".to_owned(), vec![field.to_owned()]);
    assert_eq!(refused(json!({})), invalid("session_id"));
    assert_eq!(refused(json!({"session_id": "s", "project_path": "/x"})), invalid("session_id"));
    assert_eq!(refused(json!({"project_path": "x"})), invalid("project_path"));
    assert_eq!(refused(json!({"session_id": "s", "mode": "maybe"})), invalid("mode"));
    assert_eq!(refused(json!({"session_id": "s"})).0, "TRANSCRIPT_SESSION_NOT_FOUND");
    assert_eq!(refused(json!({"project_path": "/x"})).0, "TRANSCRIPT_SESSION_NOT_FOUND");
    let of = |agent: &str| {
        let path = DISTILL.replace("claude-code", agent);
        server.post(&path, &json!({"session_id": "s"})).refusal()
    };
    assert_eq!(of("nobody"), (404, "AGENT_NOT_FOUND".to_owned()));
    std::fs::create_dir(server.folder().join(".gemini")).unwrap();
    assert_eq!(server.post("/api/v1/agents", &json!({"type": "gemini"})).status, 201);
    assert_eq!(of("gemini"), (400, "UNSUPPORTED_AGENT_TYPE".to_owned()));
    talk(&server, "s", &["plant the walnut"]);
    server.put("/api/v1/settings/engine", &Value::Null);
    assert_eq!(run(&server, "s")["status"], "no_model");
}

#[test]
fn the_latest_of_a_project_is_distilled_in_every_agents_way() {
    for kind in Kind::ALL {
        let (server, provider) = served(|_| said(TWO));
        let app = server.folder().join("app");
        Talk::new(kind, "old", &app)
            .at("2026-11-28T10:00")
            .saying(&["an old walnut"])
            .write(&server);
        Talk::new(kind, "new", &app).saying(&["plant the walnut", "A planted"]).write(&server);
        let path = DISTILL.replace("claude-code", kind.agent());
        let done = server.post(&format!("{path}?wait=60"), &json!({"project_path": app})).json();
        assert_eq!((&done["status"], &done["written"]), (&json!("distilled"), &json!(2)), "{done}");
        let sent = provider.asked()[0].body.clone();
        assert!(sent.contains("plant the walnut") && sent.contains("A planted"), "{sent}");
        assert!(!sent.contains("an old walnut") && journal(&server).contains(kind.agent()));
    }
}

#[test]
fn an_end_that_is_told_is_read_later_and_once() {
    let (server, provider) = served(|_| said(TWO));
    let wanted = json!({"distill": {"on_session_end": true}});
    assert_eq!(server.put("/api/v1/settings", &wanted).status, 200);
    talk(&server, "s", &["plant the walnut", "A planted"]);
    assert_eq!((end(&server, "s").status, end(&server, "s").status), (202, 202));
    eventually("distilled", || journal(&server).contains("Walnut"));
    eventually("out of the queue", || end(&server, "s").status == 200);
    assert_eq!(end(&server, "s").json(), json!({"status": "already_distilled"}));
    assert_eq!(run(&server, "s")["status"], "already_distilled");
    assert_eq!(provider.asked().len(), 1);
    // It goes on, and ends anew.
    talk(&server, "s", &["plant the walnut", "A planted", "and a plum", "A yes"]);
    assert_eq!(end(&server, "s").status, 202);
    eventually("read on", || provider.asked().len() == 2);
    let sent = provider.asked()[1].body.clone();
    assert!(sent.contains("and a plum") && !sent.contains("plant the walnut"), "{sent}");
}

#[test]
fn whoever_asks_at_the_same_time_it_is_read_once() {
    let (server, provider) = served(|_| late(said(TWO), Duration::from_millis(500)));
    server.put("/api/v1/settings", &json!({"distill": {"on_session_end": true}}));
    talk(&server, "s", &["plant the walnut", "A planted"]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(end(&server, "s").status / 100, 2));
            scope.spawn(|| run(&server, "s"));
            scope.spawn(|| {
                let ran = server.command("coffer").args(["transcript", "distill", "s"]).output();
                assert!(ran.unwrap().status.success());
            });
        }
    });
    eventually("the queue is empty", || end(&server, "s").status == 200);
    assert_eq!(provider.asked().len(), 1);
    assert_eq!(journal(&server).matches("· Walnut\n").count(), 1);
}

#[test]
fn what_waits_outlives_the_server_and_a_provider_that_is_away() {
    let (mut server, provider) = served(|chat| match chat.number {
        0 => Answer::json(503, "{}"),
        _ => said(TWO),
    });
    server.put("/api/v1/settings", &json!({"distill": {"on_session_end": true}}));
    talk(&server, "s", &["plant the walnut"]);
    assert_eq!(end(&server, "s").status, 202);
    server.kill();
    server.start_again();
    eventually("asked in vain", || !provider.asked().is_empty());
    // A start tries again at once.
    server.signal("TERM");
    server.ended();
    server.start_again();
    eventually("distilled", || journal(&server).contains("Walnut"));
    assert_eq!(journal(&server).matches("· Walnut\n").count(), 1);
}

#[test]
fn a_server_that_waits_for_a_model_stops_at_once() {
    let (mut server, provider) = served(|_| late(said(TWO), Duration::from_secs(15)));
    talk(&server, "s", &["plant the walnut"]);
    let started = server.post(&format!("{DISTILL}?wait=0"), &json!({"session_id": "s"}));
    assert_eq!(started.status, 202, "{}", started.text());
    eventually("asked", || !provider.asked().is_empty());
    let began = Instant::now();
    server.signal("TERM");
    server.ended();
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn the_command_distills_shows_and_finds_the_agent() {
    let (server, _provider) = served(|_| said(TWO));
    let app = server.folder().join("app");
    Talk::new(Kind::Codex, "s", &app).saying(&["plant the walnut", "A planted"]).write(&server);
    let ran = |words: &[&str]| {
        let ran = server.command("coffer").args(["transcript", "distill"]).args(words).output();
        let ran = ran.unwrap();
        (
            ran.status.code().unwrap(),
            String::from_utf8(ran.stdout).unwrap(),
            String::from_utf8(ran.stderr).unwrap(),
        )
    };
    let (code, dry, _) = ran(&["s", "--dry-run"]);
    assert!(
        code == 0 && dry.contains("> plant the walnut") && dry.contains("Nothing was sent."),
        "{dry}"
    );
    let (code, preview, _) = ran(&["--project", app.to_str().unwrap(), "--preview"]);
    assert!(
        code == 0 && preview.contains("Walnut") && preview.contains("Nothing was written."),
        "{preview}"
    );
    let (code, done, _) = ran(&["s", "--agent", "codex", "--json"]);
    let done: Value = serde_json::from_str(&done).unwrap();
    assert_eq!((code, &done["written"]), (0, &json!(2)));
    let (code, again, _) = ran(&["s"]);
    assert!(code == 0 && again.contains("distilled already"), "{again}");
    assert!(again.contains("Session s of codex."), "{again}");
    let jobs = server.get("/api/v1/jobs").json();
    let id = jobs["jobs"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    let shown = server.command("coffer").args(["jobs", "get", &id]).output().unwrap().stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("session  s\n") && shown.contains("result   preview\n"), "{shown}");
    assert!(!shown.contains("all"), "{shown}");
    let (code, _, said) = ran(&["none"]);
    assert!(code == 4 && said.contains("no registered agent has such a session"), "{said}");
    assert_eq!((ran(&[]).0, ran(&["s", "--project", "."]).0), (2, 2));
    assert_eq!(ran(&["s", "--agent", "nobody"]).0, 4);
}
