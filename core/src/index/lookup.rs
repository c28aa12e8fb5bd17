//! Finding documents by id, path, page; counting them; what the stat gate knows.

use std::collections::{HashMap, HashSet};

use coffer_domain::id::Id;
use coffer_domain::similar::BANDS;
use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::Scope;
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

/// Documents of a lane (`knowledge/`), newest first. Skipping reads one index alone.
pub(crate) fn page(
    db: &Connection,
    scope: &Scope,
    lane: &str,
    (limit, offset): (u32, u32),
) -> rusqlite::Result<Vec<Lookup>> {
    db.prepare_cached(PAGE)?
        .query_map(params![scope.kind, scope.name, lane, limit, offset], lookup)?
        .collect()
}

const PAGE: &str = "SELECT id, path, title, file_sha256, updated_at FROM documents
     WHERE kind = ?1 AND resource_name = ?2 AND lane = ?3
     ORDER BY updated_at DESC, id DESC LIMIT ?4 OFFSET ?5";

/// The part of a `page` whose title or description holds `part`, and how many do: reads a row for each
/// document of the lane.
pub(crate) fn page_with(
    db: &Connection,
    scope: &Scope,
    lane: &str,
    part: &str,
    (limit, offset): (u32, u32),
) -> rusqlite::Result<(Vec<Lookup>, u64)> {
    let mut rows = db.prepare_cached(
        "SELECT id, path, title, file_sha256, updated_at FROM documents
         WHERE kind = ?1 AND resource_name = ?2
           -- In the order of paths, which is mostly that of the rows; what is found is sorted then.
           AND path >= ?3 AND path < substr(?3, 1, length(?3) - 1) || '0' AND +lane = ?3
           AND (holds_folded(title, ?4) OR holds_folded(description, ?4))
         ORDER BY updated_at DESC, id DESC",
    )?;
    let mut rows = rows.query(params![scope.kind, scope.name, lane, part])?;
    let (mut found, mut total) = (Vec::new(), 0);
    let wanted = u64::from(offset)..u64::from(offset) + u64::from(limit);
    while let Some(row) = rows.next()? {
        if wanted.contains(&total) {
            found.push(lookup(row)?);
        }
        total += 1;
    }
    Ok((found, total))
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

impl Known {
    /// Of a row that begins with these columns.
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            stat: Stat {
                size: row.get::<_, i64>(0)?.cast_unsigned(),
                mtime_ns: row.get(1)?,
                ctime_ns: row.get(2)?,
                inode: row.get::<_, i64>(3)?.cast_unsigned(),
            },
            checked_ns: row.get(4)?,
            file_sha256: row.get(5)?,
            stale: row.get(6)?,
        })
    }
}

/// What the gate knows of all files of a store.
pub(crate) fn known(db: &Connection, scope: &Scope) -> rusqlite::Result<HashMap<String, Known>> {
    db.prepare_cached(
        "SELECT size, mtime_ns, ctime_ns, inode, checked_ns, file_sha256, stale, path FROM documents
         WHERE kind = ?1 AND resource_name = ?2",
    )?
    .query_map(params![scope.kind, scope.name], |row| Ok((row.get(7)?, Known::of_row(row)?)))?
    .collect()
}

const KNOWN_OF: &str = "SELECT size, mtime_ns, ctime_ns, inode, checked_ns, file_sha256, stale
     FROM documents WHERE kind = ?1 AND resource_name = ?2 AND path = ?3";

/// What the gate knows of one file.
pub(crate) fn known_of(
    db: &Connection,
    scope: &Scope,
    path: &str,
) -> rusqlite::Result<Option<Known>> {
    db.prepare_cached(KNOWN_OF)?
        .query_row(params![scope.kind, scope.name, path], Known::of_row)
        .optional()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::schema::migrate;

    /// Each read asks it for each file that changed: it must not look at all others.
    #[test]
    fn one_file_is_found_without_the_others() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let plan: String = db
            .query_row(&format!("EXPLAIN QUERY PLAN {KNOWN_OF}"), ["", "", ""], |row| row.get(3))
            .unwrap();
        assert!(plan.contains("kind=? AND resource_name=? AND path=?"), "{plan}");
    }

    /// A page in the middle of a large lane neither sorts nor looks at documents that it skips.
    #[test]
    fn a_page_follows_an_index() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {PAGE}")).unwrap();
        let plan = plan.query_map(["", "", "", "", ""], |row| row.get(3)).unwrap();
        let plan: Vec<String> = plan.map(Result::unwrap).collect();
        assert_eq!(plan.len(), 1, "{plan:?}");
        assert!(plan[0].contains("kind=? AND resource_name=? AND lane=?"), "{plan:?}");
    }
}
