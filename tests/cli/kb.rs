//! `coffer kb`: a knowledge base from the first word to the last.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc;

use super::run::Person;
use crate::support::process::PATIENCE;

fn write(person: &Person, file: &str, text: &str) -> String {
    let path = person.folder().join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_document_lives_from_add_to_delete() {
    let person = Person::new();
    let run = |words: &[&str]| person.run(&[&["kb"], words].concat());
    let made = run(&["create", "guide", "--description", "how to", "--json"]).json();
    assert_eq!(made["description"], "how to");
    assert!(run(&["create", "guide"]).failed(3).contains("exists already"));
    assert!(run(&["create", "Guide"]).failed(2).contains("small letters"));
    write(&person, "deploy.md", "# Deploy\n\nWe deploy with `make walnut`.\n");
    let added = run(&["add", "guide", "deploy.md", "--json"]).json();
    let id = added["id"].as_str().unwrap();
    assert!(run(&["docs", "guide"]).fine().contains("deploy.md"));
    assert!(run(&["get", "guide", id]).fine().contains("make walnut"));
    let found = run(&["search", "guide", "how", "to", "deploy"]).fine();
    assert!(found.contains("make walnut") && found.contains(":"), "{found}");
    assert!(run(&["grep", "guide", "w.lnut"]).fine().contains("make walnut"));
    assert!(run(&["grep", "guide", "("]).failed(2).contains("pattern"));
    write(&person, "deploy.md", "# Deploy\n\nWe do not.\n");
    assert!(run(&["check-sources", "guide"]).fine().contains("changed"));
    assert!(run(&["add", "guide", "deploy.md"]).failed(3).contains("another version"));
    assert!(run(&["update-source", "guide", id]).fine().contains("converted"));
    let edited = person.run_in(
        person.folder(),
        &["kb", "edit", "guide", id, "--text", "-", "--json"],
        "new text",
    );
    assert_eq!(edited.json()["source_mode"], "edited");
    assert!(run(&["reconvert", "guide", id]).failed(3).contains("edited"));
    assert!(run(&["delete", "guide", id]).failed(2).contains("--yes"));
    assert_eq!(run(&["delete", "guide", id, "--yes"]).fine(), "Deleted `Deploy`.\n");
    run(&["get", "guide", id]).failed(4);
    assert_eq!(run(&["metrics", "guide", "--json"]).json()["document_count"], 0);
    assert_eq!(run(&["drop", "guide", "--yes"]).fine(), "Deleted `guide`.\n");
    assert_eq!(run(&["list"]).fine(), "There is no knowledge base yet.\n");
}

#[test]
fn a_folder_is_reported_file_by_file() {
    let person = Person::new();
    let run = |words: &[&str]| person.run(&[&["kb"], words].concat());
    run(&["create", "guide"]).fine();
    write(&person, "pages/a.md", "# A\n\nOne.");
    write(&person, "pages/b/main.rs", "fn main() {}\n");
    write(&person, "pages/empty.txt", "");
    write(&person, "pages/.hidden.md", "no");
    let said = run(&["add", "guide", "pages"]).fine();
    assert!(said.contains("skipped: empty.txt: it is empty"), "{said}");
    assert!(said.ends_with("2 ingested, 0 unchanged, 1 skipped, 0 failed.\n"), "{said}");
    let again = run(&["add", "guide", "pages", "--json"]).json();
    assert_eq!((&again["unchanged"], &again["ingested"]), (&2.into(), &0.into()));
    assert!(run(&["add", "guide", "nothing"]).failed(2).contains("no such file"));
    write(&person, "one.md", "# One");
    let paths = ["add", "guide", "nothing", "pages/empty.txt", "one.md", "/dev/null"];
    let said = run(&paths).failed(2);
    assert_eq!(said.matches("error: ").count(), 3, "{said}");
    assert!(said.contains("nothing") && said.contains("it is empty") && said.contains("/dev/null"));
    assert_eq!(run(&["docs", "guide", "-q", "one", "--json"]).json()["total"], 1);
    let missing = run(&["add", "none", "one.md", "pages"]).failed(4);
    assert_eq!(missing.matches("error: ").count(), 1, "{missing}");
    assert!(run(&["add", "none", "pages"]).failed(4).contains("no knowledge base"));
    let config = run(&["config", "guide", "--chunk-size", "100", "--json"]).json();
    assert_eq!(config["config"]["chunk_size"], 100);
    assert!(run(&["config", "guide"]).fine().contains("100 tokens"));
    assert!(run(&["config", "guide", "--modes", "vector"]).failed(2).contains("embedding"));
    assert!(run(&["reindex", "guide"]).fine().contains("3 files looked at"));
    run(&["disable", "guide"]).fine();
    assert!(run(&["search", "guide", "one"]).fine().contains("disabled"));
}

#[test]
fn a_watch_tells_each_change_of_a_source_once_and_outlives_a_restart() {
    let person = Person::new();
    person.run(&["kb", "create", "guide"]).fine();
    let deploy = write(&person, "deploy.md", "# Deploy\n\nWe deploy.\n");
    let test = write(&person, "test.md", "# Test\n\nWe test.\n");
    person.run(&["kb", "add", "guide", "deploy.md", "test.md"]).fine();
    let mut watch = person.program("coffer");
    watch.args(["kb", "watch", "guide", "--every", "1"]).stdout(Stdio::piped());
    let mut watch = watch.spawn().unwrap();
    let lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| tell.send(line)));
    let next = || told.recv_timeout(PATIENCE).unwrap();

    write(&person, "deploy.md", "# Deploy\n\nWe do not.\n");
    assert_eq!(next(), format!("changed: {deploy}"));
    person.run(&["stop"]).fine();
    person.run(&["kb", "list"]).fine();
    std::fs::remove_file(&test).unwrap();
    // All that is not as it was, and nothing in between.
    let mut both = [next(), next()];
    both.sort();
    assert_eq!(both, [format!("changed: {deploy}"), format!("missing: {test}")]);
    watch.kill().unwrap();
    watch.wait().unwrap();
}
