//! The memory face over real files and a real database.

use std::fs;
use std::path::Path;
use std::process::Command;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::store::{Mode, StoreName};
use coffer_env::Home;
use coffer_env::clock::{Stamp, now};

use super::*;
use crate::index::Index;
use crate::models::Embedders;

mod lanes;
mod repair;
mod transfer;
mod vectors;

struct Fixture {
    temp: tempfile::TempDir,
    memory: Memory,
}

const GLOBAL: StoreName = StoreName::Global;

impl Fixture {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let memory = Self::open(temp.path());
        Self { temp, memory }
    }

    fn open(path: &Path) -> Memory {
        Self::open_with(path, Embedders::off())
    }

    fn open_with(path: &Path, embedders: Embedders) -> Memory {
        let home = Home::at(path);
        // The composition root makes it; without it Coffer's folder counts as lost.
        fs::create_dir_all(home.memory()).unwrap();
        let index = Arc::new(Index::open(&home.database(), now()).unwrap());
        let settings = Settings::open(&home, || {});
        let knowledge = Knowledge::new(index, embedders, Arc::default());
        Memory::new(home, Arc::new(knowledge), settings, |_| {})
    }

    fn remember(&self, text: &str) -> Remembered {
        let fact = FactIn { text, ..FactIn::default() };
        self.memory.remember(&GLOBAL, fact, &Author::agent("codex"), Stamp::new()).unwrap()
    }

    fn recall(&self, query: &str) -> Vec<String> {
        let asked = Recall { query: query.to_owned(), mode: None, top_k: 20 };
        let answer = self.memory.recall(&[GLOBAL], &asked).unwrap();
        answer.hits.into_iter().map(|hit| hit.text).collect()
    }

    fn inbox(&self) -> std::path::PathBuf {
        self.temp.path().join("memory/global/knowledge/inbox")
    }

    fn dump(&self) -> Vec<String> {
        self.memory.knowledge().fresh(&self.memory.store_ref(&GLOBAL), crate::index::dump).unwrap()
    }

    /// The live index is the one that a rebuild from the files gives.
    fn assert_rebuilt(&self) {
        let live = self.dump();
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.temp.path().join(format!("coffer.db{end}")));
        }
        assert_eq!(live, self.dump());
    }
}

#[test]
fn a_fact_is_remembered_recalled_edited_and_retired() {
    let at = Fixture::new();
    let fact = at.remember("This repo deploys via `make release`.").fact;
    assert_eq!(at.recall("how do we deploy"), ["This repo deploys via `make release`."]);
    assert_eq!(at.memory.fact(&GLOBAL, &fact.id).unwrap(), fact);
    let before = fs::read(&fact.path).unwrap();
    let change = FactChange {
        text: Some("This repo deploys via `just ship`.".into()),
        title: Some("deploying".into()),
        if_sha256: Some(fact.file_sha256.clone()),
        ..FactChange::default()
    };
    let edited = at.memory.edit(&GLOBAL, &fact.id, &change, &Author::USER, now()).unwrap();
    assert_eq!((edited.title.as_str(), edited.agent.as_deref()), ("deploying", Some("codex")));
    assert_eq!(at.recall("deploy"), ["This repo deploys via `just ship`."]);
    assert_eq!(at.recall("release"), [""; 0]);
    let superseded = at.temp.path().join("memory/global/superseded");
    let kept = fs::read_dir(&superseded).unwrap().next().unwrap().unwrap();
    assert_eq!(fs::read(kept.path()).unwrap(), before);
    let stale = at.memory.edit(&GLOBAL, &fact.id, &change, &Author::USER, now());
    assert!(matches!(stale, Err(Error::VersionConflict { .. })), "{stale:?}");
    at.memory.delete(&GLOBAL, &fact.id, &Author::USER, now()).unwrap();
    assert!(matches!(at.memory.fact(&GLOBAL, &fact.id), Err(Error::FactNotFound { .. })));
    assert_eq!(at.recall("deploy"), [""; 0]);
    assert_eq!(fs::read_dir(superseded).unwrap().count(), 2);
    at.assert_rebuilt();
}

#[test]
fn reading_a_store_that_does_not_exist_makes_nothing() {
    let at = Fixture::new();
    let store = StoreName::Project(Id::of_project("/nowhere"));
    let page = Page { limit: 10, ..Page::default() };
    assert_eq!(at.memory.facts(&store, &page).unwrap().total, 0);
    let asked = Recall { query: "x".into(), mode: Some(Mode::Grep), top_k: 5 };
    assert_eq!(at.memory.recall(&[store.clone(), GLOBAL], &asked).unwrap().hits, []);
    assert_eq!(at.memory.metrics(&store).unwrap().facts, 0);
    assert_eq!(at.memory.rules(&store).unwrap(), []);
    assert_eq!(at.memory.consolidation_log(&store).unwrap().text, None);
    assert_eq!(fs::read_dir(at.temp.path().join("memory")).unwrap().count(), 0);
}

#[test]
fn every_change_on_disk_is_seen_by_the_next_read() {
    let at = Fixture::new();
    let fact = at.remember("the first fact").fact;
    at.remember("the second fact");
    assert_eq!(at.recall("fact").len(), 2);
    fs::write(at.inbox().join("hand.md"), "written by hand about zebras").unwrap();
    assert_eq!(at.recall("zebra"), ["written by hand about zebras"]);
    let text = fs::read_to_string(&fact.path).unwrap();
    fs::write(&fact.path, text.replace("first", "third")).unwrap();
    assert_eq!(at.recall("third"), ["the third fact"]);
    assert_eq!(at.recall("first"), [""; 0]);
    fs::rename(at.inbox().join("hand.md"), at.inbox().join("../moved.md")).unwrap();
    assert_eq!(at.recall("zebra").len(), 1);
    fs::create_dir(at.inbox().join("deep")).unwrap();
    fs::write(at.inbox().join("deep/er.md"), "deeper about yaks").unwrap();
    assert_eq!(at.recall("yak").len(), 1);
    fs::write(at.inbox().join("deep/er.md"), "deeper about emus").unwrap();
    assert_eq!(at.recall("emu").len(), 1);
    fs::remove_dir_all(at.inbox().join("deep")).unwrap();
    assert_eq!(at.recall("emu"), [""; 0]);
    fs::create_dir_all(at.temp.path().join("memory/global/journal")).unwrap();
    fs::write(at.temp.path().join("memory/global/journal/2026-06-09.md"), "## 1 · gnus\n\nx")
        .unwrap();
    assert_eq!(at.recall("gnus").len(), 1);
    at.assert_rebuilt();
}

#[test]
fn an_edit_that_keeps_size_and_time_is_seen() {
    let at = Fixture::new();
    let fact = at.remember("about aaaa").fact;
    assert_eq!(at.recall("aaaa").len(), 1);
    let modified = fs::metadata(&fact.path).unwrap().modified().unwrap();
    let text = fs::read_to_string(&fact.path).unwrap();
    fs::write(&fact.path, text.replace("aaaa", "bbbb")).unwrap();
    fs::File::options().write(true).open(&fact.path).unwrap().set_modified(modified).unwrap();
    assert_eq!(at.recall("bbbb").len(), 1);
    at.assert_rebuilt();
}

#[test]
fn two_files_with_one_id_are_told_apart_whatever_came_first() {
    let at = Fixture::new();
    let fact = at.remember("the original").fact;
    let name = fact.path.file_name().unwrap().to_str().unwrap();
    for copy in [format!("a-{name}"), format!("z-{name}")] {
        fs::copy(&fact.path, at.inbox().join(copy)).unwrap();
        assert_eq!(
            at.memory.facts(&GLOBAL, &Page { limit: 9, ..Page::default() }).unwrap().facts.len(),
            fs::read_dir(at.inbox()).unwrap().count()
        );
    }
    at.assert_rebuilt();
    fs::remove_file(at.inbox().join(format!("a-{name}"))).unwrap();
    assert_eq!(at.memory.fact(&GLOBAL, &fact.id).unwrap().path, fact.path);
    at.assert_rebuilt();
}

#[test]
fn near_duplicates_are_reported_and_nothing_is_merged() {
    let at = Fixture::new();
    let first =
        at.remember("The staging database lives on port 5433 and is reset each night.").fact;
    let second = at.remember("The staging database lives on port 5433, and is reset every night.");
    assert_eq!(second.similar, [Similar { id: first.id, title: first.title }]);
    let other = at.remember("Use tabs in Makefiles, never spaces, or make will complain.");
    assert_eq!(other.similar, []);
    assert_eq!(at.recall("database").len(), 2);
}

#[test]
fn clearing_retires_all_and_the_store_stays() {
    let at = Fixture::new();
    for text in ["one fact", "two facts", "three facts"] {
        at.remember(text);
    }
    assert_eq!(at.memory.clear(&GLOBAL, &Author::USER, now()).unwrap(), 3);
    assert_eq!(at.memory.clear(&GLOBAL, &Author::USER, now()).unwrap(), 0);
    assert_eq!(at.recall("fact"), [""; 0]);
    assert_eq!(fs::read_dir(at.temp.path().join("memory/global/superseded")).unwrap().count(), 3);
    assert_eq!(at.memory.store(&GLOBAL).unwrap().fact_count, 0);
    at.assert_rebuilt();
}

#[test]
fn many_files_gone_at_once_are_not_deletions() {
    let at = Fixture::new();
    for number in 0..60 {
        at.remember(&format!("fact number {number} about pandas"));
    }
    assert_eq!(at.recall("pandas").len(), 20);
    let elsewhere = at.temp.path().join("elsewhere");
    fs::rename(at.inbox(), &elsewhere).unwrap();
    assert_eq!(at.memory.store(&GLOBAL).unwrap().fact_count, 60);
    assert_eq!(at.recall("pandas").len(), 20);
    let problems = at.memory.knowledge().index().read(crate::index::problems).unwrap();
    assert!(problems.iter().any(|row| row.reason.contains("60 of 60")), "{problems:?}");
    fs::rename(&elsewhere, at.inbox()).unwrap();
    assert_eq!(at.recall("pandas").len(), 20);
    let problems = at.memory.knowledge().index().read(crate::index::problems).unwrap();
    assert_eq!(problems, []);
    fs::remove_dir_all(at.inbox()).unwrap();
    let report = at.memory.reindex(&GLOBAL, &|_, _| true).unwrap();
    assert_eq!(report.removed, 60);
    assert_eq!(at.recall("pandas"), [""; 0]);
}

#[test]
fn settings_are_kept_in_the_store_and_survive_the_database() {
    let at = Fixture::new();
    at.remember("x fact");
    let patch = ConfigPatch { max_fact_chars: Some(64), ..ConfigPatch::default() };
    at.memory.configure(&GLOBAL, &patch, &Author::USER, now()).unwrap();
    at.memory.label(&GLOBAL, Some(" Everything "), &Author::USER, now()).unwrap();
    at.memory.set_enabled(&GLOBAL, false, &Author::USER, now()).unwrap();
    let too_long = FactIn { text: &"y".repeat(65), ..FactIn::default() };
    let refused = at.memory.remember(&GLOBAL, too_long, &Author::USER, Stamp::new());
    assert!(matches!(refused, Err(Error::Rejected(_))), "{refused:?}");
    let before = at.memory.store(&GLOBAL).unwrap();
    assert_eq!((before.display_name().as_str(), before.enabled), ("Everything", false));
    let asked = Recall { query: "fact".into(), mode: Some(Mode::Hybrid), top_k: 5 };
    let answer = at.memory.recall(&[GLOBAL], &asked).unwrap();
    assert!(answer.hits.is_empty() && answer.note.is_some() && answer.fallback);
    fs::remove_file(at.temp.path().join("coffer.db")).unwrap();
    let again = Fixture::open(at.temp.path());
    again.knowledge().reconcile(&again.store_ref(&GLOBAL)).unwrap();
    assert_eq!(again.store(&GLOBAL).unwrap(), before);
    let bad = ConfigPatch { default_mode: Some(Mode::Vector), ..ConfigPatch::default() };
    assert!(again.configure(&GLOBAL, &bad, &Author::USER, now()).is_err());
}

#[test]
fn a_deleted_store_is_gone_whole() {
    let at = Fixture::new();
    at.remember("x fact");
    at.memory.delete_store(&GLOBAL, &Author::USER, now()).unwrap();
    assert!(!at.temp.path().join("memory/global").exists());
    assert_eq!(at.memory.stores().unwrap(), []);
    assert_eq!(at.recall("fact"), [""; 0]);
    at.remember("y fact");
    assert_eq!(at.recall("fact"), ["y fact"]);
}

fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let done = Command::new("git").current_dir(folder).args(identity).args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn handoffs_are_kept_by_branch_and_say_what_moved() {
    let at = Fixture::new();
    let repo = tempfile::tempdir().unwrap();
    let main = repo.path().join("app");
    fs::create_dir(&main).unwrap();
    git(&main, &["init", "-qb", "main"]);
    git(&main, &["commit", "-qm", "one", "--allow-empty"]);
    git(&main, &["worktree", "add", "-q", "-b", "feat/x", "../tree"]);
    let agent = Author::agent("codex");
    let saved = at.memory.set_handoff(&main, "half way", &agent, now()).unwrap();
    assert_eq!(saved.branch, "main");
    assert_eq!(at.memory.resume(&main).unwrap().unwrap().body, "half way");
    let tree = repo.path().join("tree");
    assert_eq!(at.memory.resume(&tree).unwrap(), None);
    let other = at.memory.set_handoff(&tree, "in the tree", &agent, now()).unwrap();
    assert_eq!((other.branch.as_str(), other.store.clone()), ("feat/x", saved.store.clone()));
    git(&main, &["commit", "-qm", "two", "--allow-empty"]);
    let note = at.memory.resume(&main).unwrap().unwrap().note.unwrap();
    assert!(note.contains("1 commit"), "{note}");
    at.memory.set_handoff(&main, "further", &agent, now()).unwrap();
    assert_eq!(at.memory.resume(&main).unwrap().unwrap().body, "further");
    assert_eq!(at.memory.handoffs(&saved.store).unwrap().len(), 2);
    let superseded = at.memory.paths(&saved.store).superseded();
    assert_eq!(fs::read_dir(superseded).unwrap().count(), 1);
    let outside = at.memory.set_handoff(at.temp.path(), "x", &agent, now());
    assert!(matches!(outside, Err(Error::ScopeUnresolved(_))), "{outside:?}");
}

#[test]
fn an_edit_after_a_search_leaves_a_sound_index() {
    let at = Fixture::new();
    let fact = at.remember("hello world").fact;
    assert_eq!(at.recall("hello").len(), 1);
    let change = FactChange { text: Some("New text".into()), ..FactChange::default() };
    at.memory.edit(&GLOBAL, &fact.id, &change, &Author::USER, now()).unwrap();
    assert_eq!(at.memory.knowledge().index().harm().unwrap(), None);
}

#[test]
fn a_store_knows_its_project_when_the_scope_was_asked_for_before() {
    let at = Fixture::new();
    let repo = tempfile::tempdir().unwrap();
    git(repo.path(), &["init", "-qb", "main"]);
    let resolved = at.memory.scope(repo.path()).unwrap();
    let fact = FactIn { text: "x", ..FactIn::default() };
    at.memory.remember(&resolved.store, fact, &Author::USER, Stamp::new()).unwrap();
    let store = at.memory.store(&resolved.store).unwrap();
    assert_eq!(store.project_root.map(std::path::PathBuf::from), resolved.root);
}

#[test]
fn a_text_that_begins_with_a_rule_is_found_whole() {
    let at = Fixture::new();
    at.remember("x");
    fs::write(at.inbox().join("rule.md"), "---\nabout: [walruses\n---\n\nand otters\n").unwrap();
    assert_eq!(at.recall("walruses").len(), 1);
    assert_eq!(at.recall("otters").len(), 1);
}
