//! Sessions of agents: listed and shown, and nothing of an agent's folder touched.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::run::Person;
use crate::support::Request;
use crate::support::http::Place;

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/transcripts")
}

/// A person with registered agents, which are not connected.
fn person(kinds: &[&str]) -> Person {
    let person = Person::new();
    person.run(&["agent", "list"]).fine();
    for kind in kinds {
        register(&person, kind, person.folder().join(format!(".{kind}")).to_str().unwrap());
    }
    person
}

fn register(person: &Person, kind: &str, folder: &str) {
    let body = json!({"type": kind, "config_dir": folder});
    let made = Request::new("POST", "/api/v1/agents").header("host", "localhost").json(&body);
    let made = made.send(&Place::Socket(person.home().socket()));
    assert_eq!(made.status, 201, "{}", made.text());
}

/// A session of Claude Code in one of its folders.
fn session(person: &Person, folder: &str, id: &str, lines: &[&str]) {
    let folder = person.folder().join(folder).join("projects/-code-app");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{id}.jsonl")), lines.join("\n") + "\n").unwrap();
}

const SAID: &str = r#"{"type":"user","uuid":"1","cwd":"/code/app","timestamp":"2026-11-29T10:00:00Z","message":{"content":"Fix the walnut parser"}}"#;
const DONE: &str = r#"{"type":"assistant","uuid":"2","timestamp":"2026-11-29T10:01:00Z","message":{"content":[{"type":"text","text":"Done."}]}}"#;

#[test]
fn sessions_are_listed_and_shown() {
    let person = person(&["claude_code"]);
    session(&person, ".claude_code", "first", &[SAID, DONE]);
    session(&person, ".claude_code", "odd", &[r#"{"type":"hologram"}"#]);
    let all = person.run(&["transcript", "list", "claude-code", "--json"]).json();
    assert_eq!((all["total"].as_u64(), all["limit"].as_u64()), (Some(2), Some(50)));
    let listed = person.run(&["transcript", "list", "claude-code"]).fine();
    assert!(
        listed.contains("Fix the walnut parser") && listed.contains("(format unknown)"),
        "{listed}"
    );
    let found = ["transcript", "list", "claude-code", "-q", "WALNUT", "--json"];
    let found = person.run(&found).json();
    let session = &found["sessions"][0];
    assert_eq!(found["total"], 1);
    assert_eq!(session["session_id"], "first");
    assert_eq!(session["project_path"], "/code/app");
    assert_eq!(session["message_count"], 2);
    assert_eq!(session["started_at"], "2026-11-29T10:00:00+00:00");
    assert_eq!(session["last_activity_at"], "2026-11-29T10:01:00+00:00");
    assert_eq!((session["state"].as_str(), session["git_branch"].as_str()), (Some("read"), None));

    let shown = person.run(&["transcript", "show", "claude-code", "first"]).fine();
    assert!(shown.contains("Fix the walnut parser") && shown.contains("Done."), "{shown}");
    let one = ["transcript", "show", "claude-code", "first", "--limit", "1", "--json"];
    let one = person.run(&one).json();
    assert_eq!(one["turns"].as_array().unwrap().len(), 1);
    let next = one["next"].as_str().unwrap();
    let rest = ["transcript", "show", "claude-code", "first", "--after", next, "--json"];
    let rest = person.run(&rest).json();
    assert_eq!((rest["turns"][0]["text"].as_str(), rest["next"].as_str()), (Some("Done."), None));
    assert_eq!(rest["turns"][0]["role"], "assistant");
}

#[test]
fn what_is_not_there_is_said() {
    let person = person(&["codex", "gemini"]);
    let list = |agent: &str| person.run(&["transcript", "list", agent]);
    assert_eq!(list("codex").fine(), "No session was found.\n");
    let unknown = list("claude-code").failed(4);
    assert!(unknown.contains("no agent `claude-code`") && unknown.contains("agent connect"));
    assert!(list("gemini").failed(2).contains("cannot be done for `gemini`"));
    let none = person.run(&["transcript", "show", "codex", "none"]).failed(4);
    assert!(none.contains("`none`"), "{none}");
    let late = ["transcript", "list", "codex", "--started-after", "soon"];
    assert!(person.run(&late).failed(2).contains("started_after"));
    let after = ["transcript", "show", "codex", "none", "--after", "x"];
    assert!(person.run(&after).failed(2).contains("after"));
}

#[test]
fn each_of_two_agents_of_a_type_has_its_own_sessions() {
    let person = person(&["claude_code"]);
    register(&person, "claude_code", person.folder().join("work").to_str().unwrap());
    session(&person, ".claude_code", "mine", &[SAID, DONE]);
    session(&person, "work", "theirs", &[SAID]);
    let ids = |agent: &str| {
        let found = person.run(&["transcript", "list", agent, "--json"]).json();
        let sessions = found["sessions"].as_array().unwrap().clone();
        sessions.into_iter().map(|it| it["session_id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (ids("claude-code"), ids("claude-code-2")),
        (vec![json!("mine")], vec![json!("theirs")])
    );
    person.run(&["transcript", "show", "claude-code-2", "theirs"]).fine();
    person.run(&["transcript", "show", "claude-code-2", "mine"]).failed(4);
    person.run(&["transcript", "show", "claude-code", "theirs"]).failed(4);
    person.run(&["agent", "disconnect", "claude-code"]).fine();
    assert_eq!(ids("claude-code-2"), [json!("theirs")]);
    person.run(&["transcript", "list", "claude-code"]).failed(4);
}

/// The store of a real version, read while nobody else has it open.
#[test]
fn a_database_of_another_program_is_read_in_place() {
    let person = person(&["opencode"]);
    let folder = person.folder().join(".local/share/opencode");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(fixtures().join("opencode-1.15.0/opencode.db"), folder.join("opencode.db")).unwrap();
    let found = person.run(&["transcript", "list", "opencode", "--json"]).json();
    assert_eq!(found["sessions"][0]["title"], "Mock Generated Title");
    assert_eq!(found["sessions"][0]["message_count"], 5);
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["opencode.db"]);
}
