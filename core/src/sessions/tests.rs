//! Lists over real files, and what is kept between them.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use coffer_domain::time::Timestamp;
use coffer_env::Home;

use super::{Format, Order, Page, Query, Sessions, Shelf, Sort};
use crate::config::Settings;
use crate::error::Error;
use crate::index::Index;
use crate::transcripts::State;

struct Desk {
    _temp: tempfile::TempDir,
    home: Home,
    root: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path().join("home"));
        let root = temp.path().join("agent");
        fs::create_dir_all(home.run()).unwrap();
        fs::create_dir_all(&root).unwrap();
        Self { _temp: temp, home, root }
    }

    /// As a new start does.
    fn sessions(&self) -> (Sessions, Arc<Index>) {
        let index =
            Arc::new(Index::open(&self.home.database(), Timestamp::from_micros(1)).unwrap());
        let settings = Settings::open(&self.home, || {});
        (Sessions::new(&self.home, Arc::clone(&index), settings), index)
    }

    fn shelf(&self) -> Shelf {
        Shelf { format: Format::ClaudeCode, roots: vec![self.root.clone()] }
    }

    /// Writes a session of these messages; those of the agent begin with `A`.
    fn write(&self, id: &str, folder: &str, minute: u32, texts: &[&str]) {
        let path = self.root.join(format!("projects/p/{id}.jsonl"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let line = |(at, text): (usize, &&str)| {
            let kind = if text.starts_with('A') { "assistant" } else { "user" };
            format!(
                "{{\"type\":\"{kind}\",\"uuid\":\"{id}-{at}\",\"cwd\":\"{folder}\",\"timestamp\":\"2026-11-29T10:{minute:02}:{at:02}Z\",\"message\":{{\"content\":{text:?}}}}}\n"
            )
        };
        fs::write(path, texts.iter().enumerate().map(line).collect::<String>()).unwrap();
    }

    /// The list, and how many sources were read for it.
    fn list(&self, sessions: &Sessions, query: &Query) -> (Page, usize) {
        let read = Cell::new(0);
        let page = sessions.list(&self.shelf(), query, &|done, _| read.set(done)).unwrap();
        (page, read.get())
    }
}

fn ids(page: &Page) -> Vec<&str> {
    page.sessions.iter().map(|session| &*session.summary.session_id).collect()
}

fn said(sessions: &Sessions, shelf: &Shelf, id: &str) -> Vec<String> {
    let mut said = Vec::new();
    sessions.read(shelf, id, &[], &mut |message, _| said.push(message.text)).unwrap();
    said
}

#[test]
fn lists_are_chosen_ordered_and_cut() {
    let desk = Desk::new();
    desk.write("a", "/code/app", 1, &["Fix the Parser", "A ok"]);
    desk.write("b", "/code/app/sub", 2, &["write docs", "A ok", "more", "A ok"]);
    desk.write("c", "/code/apple", 3, &["ÄPFEL zählen"]);
    desk.write("empty", "/code/app", 4, &[]);
    let (sessions, _) = desk.sessions();
    let at = |text| Timestamp::parse(text);
    for (query, wanted, total) in [
        (Query::default(), &["c", "b", "a"][..], 3),
        (Query { order: Order::Ascending, ..Query::default() }, &["a", "b", "c"], 3),
        (Query { sort: Sort::MessageCount, ..Query::default() }, &["b", "a", "c"], 3),
        (Query { limit: 1, offset: 1, ..Query::default() }, &["b"], 3),
        (Query { offset: 9, ..Query::default() }, &[], 3),
        (Query { q: Some("parser".to_owned()), ..Query::default() }, &["a"], 1),
        (Query { q: Some("äpfel".to_owned()), ..Query::default() }, &["c"], 1),
        (Query { q: Some("CODE/APP".to_owned()), ..Query::default() }, &["c", "b", "a"], 3),
        (Query { project: Some("/code/app".to_owned()), ..Query::default() }, &["b", "a"], 2),
        (Query { project: Some("/code/app/".to_owned()), ..Query::default() }, &["b", "a"], 2),
        (
            Query {
                started_after: at("2026-11-29T10:02:00Z"),
                started_before: at("2026-11-29T10:03:00Z"),
                sort: Sort::StartedAt,
                ..Query::default()
            },
            &["b"],
            1,
        ),
    ] {
        let page = desk.list(&sessions, &query).0;
        assert_eq!((ids(&page), page.total), (wanted.to_vec(), total), "{query:?}");
        assert_eq!(page.projects, ["/code/apple", "/code/app/sub", "/code/app"], "{query:?}");
        assert_eq!(page.unread, 0);
    }
    for limit in [0, 201] {
        let refused =
            sessions.list(&desk.shelf(), &Query { limit, ..Query::default() }, &|_, _| {});
        assert!(matches!(refused, Err(Error::Invalid { field: "limit", .. })));
    }
}

#[test]
fn only_what_changed_is_read_also_by_the_next_start() {
    let desk = Desk::new();
    for id in ["a", "b", "c"] {
        desk.write(id, "/app", 1, &["hello"]);
    }
    let (sessions, _) = desk.sessions();
    let all = Query::default();
    assert_eq!(desk.list(&sessions, &all).1, 3);
    assert_eq!(desk.list(&sessions, &all).1, 0);
    let before = desk.list(&sessions, &all).0;
    drop(sessions);
    let (sessions, _) = desk.sessions();
    let (page, read) = desk.list(&sessions, &all);
    assert_eq!((page, read), (before, 0));
    desk.write("b", "/app", 1, &["hello", "A more"]);
    fs::remove_file(desk.root.join("projects/p/c.jsonl")).unwrap();
    let (page, read) = desk.list(&sessions, &all);
    assert_eq!((page.total, read), (2, 1));
    desk.write("c", "/app", 1, &["hello"]);
    assert_eq!(desk.list(&sessions, &all).1, 1);
}

/// A disk that is not attached takes nothing away that would have to be read again.
#[test]
fn a_root_that_is_not_there_loses_nothing() {
    let desk = Desk::new();
    desk.write("a", "/app", 1, &["hello"]);
    let (sessions, _) = desk.sessions();
    assert_eq!(desk.list(&sessions, &Query::default()).1, 1);
    let away = desk.root.with_extension("away");
    fs::rename(&desk.root, &away).unwrap();
    assert_eq!(desk.list(&sessions, &Query::default()).0.total, 0);
    fs::rename(&away, &desk.root).unwrap();
    let (page, read) = desk.list(&sessions, &Query::default());
    assert_eq!((page.total, read), (1, 0));
}

#[test]
fn what_cannot_be_read_is_in_the_list() {
    let desk = Desk::new();
    desk.write("a", "/app", 1, &["hello"]);
    let odd = desk.root.join("projects/p/odd.jsonl");
    fs::write(&odd, "{\"type\":\"hologram\"}\n").unwrap();
    std::os::unix::fs::symlink(&odd, desk.root.join("projects/p/link.jsonl")).unwrap();
    let file = desk.root.join("file");
    fs::write(&file, "").unwrap();
    let (sessions, _) = desk.sessions();
    let mut shelf = desk.shelf();
    shelf.roots.push(file.clone());
    let page = sessions.list(&shelf, &Query::default(), &|_, _| {}).unwrap();
    let states: Vec<_> =
        page.sessions.iter().map(|it| (&*it.summary.session_id, it.state.clone())).collect();
    assert_eq!(states, [("odd", State::FormatUnknown), ("a", State::Read)]);
    assert_eq!((page.total, page.unread), (2, 1));
    let unseen: Vec<&Path> = page.unseen.iter().map(|unseen| &*unseen.path).collect();
    assert_eq!(unseen, [desk.root.join("projects/p/link.jsonl"), file]);
}

#[test]
fn no_secret_is_kept_or_leaves_in_a_title() {
    let desk = Desk::new();
    let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    desk.write("a", "/app", 1, &[&format!("use {key} please"), "A ok"]);
    desk.write("b", "/app", 2, &["ticket ACME-1234"]);
    let (sessions, index) = desk.sessions();
    let titles = || {
        let page = desk.list(&sessions, &Query::default()).0;
        page.sessions.into_iter().map(|it| it.summary.title.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(titles(), ["ticket ACME-1234", "use [redacted: github-token] please"]);
    let held = index
        .read(|db| crate::index::held(db, &|text| memchr::memmem::find_iter(text, &key).count()));
    assert_eq!(held.unwrap().history, 0);
    // What becomes a secret later does not leave either.
    fs::write(desk.home.config_file(), "[secrets]\npatterns = ['ACME-\\d+']\n").unwrap();
    assert_eq!(titles()[0], "ticket [redacted: custom]");
    assert_eq!(
        sessions.find(&desk.shelf(), "b").unwrap().summary.title.as_deref(),
        Some("ticket [redacted: custom]")
    );
}

#[test]
fn what_was_copied_is_told_with_the_session_it_was_said_in() {
    let desk = Desk::new();
    desk.write("first", "/app", 1, &["go on", "A1", "why", "A2"]);
    desk.write("copy", "/app", 2, &["go on", "A1", "why", "A2", "new", "A3"]);
    desk.write("again", "/app", 3, &["go on", "A4"]);
    desk.write("elsewhere", "/other", 4, &["go on", "A1", "why"]);
    let (sessions, _) = desk.sessions();
    let shelf = desk.shelf();
    assert_eq!(said(&sessions, &shelf, "first"), ["go on", "A1", "why", "A2"]);
    assert_eq!(said(&sessions, &shelf, "copy"), ["new", "A3"]);
    assert_eq!(said(&sessions, &shelf, "again"), ["go on", "A4"]);
    assert_eq!(said(&sessions, &shelf, "elsewhere"), ["go on", "A1", "why"]);
    // The count is the file's own.
    assert_eq!(sessions.find(&shelf, "copy").unwrap().summary.message_count, 6);
    assert!(
        matches!(sessions.find(&shelf, "none"), Err(Error::TranscriptNotFound(id)) if id == "none")
    );
}

/// The programs' own copies: new ids and times in 0.2, the same ids in 1.0.
#[test]
fn copies_of_real_versions_are_known() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/transcripts");
    let desk = Desk::new();
    let (sessions, _) = desk.sessions();
    for (version, id, new) in [
        ("claude-0.2.125", "270dbfbf-f967-4be2-9795-55bd5f6c8044", 3),
        ("claude-0.2.125", "7621bc77-967b-447c-9b86-b051506b5c76", 2),
        ("claude-0.2.125", "ac89429c-2bba-4ac5-8a8e-b80153fd9a70", 1),
        ("claude-0.2.125", "cd4850f1-bc40-4346-bf73-9967ae3a9753", 2),
        ("claude-1.0.98", "bceab685-3f3e-486d-a5fe-6f83244ce103", 3),
        ("claude-1.0.98", "96ef3c9f-82cc-4550-97b7-9c29a7dc53ae", 2),
        ("claude-1.0.98", "c54c5017-9cbb-48e9-a872-f16e178b5480", 2),
    ] {
        let shelf = Shelf { format: Format::ClaudeCode, roots: vec![fixtures.join(version)] };
        let said = said(&sessions, &shelf, id);
        assert_eq!(said.len(), new, "{version} {id}: {said:?}");
    }
}

#[test]
fn a_reader_goes_on_where_it_left_off() {
    let desk = Desk::new();
    desk.write("a", "/app", 1, &["one", "A1"]);
    let (sessions, _) = desk.sessions();
    let mut last = None;
    sessions
        .read(&desk.shelf(), "a", &[], &mut |message, _| last = Some(message.position))
        .unwrap();
    desk.write("a", "/app", 1, &["one", "A1", "two", "A2"]);
    let mut said = Vec::new();
    let read = sessions
        .read(&desk.shelf(), "a", last.as_slice(), &mut |message, _| said.push(message.text));
    assert_eq!(said, ["two", "A2"]);
    assert_eq!(read.unwrap().summary.message_count, 4);
}

#[test]
fn turns_are_shown_without_secrets_and_in_parts() {
    let desk = Desk::new();
    let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    desk.write("a", "/app", 1, &["one", &format!("A use {key}"), "three"]);
    let (sessions, _) = desk.sessions();
    let show = |after, limit| sessions.show(&desk.shelf(), "a", after, limit);
    let texts = |shown: &super::Shown| -> Vec<String> {
        shown.turns.iter().map(|turn| turn.text.clone()).collect()
    };
    let first = show(None, 2).unwrap();
    assert_eq!(texts(&first), ["one", "A use [redacted: github-token]"]);
    assert_eq!((first.withheld, first.session.summary.message_count), (0, 3));
    let rest = show(first.next, 2).unwrap();
    assert_eq!((texts(&rest), rest.next), (vec!["three".to_owned()], None));
    // A part that begins with the answer to a question for a secret.
    desk.write("p", "/app", 2, &["log in", "A What is the password?", "Sommer2024!", "A thanks"]);
    let first = sessions.show(&desk.shelf(), "p", None, 2).unwrap();
    let rest = sessions.show(&desk.shelf(), "p", first.next, 2).unwrap();
    assert_eq!(texts(&rest), ["[redacted: password]", "A thanks"]);
    for limit in [0, 2_001] {
        assert!(matches!(show(None, limit), Err(Error::Invalid { field: "limit", .. })));
    }
    assert!(matches!(
        sessions.show(&desk.shelf(), "b", None, 1),
        Err(Error::TranscriptNotFound(_))
    ));
}

#[test]
fn the_doctor_tells_what_gave_nothing() {
    let desk = Desk::new();
    desk.write("a", "/app", 1, &["hello"]);
    let odd = desk.root.join("projects/p/odd.jsonl");
    fs::write(&odd, "{\"type\":\"hologram\"}\n").unwrap();
    let coffer = crate::Coffer::open(&desk.home, |_| {}).unwrap();
    let rows = || {
        let rows = coffer.doctor.check().into_iter().filter(|row| row.check == "transcripts");
        rows.map(|row| (row.state, row.path, row.reason)).collect::<Vec<_>>()
    };
    assert_eq!(rows(), []);
    coffer.sessions.list(&desk.shelf(), &Query::default(), &|_, _| {}).unwrap();
    let warning = crate::CheckState::Warning;
    let reason = "it holds records and no message: its format is not known".to_owned();
    assert_eq!(
        rows(),
        [
            (warning, Some(odd.display().to_string()), reason),
            (warning, None, "1 sessions of agents are read".to_owned()),
        ]
    );
    coffer.close();
}
