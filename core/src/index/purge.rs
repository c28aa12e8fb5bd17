//! What the database holds of a text, and taking it out: from the history row by row, from what is
//! derived by indexing the changed files, and from free space by writing the whole file anew.

use std::collections::BTreeSet;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::documents::take_out;

/// Tables of the derived index; the others are history and mirrors.
const DERIVED: &[&str] = &["documents", "chunks", "scopes", "signatures", "problems", "folders"];
/// The keyword indexes.
const KEYWORD: [&str; 2] = ["documents_fts", "terms_fts"];

/// Columns that hold what people, agents or the file system said, by table. A test holds that no
/// other column does.
const FREE: &[(&str, &[&str])] = &[
    ("audit_events", &["actor", "store", "ids"]),
    ("mcp_invocations", &["tool", "agent", "session", "outcome"]),
    ("usage", &["agent"]),
    ("jobs", &["store", "request", "result", "error"]),
    ("problems", &["path", "reason"]),
    ("resources", &["description", "config"]),
    ("memory_store_project_roots", &["project_root"]),
    ("memory_store_labels", &["label"]),
    (
        "transcripts",
        &[
            "root",
            "path",
            "part",
            "session_id",
            "title",
            "project_path",
            "git_branch",
            "agent_version",
            "forked_from",
        ],
    ),
    ("distilled_sessions", &["agent", "session_id", "last_message_id"]),
    ("ended_sessions", &["agent", "session_id", "cwd"]),
    // Under another name the model is another one, and the vectors are made anew.
    ("vector_sets", &["model", "settings"]),
];

/// How often a text occurs, by where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// In what is derived from files.
    pub index: u64,
    /// In the history, and in mirrors of settings.
    pub history: u64,
}

/// Counts what every text of every table holds. What the keyword indexes are made of is told by
/// the texts that they index.
pub(crate) fn held(db: &Connection, count: &dyn Fn(&[u8]) -> usize) -> rusqlite::Result<Held> {
    let mut held = Held::default();
    for table in tables(db)? {
        let mut rows = db.prepare(&format!("SELECT * FROM \"{table}\""))?;
        let columns = rows.column_count();
        let mut rows = rows.query([])?;
        let is_derived = DERIVED.contains(&table.as_str())
            || KEYWORD.iter().any(|keyword| table.starts_with(keyword));
        let sum = if is_derived { &mut held.index } else { &mut held.history };
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                if let ValueRef::Text(text) = row.get_ref(column)? {
                    *sum += count(text) as u64;
                }
            }
        }
    }
    Ok(held)
}

/// All tables with rows of their own: those behind the keyword indexes are among them.
fn tables(db: &Connection) -> rusqlite::Result<Vec<String>> {
    db.prepare(
        "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )?
    .query_map([], |row| row.get(0))?
    .collect()
}

/// Takes a text out of the history, and out of the index where no file gave a new text: documents
/// whose files cannot be read come back once they can. Returns how many rows changed.
pub(crate) fn scrub(
    db: &Connection,
    count: &dyn Fn(&[u8]) -> usize,
    replace: &dyn Fn(&str) -> Option<String>,
) -> rusqlite::Result<u64> {
    let mut changed = 0;
    for (table, columns) in FREE {
        for column in *columns {
            changed += scrub_column(db, table, column, replace)?;
        }
    }
    for n in holding(db, count)? {
        take_out(db, n)?;
        changed += 1;
    }
    Ok(changed)
}

fn scrub_column(
    db: &Connection,
    table: &str,
    column: &str,
    replace: &dyn Fn(&str) -> Option<String>,
) -> rusqlite::Result<u64> {
    let mut rows =
        db.prepare(&format!("SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL"))?;
    let mut changes: Vec<(i64, String)> = Vec::new();
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(text) = replace(row.get_ref(1)?.as_str()?) {
            changes.push((row.get(0)?, text));
        }
    }
    let update = format!("UPDATE OR REPLACE {table} SET {column} = ?2 WHERE rowid = ?1");
    let mut update = db.prepare(&update)?;
    for (row, text) in &changes {
        update.execute(params![row, text])?;
    }
    Ok(changes.len() as u64)
}

/// Documents that hold a text still.
fn holding(db: &Connection, count: &dyn Fn(&[u8]) -> usize) -> rusqlite::Result<BTreeSet<i64>> {
    let queries = [
        "SELECT n, path, title, description, metadata FROM documents",
        "SELECT c.document_n, c.heading_path, f.text FROM chunks c
         JOIN documents_fts f ON f.rowid = c.n",
    ];
    let mut found = BTreeSet::new();
    for query in queries {
        let mut rows = db.prepare(query)?;
        let columns = rows.column_count();
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            for column in 1..columns {
                if row.get_ref(column)?.as_bytes_or_null()?.is_some_and(|text| count(text) > 0) {
                    found.insert(row.get(0)?);
                }
            }
        }
    }
    Ok(found)
}

/// Merges the keyword indexes, which keep words of deleted texts until then, and the statistics,
/// which keep samples.
pub(crate) fn settle(db: &Connection) -> rusqlite::Result<()> {
    for keyword in KEYWORD {
        db.execute(&format!("INSERT INTO {keyword} ({keyword}) VALUES ('optimize')"), [])?;
    }
    db.execute_batch("ANALYZE")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::schema::migrate;

    /// Columns that hold only words of the program, ids, hashes and times.
    const FIXED: &[(&str, &[&str])] = &[
        ("audit_events", &["event", "counts"]),
        ("usage", &["day"]),
        ("engine_days", &["day"]),
        ("distilled_sessions", &["content_sha256"]),
        ("jobs", &["id", "kind", "state"]),
        ("problems", &["kind", "resource_name"]),
        ("resources", &["kind", "name"]),
        ("memory_store_project_roots", &["store_name"]),
        ("memory_store_labels", &["store_name"]),
        ("transcripts", &["format", "state"]),
        ("vector_sets", &["kind", "resource_name", "store_scope"]),
    ];

    /// A new column is decided about here, so that a purge cannot miss it.
    #[test]
    fn every_column_of_text_is_known() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        for table in tables(&db).unwrap() {
            let is_derived = table != "problems" && DERIVED.contains(&table.as_str())
                || table.starts_with("sqlite_")
                || KEYWORD.iter().any(|keyword| table.starts_with(keyword));
            if is_derived {
                continue;
            }
            let mut columns =
                db.prepare("SELECT name FROM pragma_table_info(?1) WHERE type = 'TEXT'").unwrap();
            let columns: Vec<String> = columns
                .query_map([&table], |row| row.get(0))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            for column in columns {
                let is_in = |list: &[(&str, &[&str])]| {
                    list.iter()
                        .any(|(name, columns)| *name == table && columns.contains(&column.as_str()))
                };
                assert!(
                    is_in(FREE) != is_in(FIXED),
                    "`{table}.{column}` is in no list, or in both"
                );
            }
        }
    }

    #[test]
    fn the_history_is_scrubbed_and_keeps_its_rows() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        db.execute_batch(
            "INSERT INTO audit_events (at, event, actor, ids) VALUES (1, 'memory_deleted', 'user', '[\"rules/walnut.md\"]');
             INSERT INTO usage (day, agent, recalls) VALUES ('2026-01-01', 'walnut', 1);
             INSERT INTO jobs (id, kind, state, error, created_at) VALUES ('x', 'export', 'failed', 'no walnut', 1);",
        )
        .unwrap();
        let count = |text: &[u8]| memchr::memmem::find_iter(text, b"walnut").count();
        assert_eq!(held(&db, &count).unwrap(), Held { index: 0, history: 3 });
        let replace =
            |text: &str| text.contains("walnut").then(|| text.replace("walnut", "[purged]"));
        assert_eq!(scrub(&db, &count, &replace).unwrap(), 3);
        settle(&db).unwrap();
        assert_eq!(held(&db, &count).unwrap(), Held::default());
        let ids: String =
            db.query_row("SELECT ids FROM audit_events", [], |row| row.get(0)).unwrap();
        assert_eq!(ids, "[\"rules/[purged].md\"]");
    }
}
