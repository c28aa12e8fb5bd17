//! The proof of the index: a single row that is not what its file gives is found and mended, whether
//! it was tampered with while the server ran or while it did not.

use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{FACTS, remember};
use crate::support::{TestServer, derived};

const DEEP: &str = "/api/v1/doctor?deep=true";
const FIX: &str = "/api/v1/doctor/fix?deep=true";

/// What is done to one row, and what the proof has to name.
const TAMPERED: &[(&str, &str, &str)] = &[
    ("a title", "UPDATE documents SET title = 'another' WHERE path LIKE '%/two-%'", "row"),
    ("a hash", "UPDATE documents SET content_sha256 = '00' WHERE path LIKE '%/two-%'", "row"),
    ("an author", "UPDATE documents SET metadata = '{\"actor\":\"agent\"}' WHERE path LIKE '%/two-%'", "row"),
    ("a line", "UPDATE chunks SET line_start = 99 WHERE document_n = (SELECT n FROM documents WHERE path LIKE '%/two-%')", "passages"),
    ("a heading", "UPDATE chunks SET heading_path = 'x' WHERE document_n = (SELECT n FROM documents WHERE path LIKE '%/two-%')", "passages"),
    ("a text", "UPDATE documents_fts SET text = 'another text' WHERE text LIKE '%walnut%'", "passages"),
    (
        "terms",
        "INSERT INTO terms_fts (rowid, title, heading, body, parts, neighbors)
         SELECT n, 'x', '', 'another', '', '' FROM chunks WHERE document_n = (SELECT n FROM documents WHERE path LIKE '%/two-%')",
        "terms",
    ),
    ("likeness", "DELETE FROM signatures WHERE document_n = (SELECT n FROM documents WHERE path LIKE '%/two-%')", "likeness"),
    ("a passage", "DELETE FROM chunks WHERE document_n = (SELECT n FROM documents WHERE path LIKE '%/two-%')", "passages"),
    (
        "a document that no file gives",
        "INSERT INTO documents (id, kind, resource_name, project_id, path, title, content_sha256, claimed_id, created_at, updated_at, file_sha256, size, mtime_ns, ctime_ns, inode, checked_ns)
         SELECT '01JXYZ01JXYZ01JXYZ01JXYZ01', kind, resource_name, project_id, 'rules/ghost.md', 'ghost', '', '01JXYZ01JXYZ01JXYZ01JXYZ01', 1, 1, '', 0, 0, 0, 0, 0 FROM documents LIMIT 1",
        "row",
    ),
];

fn tamper(database: &Path, sql: &str) {
    let db = Connection::open(database).unwrap();
    db.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    if sql.starts_with("INSERT INTO terms_fts") {
        let take_out = "DELETE FROM terms_fts WHERE rowid IN (SELECT n FROM chunks WHERE document_n = (SELECT n FROM documents WHERE path LIKE '%/two-%'))";
        db.execute_batch(take_out).unwrap();
    }
    db.execute_batch(sql).unwrap();
    assert!(db.changes() > 0, "{sql}");
}

fn rows(reply: &Value) -> Vec<(String, String)> {
    let rows = reply["rows"].as_array().unwrap().iter();
    let of_index = rows.filter(|row| row["check"] == "index");
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    of_index.map(|row| (word(row, "state"), word(row, "reason"))).collect()
}

fn filled() -> TestServer {
    let server = TestServer::start();
    for text in ["one", "two: the walnut\n\nand its shell", "three"] {
        remember(&server, text);
    }
    derived::read_all(&server);
    server
}

#[track_caller]
fn assert_sound(server: &TestServer, when: &str) {
    let rows = rows(&server.get(DEEP).json());
    assert!(rows.len() == 1 && rows[0].0 == "ok", "{when}: {rows:?}");
    assert!(rows[0].1.contains("rows are what the files give"), "{when}: {rows:?}");
}

#[test]
fn every_tampered_row_is_found_and_mended_in_a_running_server() {
    let server = filled();
    assert_sound(&server, "before");
    for (what, sql, named) in TAMPERED {
        tamper(&server.home().database(), sql);
        let found = rows(&server.get(DEEP).json());
        let is_named =
            |(state, reason): &(String, String)| state == "error" && reason.contains(named);
        assert!(found.iter().any(is_named), "{what}: {found:?}");
        let fixed = server.trigger(FIX).json();
        assert_ne!(fixed["fixed"], json!([]), "{what}: {fixed}");
        assert!(rows(&fixed).iter().all(|(state, _)| state == "ok"), "{what}: {fixed}");
        derived::assert_rebuildable(&server, what);
    }
    assert!(!server.home().second_database().exists());
}

#[test]
fn every_tampered_row_is_found_and_mended_after_a_start() {
    let mut server = filled();
    for (what, sql, named) in TAMPERED {
        server.signal("TERM");
        server.ended();
        tamper(&server.home().database(), sql);
        server.start_again();
        let found = rows(&server.get(DEEP).json());
        // What the check of the start sees is mended before anybody asks.
        let is_named =
            |(state, reason): &(String, String)| state == "error" && reason.contains(named);
        let is_sound = found.iter().all(|(state, _)| state == "ok");
        assert!(found.iter().any(is_named) || is_sound, "{what}: {found:?}");
        let fixed = server.trigger(FIX).json();
        assert!(rows(&fixed).iter().all(|(state, _)| state == "ok"), "{what}: {fixed}");
        derived::assert_rebuildable(&server, what);
    }
}

/// Writes beside a proof are no differences.
#[test]
fn a_proof_beside_writes_finds_nothing() {
    let server = filled();
    std::thread::scope(|scope| {
        let server = &server;
        scope.spawn(move || (0..40).for_each(|n| drop(remember(server, &format!("more {n}")))));
        for _ in 0..3 {
            let rows = rows(&server.get(DEEP).json());
            assert!(rows.iter().all(|(state, _)| state == "ok"), "{rows:?}");
        }
    });
    assert_eq!(server.get(FACTS).json()["total"], 43);
    assert_sound(&server, "after");
}
