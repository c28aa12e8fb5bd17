//! Rules and the journal are added to; retired versions go back only where they may stand.

use super::*;

/// Made of two parts, so that no scanner takes this file for one that holds a key.
fn token() -> String {
    format!("ghp_{}", "R7mZ2qLx9vTn4cKs8wYb1dHf6gJp3uEa5oVi")
}

#[test]
fn a_journal_entry_is_appended_and_found_without_its_secrets() {
    let at = Fixture::new();
    let token = token();
    let body = format!("pushed with {token} by hand");
    let entry =
        EntryIn { title: "a walnut", description: "planted", body: &body, ..EntryIn::default() };
    let append = |seconds: i64, entries: Vec<EntryIn<'_>>| {
        let at_second = Timestamp::from_micros(1_780_000_000_000_000 + seconds * 1_000_000);
        let entries = Entries { at: at_second, project_root: None, entries };
        at.memory.append_journal(&GLOBAL, entries, &Author::USER, now())
    };
    for times in 1..=2 {
        let done = append(times as i64, vec![entry.clone()]).unwrap();
        assert_eq!(done.added, 1);
        assert_eq!(done.redacted, Redacted::from([("github-token".into(), 1)]));
        let text = fs::read_to_string(&done.path).unwrap();
        assert_eq!(text.matches("a walnut").count(), times);
        assert!(!text.contains(&token) && text.contains("by hand"), "{text}");
    }
    assert!(!at.recall("walnut").is_empty());
    at.assert_rebuilt();
    // The same of the same moment is there already; with one that may not be, none is added.
    let day = || fs::read_to_string(at.memory.journal(&GLOBAL).unwrap()[0].path.clone()).unwrap();
    let before = day();
    assert_eq!(append(2, vec![entry.clone(), entry.clone()]).unwrap().added, 0);
    let blank = EntryIn { description: "x", ..EntryIn::default() };
    assert!(append(3, vec![entry.clone(), blank]).is_err());
    assert_eq!(day(), before);
    let other = EntryIn { body: "another", ..entry.clone() };
    assert_eq!(append(2, vec![entry, other]).unwrap().added, 1);
    at.assert_rebuilt();
}

#[test]
fn a_rule_that_stands_there_is_no_change() {
    let at = Fixture::new();
    let add = || at.memory.add_rule(&GLOBAL, "use tabs", None, &Author::USER, now()).unwrap();
    let audited = || {
        let all = crate::index::HistoryFilter { limit: 99, ..Default::default() };
        at.memory.knowledge().read(|db| crate::index::audit(db, &all)).unwrap().len()
    };
    let first = add();
    let before = audited();
    assert_eq!(add(), first);
    assert_eq!(audited(), before);
    assert_eq!(fs::read_to_string(&first.path).unwrap(), "- use tabs\n");
}

#[test]
fn a_retired_version_never_leaves_the_store() {
    let at = Fixture::new();
    at.remember("x");
    let superseded = at.temp.path().join("memory/global/superseded");
    fs::create_dir_all(&superseded).unwrap();
    let stray = at.temp.path().join("memory/escaped.md");
    for origin in ["..--escaped", "rules--..--..--escaped", "..--..--escaped", ".--escaped"] {
        let name = format!("{origin}-20260609T101112345678Z.md");
        fs::write(superseded.join(&name), "planted").unwrap();
        let refused = at.memory.restore(&GLOBAL, &name, &Author::USER, now());
        assert!(matches!(refused, Err(Error::LaneFileNotFound { .. })), "{name}: {refused:?}");
        assert!(superseded.join(&name).exists() && !stray.exists(), "{name}");
    }
    assert_eq!(at.memory.superseded(&GLOBAL, 50, 0).unwrap(), RetiredPage::default());
}

#[test]
fn retired_versions_come_in_pages() {
    let at = Fixture::new();
    let mut fact = at.remember("walnut 0").fact;
    for round in 1..=5 {
        let change = FactChange { text: Some(format!("walnut {round}")), ..FactChange::default() };
        fact = at.memory.edit(&GLOBAL, &fact.id, &change, &Author::USER, now()).unwrap();
    }
    let pages: Vec<RetiredPage> = [(2, 0), (2, 2), (2, 4)]
        .map(|(limit, offset)| at.memory.superseded(&GLOBAL, limit, offset).unwrap())
        .into();
    assert!(pages.iter().all(|page| page.total == 5));
    let texts: Vec<String> =
        pages.into_iter().flat_map(|page| page.files).map(|file| file.text).collect();
    assert_eq!(texts.len(), 5);
    for (text, round) in texts.iter().zip((0..5).rev()) {
        assert!(text.contains(&format!("walnut {round}")), "{text}");
    }
}
