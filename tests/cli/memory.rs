//! `coffer memory`, `handoff`, `resume`, `scope`: facts from the first word to the last.

use std::os::unix::fs::PermissionsExt as _;

use super::run::{Person, finish};
use crate::support::project::repository;

#[test]
fn a_fact_lives_from_add_to_delete() {
    let person = Person::new();
    let app = repository(person.folder(), "app");
    let run = |words: &[&str]| person.run_in(&app, words, "");
    let added = run(&["memory", "add", "Deploy", "with `make walnut`.", "--json"]).json();
    let id = added["id"].as_str().unwrap();
    assert_eq!((&added["actor"], &added["scope"]), (&"user".into(), &"project".into()));

    let shown = run(&["memory", "get", id]).fine();
    assert!(shown.contains("Deploy with `make walnut`."), "{shown}");
    let store = added["store_name"].as_str().unwrap();
    assert_eq!(run(&["memory", "get", store, id]).fine(), shown);
    assert!(run(&["memory", "get", "global", id]).failed(4).starts_with("error: "));
    assert!(run(&["memory", "facts"]).fine().contains(id));
    assert_eq!(run(&["memory", "facts", "-q", "nothing like it", "--json"]).json()["total"], 0);
    assert!(run(&["memory", "recall", "how", "to", "deploy"]).fine().contains("make walnut"));

    let stale = run(&["memory", "edit", id, "--title", "x", "--if-sha256", &"0".repeat(64)]);
    assert!(stale.failed(3).contains("changed"));
    let hash = added["content_sha256"].as_str().unwrap();
    run(&["memory", "edit", id, "--title", "Deploying", "--if-sha256", hash]).fine();
    let edited = person.run_in(&app, &["memory", "edit", id, "--text", "-", "--json"], "new text");
    let edited = edited.json();
    assert_eq!((&edited["title"], &edited["text"]), (&"Deploying".into(), &"new text".into()));

    let error = run(&["memory", "delete", id]).failed(2);
    assert!(error.contains("Deploying") && error.contains("--yes"), "{error}");
    run(&["memory", "get", id]).fine();
    assert_eq!(run(&["memory", "delete", id, "--yes"]).fine(), "Deleted `Deploying`.\n");
    run(&["memory", "get", id]).failed(4);
}

/// A person is answered as an agent in the same folder would be.
#[test]
fn a_recall_that_names_no_store_asks_here_and_everywhere() {
    let person = Person::new();
    let app = repository(person.folder(), "app");
    let run = |words: &[&str]| person.run_in(&app, words, "");
    let here = run(&["memory", "add", "walnut is the build host", "--json"]).json();
    run(&["memory", "add", "--global", "walnut wood is hard"]).fine();
    let hits = |words: &[&str]| {
        let asked = [&["memory", "recall", "walnut", "--json"], words].concat();
        run(&asked).json()["hits"].as_array().unwrap().len()
    };
    let store = here["store_name"].as_str().unwrap();
    assert_eq!(hits(&[]), 2);
    assert_eq!(hits(&["--scope", "project"]), 1);
    assert_eq!(hits(&["--store", store]), 1);
}

#[test]
fn a_text_comes_from_an_editor_and_goes_back_whole() {
    let person = Person::new();
    let added = person.run(&["memory", "add", "--global", "one", "--json"]).json();
    let id = added["id"].as_str().unwrap();
    let edit = |script: &str| {
        let editor = person.folder().join("editor");
        std::fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = person.program("coffer");
        command.args(["memory", "edit", "global", id, "--editor", "--json"]);
        command.env("COFFER_EDITOR", editor);
        finish(command, "")
    };
    // An editor may put a new file in the old one's place.
    let edited = edit("printf 'two\\nlines' > \"$1.new\"; mv \"$1.new\" \"$1\"").json();
    assert_eq!(edited["text"], "two\nlines");
    assert!(edit("true").failed(1).contains("not changed"));
    assert!(edit("exit 3").failed(1).contains("editor"));
    let meanwhile = format!(
        "echo mine > \"$1\"; {} memory edit global {id} --text theirs",
        person.program("coffer").get_program().display()
    );
    let error = edit(&meanwhile).failed(3);
    let kept = person.run(&["memory", "get", "global", id, "--json"]).json();
    assert_eq!(kept["text"], "theirs");
    assert_eq!(left_over(&error).as_deref(), Some("mine\n"));
    assert_eq!(left_over(&edit("true").failed(1)), None);
}

/// What the person typed, by the path that the hint names; it is removed.
fn left_over(error: &str) -> Option<String> {
    let path = error.split_once("What you wrote is in `")?.1.split_once('`')?.0;
    let text = std::fs::read_to_string(path).unwrap();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o077;
    let folder = std::path::Path::new(path).parent().unwrap();
    assert_eq!(mode(folder), 0, "others may read `{path}`");
    std::fs::remove_dir_all(folder).unwrap();
    Some(text)
}

/// Whatever the server says, or does not say, to a text from an editor.
#[test]
fn what_was_typed_in_an_editor_is_never_lost() {
    let person = Person::new();
    let added = person.run(&["memory", "add", "--global", "one", "--json"]).json();
    let id = added["id"].as_str().unwrap();
    let coffer = person.program("coffer").get_program().to_string_lossy().into_owned();
    let stop = format!("echo typed > $1; {coffer} stop");
    for (script, typed) in [
        ("head -c 9000 /dev/zero | tr '\\0' x > $1", "x".repeat(9000)),
        ("echo > $1", "\n".to_owned()),
        ("echo typed > $1; exit 3", "typed\n".to_owned()),
        (&stop, "typed\n".to_owned()),
    ] {
        let editor = person.folder().join("my editor");
        std::fs::write(&editor, format!("#!/bin/sh\n[ \"$2\" = --wait ] || exit 9\n{script}\n"))
            .unwrap();
        std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = person.program("coffer");
        command.args(["memory", "edit", "global", id, "--editor"]);
        command.env("COFFER_EDITOR", format!("'{}' {{}} --wait", editor.display()));
        let done = finish(command, "");
        assert_ne!(done.code, 0, "{script}");
        assert_eq!(left_over(&done.err), Some(typed), "{script}: {}", done.err);
    }
    assert_eq!(person.run(&["memory", "get", "global", id, "--json"]).json()["text"], "one");
}

#[test]
fn hidden_characters_are_shown_not_obeyed() {
    let person = Person::new();
    let text = "look \u{1b}[2Jhere\u{202e} and \u{200b}there\u{9b}";
    let words = ["memory", "add", "--global", "--title", "t\u{202e}t", "-", "--json"];
    let added = person.run_in(person.folder(), &words, text);
    assert!(!added.out.contains(['\u{1b}', '\u{202e}', '\u{200b}', '\u{9b}']), "{:?}", added.out);
    let added = added.json();
    assert_eq!(added["text"], text);
    let id = added["id"].as_str().unwrap();
    for words in [
        &["memory", "get", "global", id][..],
        &["memory", "facts", "global"],
        &["memory", "recall", "look", "--scope", "global"],
    ] {
        let shown = person.run(words).fine();
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{200b}', '\u{9b}']), "{shown:?}");
    }
    let shown = person.run(&["memory", "get", "global", id]).fine();
    assert!(shown.contains("⟨U+001B⟩[2Jhere⟨U+202E⟩ and ⟨U+200B⟩there⟨U+009B⟩"), "{shown}");
}

#[test]
fn wide_characters_line_up() {
    let person = Person::new();
    for title in ["日本語のタイトル", "plain", "한국어"] {
        person.run(&["memory", "add", "--global", "--title", title, "text"]).fine();
    }
    let shown = person.run(&["memory", "facts", "global"]).fine();
    let column = |line: &str| {
        let before = line.split(" user").next().unwrap().split(" BY ").next().unwrap();
        before.chars().map(|char| if char > '\u{1100}' { 2 } else { 1 }).sum::<usize>()
    };
    let columns: Vec<usize> = shown.lines().map(column).collect();
    assert!(columns.iter().all(|own| *own == columns[0]), "{columns:?}\n{shown}");
}

#[test]
fn facts_are_shown_in_pages() {
    let person = Person::new();
    for number in 0..3 {
        person.run(&["memory", "add", "--global", &format!("number {number}")]).fine();
    }
    let first = person.run(&["memory", "facts", "global", "--limit", "2"]).fine();
    assert!(first.contains("2 of 3; `--offset 2` shows more."), "{first}");
    let last = person.run(&["memory", "facts", "global", "--limit", "2", "--offset", "2"]).fine();
    assert_eq!(last.lines().count(), 2, "{last}");
    assert!(person.run(&["memory", "facts", "global", "--limit", "0"]).failed(2).contains("limit"));
    assert!(person.run(&["memory", "clear", "global"]).failed(2).contains("--yes"));
    assert_eq!(person.run(&["memory", "clear", "global", "--yes"]).fine(), "Deleted 3 facts.\n");
    let none = person.run(&["memory", "facts", "global"]).fine();
    assert_eq!(none, "There are no facts here.\n");
}

#[test]
fn stores_are_named_described_and_set() {
    let person = Person::new();
    let app = repository(person.folder(), "app");
    let run = |words: &[&str]| person.run_in(&app, words, "");
    run(&["memory", "add", "a fact"]).fine();
    let scope = run(&["scope", "--json"]).json();
    let store = scope["store_name"].as_str().unwrap();
    assert!(run(&["memory", "label", "My work"]).fine().contains("My work"));
    assert!(run(&["memory", "list"]).fine().contains("My work"));
    let described = run(&["memory", "describe", "--json"]).json();
    assert_eq!((&described["name"], &described["label"]), (&store.into(), &"My work".into()));
    run(&["memory", "label", store, "--clear"]).fine();
    assert_eq!(run(&["memory", "describe", "--json"]).json()["label"], serde_json::Value::Null);
    assert_eq!(run(&["memory", "metrics", "--json"]).json()["inbox_count"], 1);

    run(&["memory", "config", "--default-mode", "grep", "--max-fact-chars", "64"]).fine();
    let config = run(&["memory", "config", "--json"]).json();
    assert_eq!((&config["default_mode"], &config["max_fact_chars"]), (&"grep".into(), &64.into()));
    assert!(run(&["memory", "add", &"x".repeat(65)]).failed(2).starts_with("error: "));
    assert!(run(&["memory", "config", "--max-fact-chars", "1"]).failed(2).contains("64"));
    for lane in ["rules", "journal", "handoffs", "log"] {
        assert!(run(&["memory", lane]).fine().ends_with(".\n"), "{lane}");
    }
    assert!(run(&["memory", "facts", "no-such-store"]).failed(4).contains("no-such-store"));
}

#[test]
fn working_state_is_saved_and_shown_by_branch() {
    let person = Person::new();
    let app = repository(person.folder(), "app");
    let run = |words: &[&str], stdin: &str| person.run_in(&app, words, stdin);
    assert_eq!(run(&["resume"], "").fine(), "Nothing was saved here.\n");
    assert!(run(&["handoff", "-"], "half\nway\n").fine().contains("`main`"));
    let resumed = run(&["resume"], "").fine();
    assert!(resumed.contains("half\nway"), "{resumed}");
    assert!(run(&["memory", "handoffs"], "").fine().contains("half\nway"));
    assert!(person.run(&["handoff", "x"]).failed(2).starts_with("error: "), "no project here");
    assert!(person.run(&["scope"]).fine().contains("no git project"));
}
