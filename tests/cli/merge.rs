//! `coffer memory merge-scan`, `merge`, and what `scope` says of a project afterwards.

use super::run::Person;
use crate::support::project::{git, repository};

#[test]
fn two_stores_of_one_project_are_found_and_merged() {
    let person = Person::new();
    let app = repository(person.folder(), "app");
    git(&app, &["remote", "add", "origin", "git@example.org:team/app.git"]);
    git(person.folder(), &["clone", "-q", "app", "other"]);
    let other = person.folder().join("other");
    git(&other, &["remote", "set-url", "origin", "https://me:secret@example.org/team/app"]);
    let none = person.run(&["memory", "merge-scan"]).fine();
    assert!(none.contains("No two stores"), "{none}");
    let added = [(&app, "walnut"), (&app, "hazel"), (&other, "almond")].map(|(folder, text)| {
        let added = person.run_in(folder, &["memory", "add", text, "--json"], "").json();
        added["store_name"].as_str().unwrap().to_owned()
    });
    let [target, _, source] = &added;

    let shown = person.run(&["memory", "merge-scan"]).fine();
    for part in ["example.org/team/app", source, target, "almond", other.to_str().unwrap()] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("secret"), "{shown}");
    let scan = person.run(&["memory", "merge-scan", "--json"]).json();
    let proposal = &scan["proposals"][0];
    assert_eq!(
        (&proposal["source"], &proposal["target"]),
        (&source[..].into(), &target[..].into())
    );

    let error = person.run(&["memory", "merge", source, target]).failed(2);
    assert!(error.contains("--yes") && error.contains("1 fact"), "{error}");
    let nobody = "project-01JXYZ01JXYZ01JXYZ01JXYZ01";
    person.run(&["memory", "merge", nobody, target, "--yes"]).failed(4);
    person.run(&["memory", "merge", target, target, "--yes"]).failed(2);
    let merged = person.run(&["memory", "merge", source, target, "--yes", "--json"]).json();
    assert_eq!((&merged["merged_files"], &merged["reorg_status"]), (&1.into(), &"no_model".into()));
    person.run(&["memory", "merge", source, target, "--yes"]).failed(4);

    let scope = person.run_in(&other, &["scope"], "").fine();
    assert!(scope.contains(target) && scope.contains("merged into"), "{scope}");
    let scope = person.run_in(&other, &["scope", "--json"], "").json();
    assert_eq!((&scope["store_name"], &scope["reason"]), (&target[..].into(), &"alias".into()));
    let moved = person.folder().join("moved");
    std::fs::rename(&app, &moved).unwrap();
    std::fs::remove_dir_all(&other).unwrap();
    let scope = person.run_in(&moved, &["scope"], "").fine();
    assert!(scope.contains(target) && scope.contains("was moved"), "{scope}");
}
