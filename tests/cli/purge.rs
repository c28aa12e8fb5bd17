//! Purging as a person types it.

use super::run::Person;

#[test]
fn a_text_is_purged_after_it_was_asked_for() {
    let person = Person::new();
    person.run(&["memory", "add", "--global", "the WalnutSecret is here"]).fine();
    let found = person.run(&["purge", "--match", "WalnutSecret", "--dry-run"]).fine();
    assert!(found.contains("knowledge") && found.contains("database"), "{found}");
    let refused = person.run(&["purge", "--match", "WalnutSecret"]).failed(2);
    assert!(refused.contains("--yes") && refused.contains("for good"), "{refused}");
    assert!(person.run(&["memory", "recall", "here"]).fine().contains("WalnutSecret"));

    let words = ["purge", "--match", "-", "--yes"];
    let said = person.run_in(person.folder(), &words, "WalnutSecret\n").fine();
    assert!(said.ends_with("Looked again at everything: 0 are left.\n"), "{said}");
    assert!(person.run(&["memory", "recall", "here"]).fine().contains("the [purged] is here"));
    let again = person.run(&["purge", "--regex", "Walnut[A-Z][a-z]+", "--yes", "--json"]).json();
    assert_eq!((&again["remaining"], &again["places"]), (&0.into(), &serde_json::json!([])));
    person.run(&["purge", "--secrets", "--yes"]).fine();
    let nowhere = person.run(&["purge", "--match", "WalnutSecret"]).fine();
    assert!(nowhere.contains("nowhere"), "nobody has to be asked: {nowhere}");
    for (words, code) in [
        (["purge", "--match", "abc", "--yes"], 6),
        (["purge", "--regex", ".*", "--yes"], 6),
        (["purge", "--regex", "(", "--yes"], 2),
    ] {
        person.run(&words).failed(code);
    }
    let events = person.run(&["audit", "--event", "purged", "--json"]).json();
    assert_eq!(events["events"].as_array().unwrap().len(), 3);
}

/// A database that was moved aside goes with every purge, and never without a word.
#[test]
fn old_databases_are_asked_about() {
    let person = Person::new();
    person.run(&["memory", "add", "--global", "an almond"]).fine();
    let old = person.home().root().join("coffer.db.bad-20260528T202640123456Z");
    std::fs::write(&old, "x").unwrap();
    let words = ["purge", "--match", "WalnutSecret"];
    let found = person.run(&[&words[..], &["--dry-run"]].concat()).fine();
    assert!(found.contains("old databases, deleted whole"), "{found}");
    let refused = person.run(&words).failed(2);
    assert!(refused.contains("delete 1 files of old databases") && old.exists(), "{refused}");
    let done = person.run(&[&words[..], &["--yes"]].concat()).fine();
    assert!(done.contains("old databases, deleted whole") && !old.exists(), "{done}");
}
