//! Export and import as a person types them.

use std::path::PathBuf;

use super::run::Person;

#[test]
fn stores_travel_in_an_archive() {
    let person = Person::new();
    person.run(&["memory", "add", "--global", "a fact that travels"]).fine();
    let said = person.run(&["export", "--to", "all.tar.gz"]).fine();
    assert!(said.starts_with("2 files of 1 stores"), "{said}");
    assert!(person.folder().join("all.tar.gz").exists());
    let again = person.run(&["export", "global", "--to", "all.tar.gz"]).failed(3);
    assert!(again.contains("exists already"), "{again}");
    person.run(&["export", "--to", "all.tar.gz", "--replace"]).fine();

    let other = Person::new();
    let archive = person.folder().join("all.tar.gz");
    let archive = archive.to_str().unwrap();
    let would = other.run(&["import", archive, "--dry-run"]).fine();
    assert!(would.contains("added") && would.contains("2 would be added"), "{would}");
    let done = other.run(&["import", archive, "--json"]).json();
    assert_eq!((&done["added"], &done["dry_run"]), (&2.into(), &false.into()));
    let found = other.run(&["memory", "recall", "what travels"]).fine();
    assert!(found.contains("a fact that travels"), "{found}");
    let said = other.run(&["import", archive]).fine();
    assert_eq!(said, "coffer: 0 added, 2 the same, 0 put beside others, 0 left out.\n");
}

#[test]
fn memories_of_other_programs_are_taken_in() {
    let person = Person::new();
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/import");
    let notes = fixtures.join("mcp-memory/memory.jsonl");
    let said = person.run(&["import", notes.to_str().unwrap()]).fine();
    assert!(said.contains("mcp-memory: 3 added"), "{said}");
    assert!(said.contains("left out: memory.jsonl:5: "), "{said}");
    let notes = fixtures.join("obsidian");
    let words = ["import", notes.to_str().unwrap(), "--format", "markdown", "--store", "global"];
    assert!(person.run(&words).fine().contains("markdown: 3 added"));
    person.run(&["import", "none.md"]).failed(2);
    person.run(&["import", "none.md", "--format", "word"]).failed(2);
}
