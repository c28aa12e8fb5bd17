//! What the samples do not show: databases that are written to, and what stands beside them.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::typed;
use crate::secrets::Custom;
use crate::transcripts::tests::{Root, fixtures, state};
use crate::transcripts::{Format, State};

const ID: &str = "ses_dd722f8cbffe10TfgC6EoLOJap";

/// The sample's database in a folder, open to be written to.
fn root() -> Root {
    let root = Root::new(Format::OpenCode);
    fs::copy(fixtures().join("opencode-1.15.0/opencode.db"), root.path.join("opencode.db"))
        .unwrap();
    root
}

fn open(path: &Path) -> Connection {
    let db = Connection::open(path).unwrap();
    db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)).unwrap();
    db.execute_batch("PRAGMA wal_autocheckpoint = 0").unwrap();
    db
}

fn add(db: &Connection, id: &str, role: &str, text: &str) {
    let at = 1_795_981_920_000_i64;
    let said = format!("{{\"role\":\"{role}\",\"time\":{{\"created\":{at}}}}}");
    db.execute("INSERT INTO message VALUES (?1, ?2, ?3, ?3, ?4)", (id, ID, at, said)).unwrap();
    let part = format!("{{\"type\":\"text\",\"text\":\"{text}\"}}");
    db.execute("INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?4, ?5)", (id, id, ID, at, part)).unwrap();
}

#[test]
fn what_stands_in_the_log_is_read_and_no_trace_is_left() {
    let root = root();
    let path = root.path.join("opencode.db");
    let db = open(&path);
    add(&db, "msg_z1", "user", "from the log");
    // The program is at work: its log and the log's index are there.
    // Here in the same process, where SQLite shares the index among connections; it is left out.
    let of_others = || {
        let mut files = state(&root.path);
        assert!(files.remove(&root.path.join("opencode.db-shm")).is_some());
        files
    };
    let before = of_others();
    assert!(before.keys().any(|path| path.ends_with("opencode.db-wal")));
    let (said, reading) = root.read();
    assert_eq!(said.last().unwrap(), "human: from the log");
    assert_eq!(reading.summary.message_count, 6);
    assert_eq!(of_others(), before);

    // It was killed: nobody holds the index any more.
    let killed = Root::new(Format::OpenCode);
    for end in ["", "-wal", "-shm"] {
        let name = format!("opencode.db{end}");
        fs::copy(root.path.join(&name), killed.path.join(&name)).unwrap();
    }
    let before = state(&killed.path);
    assert_eq!(killed.read().1.summary.message_count, 6);
    assert_eq!(state(&killed.path), before);

    // The index is gone: SQLite would make it anew, so that a copy is read.
    fs::remove_file(killed.path.join("opencode.db-shm")).unwrap();
    let before = state(&killed.path);
    assert_eq!(killed.read().1.summary.message_count, 6);
    assert_eq!(state(&killed.path), before);
    assert_eq!(fs::read_dir(&killed.scratch).unwrap().count(), 0);
}

#[test]
fn a_database_that_was_closed_well_is_read_as_it_stands() {
    let root = root();
    let db = open(&root.path.join("opencode.db"));
    add(&db, "msg_z1", "user", "kept");
    db.close().unwrap();
    let before = state(&root.path);
    assert_eq!(before.len(), 1);
    assert_eq!(root.read().0.last().unwrap(), "human: kept");
    assert_eq!(state(&root.path), before);
}

#[test]
fn a_change_changes_the_stamp_of_its_session_only() {
    let root = root();
    let path = root.path.join("opencode.db");
    let db = open(&path);
    db.execute_batch(
        "INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
         SELECT 'ses_other', project_id, slug, '/other', 'Other', version, 1, 2 FROM session",
    )
    .unwrap();
    let stamps = || {
        let survey = root.reader().survey(&root.path).unwrap();
        survey
            .sources
            .into_iter()
            .map(|source| (source.part.unwrap(), source.stamp))
            .collect::<Vec<_>>()
    };
    let before = stamps();
    assert_eq!(before, stamps());
    add(&db, "msg_z1", "assistant", "more");
    let after = stamps();
    let changed: Vec<_> =
        before.iter().zip(&after).filter(|(a, b)| a.1 != b.1).map(|(a, _)| &*a.0).collect();
    assert_eq!(changed, [ID]);
}

#[test]
fn what_is_no_prose_or_nobodys_is_left_out() {
    let root = root();
    let db = open(&root.path.join("opencode.db"));
    db.execute_batch(&format!(
        r#"DELETE FROM message; DELETE FROM part;
        INSERT INTO message VALUES ('m1', '{ID}', 1, 1, '{{"role":"user"}}');
        INSERT INTO part VALUES ('p1', 'm1', '{ID}', 1, 1, '{{"type":"text","text":"made up","synthetic":true}}');
        INSERT INTO part VALUES ('p2', 'm1', '{ID}', 1, 1, '{{"type":"text","text":"said"}}');
        INSERT INTO part VALUES ('p3', 'm1', '{ID}', 1, 1, '{{"type":"text","text":"left","ignored":true}}');
        INSERT INTO part VALUES ('p4', 'm1', '{ID}', 1, 1, '{{"type":"file","text":"x"}}');
        INSERT INTO message VALUES ('m2', '{ID}', 2, 2, '{{"role":"assistant","summary":true}}');
        INSERT INTO part VALUES ('p5', 'm2', '{ID}', 1, 1, '{{"type":"text","text":"summed up"}}');
        INSERT INTO message VALUES ('m3', '{ID}', 3, 3, '{{"role":"user","summary":{{"title":"only a title"}}}}');
        INSERT INTO message VALUES ('m4', '{ID}', 4, 4, 'no record');
        INSERT INTO message VALUES ('m5', '{ID}', 5, 5, '{{"role":"assistant"}}');
        INSERT INTO part VALUES ('p6', 'm5', '{ID}', 1, 1, '{{"type":"hologram"}}');"#
    ))
    .unwrap();
    let (said, reading) = root.read();
    assert_eq!(said, ["human: said", "human: only a title"]);
    assert_eq!(reading.unknown, 2, "{:?}", reading.passed_over);
}

#[test]
fn tables_that_are_not_known_are_said_to_be() {
    for change in [
        "DROP TABLE message",
        "ALTER TABLE session RENAME COLUMN time_updated TO changed",
        "CREATE TABLE session_v2 (id TEXT); INSERT INTO session_v2 VALUES ('ses_new')",
        "INSERT INTO session_message VALUES ('x', 'ses_new', 't', 1, 1, '{}')",
    ] {
        let root = root();
        let db = Connection::open(root.path.join("opencode.db")).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        db.execute_batch(change).unwrap();
        drop(db);
        let survey = root.reader().survey(&root.path).unwrap();
        let unknown = survey.sources.iter().find(|source| source.part.is_none());
        let unknown = unknown.unwrap_or_else(|| panic!("{change}"));
        let reading = root.reader().read(unknown, &Custom::default(), &mut drop);
        assert_eq!(reading.state, State::FormatUnknown, "{change}");
        assert_eq!(reading.summary.session_id, "opencode.db");
    }
}

#[test]
fn a_file_that_is_no_database_is_told() {
    let root = Root::new(Format::OpenCode);
    root.write("opencode.db", "hello ".repeat(1_000));
    root.write("opencode-local.db", "");
    root.write("opencodex.db", "hello");
    let (sources, skipped) = root.survey();
    assert_eq!(skipped, ["opencode.db"]);
    assert_eq!(sources, ["opencode-local.db"]);
}

#[test]
fn a_session_in_both_is_the_databases() {
    let root = root();
    root.write(&format!("storage/session/global/{ID}.json"), r#"{"title":"Older"}"#);
    root.write("storage/session/global/ses_tree.json", r#"{"title":"Tree","directory":"/app"}"#);
    root.write("storage/session/global/ses_child.json", r#"{"title":"C","parentID":"ses_tree"}"#);
    for (path, text) in [
        ("storage/message/ses_tree/msg_1.json", r#"{"role":"user","time":{"created":5}}"#),
        ("storage/part/msg_1/prt_1.json", r#"{"type":"text","text":"hello"}"#),
        ("storage/part/msg_1/prt_2.json", "{"),
        ("storage/message/ses_child/msg_2.json", r#"{"role":"user"}"#),
        ("storage/part/msg_2/prt_1.json", r#"{"type":"text","text":"do it"}"#),
    ] {
        root.write(path, text);
    }
    let survey = root.reader().survey(&root.path).unwrap();
    let found: Vec<_> = survey
        .sources
        .iter()
        .map(|source| {
            let reading = root.reader().read(source, &Custom::default(), &mut drop);
            (reading.summary.session_id, reading.summary.title, reading.state, reading.unknown)
        })
        .collect();
    let wanted = |id: &str, title: &str, state, unknown| {
        (id.to_owned(), Some(title.to_owned()), state, unknown)
    };
    assert_eq!(
        found,
        [
            wanted(ID, "Mock Generated Title", State::Read, 0),
            wanted("ses_child", "C", State::SubAgent, 0),
            wanted("ses_tree", "Tree", State::Read, 1),
        ]
    );
}

#[test]
fn quotation_marks_of_the_shell_are_taken_off() {
    for (text, wanted) in [
        ("\"two words\"\n", "two words"),
        ("\"say \\\"hi\\\" now\"", "say \"hi\" now"),
        ("\"a\" and \"b\"", "\"a\" and \"b\""),
        ("plain", "plain"),
        ("\"", "\""),
        ("say \"hi\"", "say \"hi\""),
    ] {
        assert_eq!(typed(text), wanted, "{text}");
    }
}
