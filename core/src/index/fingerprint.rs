//! What an index says, in one number for each row of it: two indexes of the same files give the same
//! numbers, whatever the order in which they were filled.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

/// A part of the index that belongs to one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    /// `memory` or `knowledge_base`; empty where the row does not say.
    pub kind: String,
    /// The store.
    pub store: String,
    /// The file, relative to the store; empty for what belongs to none.
    pub path: String,
    /// What it is, in plain words.
    pub what: &'static str,
}

/// By part: a number that its rows give together, and how many rows there are.
pub(crate) type Fingerprint = BTreeMap<Part, (u64, u64)>;

/// Tables whose rows name store and file themselves; what only the moment of indexing decides (row
/// numbers, inodes, times of looking) is left out, and so is what waits for vectors. A document whose
/// file cannot be read just now has no part in it.
const TABLES: &[(&str, &str)] = &[
    (
        "row",
        "SELECT kind, resource_name, path, id, project_id, title, description, content_sha256,
             claimed_id, source_mode, metadata, created_at, updated_at, file_sha256, size, mtime_ns
         FROM documents WHERE stale = 0",
    ),
    (
        "passages",
        "SELECT coalesce(d.kind, c.kind), coalesce(d.resource_name, c.resource_name),
             coalesce(d.path, ''), c.id, c.document_id, c.kind, c.position, c.heading_path, c.line_start, c.line_end, f.text,
             f.chunk_id, f.resource_name
         FROM chunks c LEFT JOIN documents d ON d.n = c.document_n
         LEFT JOIN documents_fts f ON f.rowid = c.n WHERE coalesce(d.stale, 0) = 0",
    ),
    (
        "text without a passage",
        "SELECT '', resource_name, '', chunk_id, text FROM documents_fts
         WHERE rowid NOT IN (SELECT n FROM chunks)",
    ),
    (
        "likeness",
        "SELECT d.kind, d.resource_name, d.path, s.band FROM signatures s
         JOIN documents d ON d.n = s.document_n WHERE d.stale = 0",
    ),
    ("problem", "SELECT kind, resource_name, path, reason FROM problems WHERE path <> ''"),
];

/// The numbers of an index. Its terms are read as they stand in the keyword index itself.
pub(crate) fn fingerprint(db: &Connection) -> rusqlite::Result<Fingerprint> {
    let mut found = Fingerprint::new();
    for (what, query) in TABLES {
        let mut rows = db.prepare(query)?;
        let columns = rows.column_count();
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, store, path) = (row.get(0)?, row.get(1)?, row.get(2)?);
            add(&mut found, Part { kind, store, path, what }, hash(row, 3..columns)?);
        }
    }
    terms(db, &mut found)?;
    Ok(found)
}

/// Terms by passage: their order in the keyword index depends on the numbers of rows.
fn terms(db: &Connection, found: &mut Fingerprint) -> rusqlite::Result<()> {
    let mut passages: HashMap<i64, (Part, u64, u64)> = HashMap::new();
    let mut rows = db.prepare(
        "SELECT c.n, d.kind, d.resource_name, d.path, c.position FROM chunks c
         JOIN documents d ON d.n = c.document_n",
    )?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, store, path) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let part = Part { kind, store, path, what: "terms" };
        passages.insert(row.get(0)?, (part, hash(row, 4..5)?, 0));
    }
    db.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_rows USING fts5vocab('main', 'terms_fts', 'instance')",
    )?;
    let mut rows = db.prepare("SELECT doc, term, col, offset FROM temp.term_rows")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        match passages.get_mut(&row.get(0)?) {
            // Mixed with the place of the passage, so that no two passages can change places.
            Some((_, place, sum)) => {
                *sum = sum.wrapping_add(hash(row, 1..4)?.wrapping_mul(*place | 1));
            }
            None => {
                let (kind, store, path) = Default::default();
                add(found, Part { kind, store, path, what: "terms" }, hash(row, 1..4)?);
            }
        }
    }
    for (part, place, sum) in passages.into_values() {
        add(found, part, sum.wrapping_add(place));
    }
    Ok(())
}

fn add(found: &mut Fingerprint, part: Part, hash: u64) {
    let (sum, rows) = found.entry(part).or_default();
    *sum = sum.wrapping_add(hash);
    *rows += 1;
}

fn hash(row: &Row<'_>, columns: std::ops::Range<usize>) -> rusqlite::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for column in columns {
        match row.get_ref(column)? {
            ValueRef::Null => 0_u8.hash(&mut hasher),
            ValueRef::Integer(number) => number.hash(&mut hasher),
            ValueRef::Real(number) => number.to_bits().hash(&mut hasher),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.hash(&mut hasher),
        }
    }
    Ok(hasher.finish())
}
