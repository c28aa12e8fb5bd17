//! Sessions of agents: listed and shown, and nothing of an agent's folder touched.

use std::fs;
use std::path::Path;

use super::run::Person;

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/transcripts")
}

/// A session of Claude Code in the person's home.
fn session(person: &Person, id: &str, lines: &[&str]) {
    let folder = person.folder().join(".claude/projects/-code-app");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{id}.jsonl")), lines.join("\n") + "\n").unwrap();
}

const SAID: &str = r#"{"type":"user","uuid":"1","cwd":"/code/app","timestamp":"2026-11-29T10:00:00Z","message":{"content":"Fix the walnut parser"}}"#;
const DONE: &str = r#"{"type":"assistant","uuid":"2","timestamp":"2026-11-29T10:01:00Z","message":{"content":[{"type":"text","text":"Done."}]}}"#;

#[test]
fn sessions_are_listed_and_shown() {
    let person = Person::new();
    session(&person, "first", &[SAID, DONE]);
    session(&person, "odd", &[r#"{"type":"hologram"}"#]);
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
    let person = Person::new();
    let list = |agent: &str| person.run(&["transcript", "list", agent]);
    assert_eq!(list("codex").fine(), "No session was found.\n");
    assert!(list("emacs").failed(4).contains("no agent `emacs`"));
    assert!(list("cursor").failed(2).contains("reading its conversations"));
    let none = person.run(&["transcript", "show", "codex", "none"]).failed(4);
    assert!(none.contains("`none`"), "{none}");
    let late = ["transcript", "list", "codex", "--started-after", "soon"];
    assert!(person.run(&late).failed(2).contains("started_after"));
    let after = ["transcript", "show", "codex", "none", "--after", "x"];
    assert!(person.run(&after).failed(2).contains("after"));
}

/// The store of a real version, read while nobody else has it open.
#[test]
fn a_database_of_another_program_is_read_in_place() {
    let person = Person::new();
    let folder = person.folder().join(".local/share/opencode");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(fixtures().join("opencode-1.15.0/opencode.db"), folder.join("opencode.db")).unwrap();
    let found = person.run(&["transcript", "list", "opencode", "--json"]).json();
    assert_eq!(found["sessions"][0]["title"], "Mock Generated Title");
    assert_eq!(found["sessions"][0]["message_count"], 5);
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["opencode.db"]);
}
