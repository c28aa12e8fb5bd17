//! Everything that is not about one store: settings, history, health, work.

use super::run::Person;

#[test]
fn settings_are_shown_and_changed_by_name() {
    let person = Person::new();
    let all = person.run(&["settings"]).fine();
    assert!(all.contains("auto_organize.idle_seconds"), "{all}");
    person.run(&["settings", "set", "auto_organize.idle_seconds", "42"]).fine();
    let one = ["settings", "get", "auto_organize.idle_seconds"];
    assert_eq!(person.run(&one).fine(), "42\n");
    assert_eq!(person.run(&["settings", "--json"]).json()["auto_organize"]["idle_seconds"], 42);
    for (key, value) in
        [("auto_organize.idle_seconds", "1"), ("serve_agents", "perhaps"), ("nothing", "1")]
    {
        let error = person.run(&["settings", "set", key, value]).failed(2);
        assert!(error.contains(key), "{error}");
    }
    assert!(person.run(&["settings", "get", "nothing"]).failed(2).contains("nothing"));
}

#[test]
fn what_happened_can_be_read() {
    let person = Person::new();
    let added = person.run(&["memory", "add", "--global", "a secret word", "--json"]).json();
    let audit = person.run(&["audit"]).fine();
    assert!(audit.contains(added["id"].as_str().unwrap()), "{audit}");
    assert!(!audit.contains("secret"), "never content");
    let events = person.run(&["audit", "--event", "memory_added", "--json"]).json();
    assert_eq!(events["events"].as_array().unwrap().len(), 1);
    assert_eq!(person.run(&["audit", "--calls"]).fine(), "No agent has called yet.\n");
}

#[test]
fn health_and_work_have_their_say() {
    let person = Person::new();
    person.run(&["memory", "add", "--global", "a fact"]).fine();
    let checks = person.run(&["doctor"]).fine();
    assert!(checks.contains("ok"), "{checks}");
    assert!(person.run(&["doctor", "--json"]).json()["rows"].is_array());
    person.run(&["doctor", "--fix"]).fine();
    let report = person.run(&["reindex", "--all", "--json"]).json();
    assert_eq!(report["documents_scanned"], 1);
    assert!(person.run(&["memory", "reindex", "global"]).fine().starts_with("1 files"));
    let jobs = person.run(&["jobs", "--json"]).json();
    let id = jobs["jobs"][0]["id"].as_str().unwrap();
    assert!(person.run(&["jobs", "get", id]).fine().contains("done"));
    person.run(&["jobs", "get", "01JXYZ01JXYZ01JXYZ01JXYZ01"]).failed(4);
}

#[test]
fn the_viewer_s_address_is_printed_where_nothing_can_be_shown() {
    let person = Person::new();
    for words in [&["open"][..], &["open", "--print"], &["open", "--browser"]] {
        let address = person.run(words).fine();
        let wanted = format!("http://127.0.0.1:{}/#", person.server().port);
        assert!(address.starts_with(&wanted), "{address}");
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    let person = Person::new();
    for words in [&["memory"][..], &["nothing"], &["memory", "recall", "x", "--mode", "psychic"]] {
        person.run(words).failed(2);
    }
    assert!(!person.home().root().exists(), "nothing was started");
}
