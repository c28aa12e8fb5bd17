//! Finding documents by id, path, page; counting them; what the stat gate knows.

use std::collections::{HashMap, HashSet};

use coffer_domain::id::Id;
use coffer_domain::similar::BANDS;
use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::Scope;
use super::ranges::range;
use crate::vault::Stat;

/// A document as lists and replies need it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lookup {
    /// The id in use.
    pub id: Id,
    /// Relative to the store.
    pub path: String,
    /// Its title.
    pub title: String,
    /// SHA-256 of the whole file.
    pub file_sha256: String,
    /// When it last changed.
    pub updated_at: Timestamp,
}

fn lookup(row: &Row<'_>) -> rusqlite::Result<Lookup> {
    let id: String = row.get(0)?;
    Ok(Lookup {
        id: Id::parse(&id).unwrap_or_else(|| Id::of_file("", &id)),
        path: row.get(1)?,
        title: row.get(2)?,
        file_sha256: row.get(3)?,
        updated_at: Timestamp::from_micros(row.get(4)?),
    })
}

/// The document of an id.
pub(crate) fn document(
    db: &Connection,
    scope: &Scope,
    id: &Id,
) -> rusqlite::Result<Option<Lookup>> {
    db.prepare_cached(
        "SELECT id, path, title, file_sha256, updated_at FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND id = ?3",
    )?
    .query_row(params![scope.kind, scope.name, id.as_str()], lookup)
    .optional()
}

/// The ids that the documents of a store claim.
pub(crate) fn claimed_ids(db: &Connection, scope: &Scope) -> rusqlite::Result<HashSet<String>> {
    db.prepare_cached("SELECT claimed_id FROM documents WHERE kind = ?1 AND resource_name = ?2")?
        .query_map(params![scope.kind, scope.name], |row| row.get(0))?
        .collect()
}

/// Documents below a folder (`knowledge/`), newest first, whose title or description holds `part`.
pub(crate) fn page(
    db: &Connection,
    scope: &Scope,
    folder: &str,
    part: Option<&str>,
    (limit, offset): (u32, u32),
) -> rusqlite::Result<Vec<Lookup>> {
    db.prepare_cached(
        "SELECT id, path, title, file_sha256, updated_at FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND substr(path, 1, length(?3)) = ?3
           AND (?4 IS NULL OR holds_folded(title, ?4) OR holds_folded(description, ?4))
         ORDER BY updated_at DESC, id DESC LIMIT ?5 OFFSET ?6",
    )?
    .query_map(params![scope.kind, scope.name, folder, part, limit, offset], lookup)?
    .collect()
}

/// The paths of all documents, newest first.
pub(crate) fn by_newest(db: &Connection, scope: &Scope) -> rusqlite::Result<Vec<String>> {
    db.prepare_cached(
        "SELECT path FROM documents WHERE kind = ?1 AND resource_name = ?2
         ORDER BY updated_at DESC, id DESC",
    )?
    .query_map(params![scope.kind, scope.name], |row| row.get(0))?
    .collect()
}

/// How many documents `page` goes over.
pub(crate) fn count(
    db: &Connection,
    scope: &Scope,
    folder: &str,
    part: Option<&str>,
) -> rusqlite::Result<u64> {
    db.prepare_cached(
        "SELECT count(*) FROM documents
         WHERE kind = ?1 AND resource_name = ?2
           AND path >= ?3 AND path < substr(?3, 1, length(?3) - 1) || '0'
           AND (?4 IS NULL OR holds_folded(title, ?4) OR holds_folded(description, ?4))",
    )?
    .query_row(params![scope.kind, scope.name, folder, part], |row| row.get(0))
    .map(i64::cast_unsigned)
}

/// What one store holds, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    /// Passages.
    pub chunks: u64,
    /// Documents that wait for vectors.
    pub degraded: u64,
    /// Bytes of the documents' files.
    pub bytes: u64,
}

/// Counts of one store. Passages are counted by their range, what waits by an index of its own.
pub(crate) fn counts(db: &Connection, scope: &Scope) -> rusqlite::Result<Counts> {
    let (first, last) = range(db, scope)?.unwrap_or((0, -1));
    db.prepare_cached(
        "SELECT (SELECT count(*) FROM chunks WHERE n BETWEEN ?3 AND ?4),
                (SELECT count(*) FROM documents
                 WHERE kind = ?1 AND resource_name = ?2 AND embed_pending = 1),
                (SELECT coalesce(sum(size), 0) FROM documents
                 WHERE kind = ?1 AND resource_name = ?2)",
    )?
    .query_row(params![scope.kind, scope.name, first, last], |row| {
        let count = |at: usize| row.get::<_, i64>(at).map(i64::cast_unsigned);
        Ok(Counts { chunks: count(0)?, degraded: count(1)?, bytes: count(2)? })
    })
}

/// What the stat gate knows of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Known {
    /// Its stat when it was read.
    pub stat: Stat,
    /// When it was read, nanoseconds since 1970.
    pub checked_ns: i64,
    /// SHA-256 of the whole file.
    pub file_sha256: String,
    /// Whether it could not be read since.
    pub stale: bool,
}

/// What the gate knows of all files of a store, or of one.
pub(crate) fn known(
    db: &Connection,
    scope: &Scope,
    path: Option<&str>,
) -> rusqlite::Result<HashMap<String, Known>> {
    db.prepare_cached(
        "SELECT path, size, mtime_ns, ctime_ns, inode, checked_ns, file_sha256, stale FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND (?3 IS NULL OR path = ?3)",
    )?
    .query_map(params![scope.kind, scope.name, path], |row| {
        let stat = Stat {
            size: row.get::<_, i64>(1)?.cast_unsigned(),
            mtime_ns: row.get(2)?,
            ctime_ns: row.get(3)?,
            inode: row.get::<_, i64>(4)?.cast_unsigned(),
        };
        let known = Known {
            stat,
            checked_ns: row.get(5)?,
            file_sha256: row.get(6)?,
            stale: row.get(7)?,
        };
        Ok((row.get(0)?, known))
    })?
    .collect()
}

/// Documents of a store that share a MinHash band, and their text: candidates of the near-duplicate
/// report. At most 32, so that a flood of alike notes costs no more.
pub(crate) fn similar(
    db: &Connection,
    scope: &Scope,
    bands: &[i64; BANDS],
) -> rusqlite::Result<Vec<(Id, String, String)>> {
    let mut found = db.prepare_cached(
        "SELECT d.id, d.title,
                (SELECT group_concat(f.text, char(10) ORDER BY c.position) FROM chunks c
                 JOIN documents_fts f ON f.rowid = c.n WHERE c.document_n = d.n)
         FROM signatures s JOIN documents d ON d.n = s.document_n
         WHERE s.band = ?1 AND d.kind = ?2 AND d.resource_name = ?3
         ORDER BY s.document_n DESC LIMIT 4",
    )?;
    let mut candidates: Vec<(Id, String, String)> = Vec::new();
    for band in bands {
        let rows = found.query_map(params![band, scope.kind, scope.name], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?))
        })?;
        for row in rows {
            let (id, title, text) = row?;
            if let Some(id) = Id::parse(&id)
                && !candidates.iter().any(|(other, ..)| *other == id)
            {
                candidates.push((id, title, text));
            }
        }
    }
    Ok(candidates)
}
