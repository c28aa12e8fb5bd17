//! Putting documents into the index and taking them out, with their passages.

use coffer_domain::id::Id;
use coffer_domain::similar::BANDS;
use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::folders::{self, Tally};
use super::ids::{claimants, usable_id};
use super::{Scope, problems, ranges, vectors};
use crate::vault::Stat;

/// A document as the index keeps it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DocumentRow {
    /// The id that the file claims: its own or, where it carries none, a derived one.
    pub id: Id,
    /// Relative to the store.
    pub path: String,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// SHA-256 of the body.
    pub content_sha256: String,
    /// SHA-256 of the whole file.
    pub file_sha256: String,
    /// Where the text comes from, in a word of the face.
    pub source_mode: &'static str,
    /// JSON of what the face keeps with it.
    pub metadata: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The file's stat when it was read.
    pub stat: Stat,
    /// When it was read, nanoseconds since 1970.
    pub checked_ns: i64,
}

/// A passage: its text, and the pre-cut columns of the term index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChunkRow {
    /// The text as it stands in the file.
    pub text: String,
    /// Headings above it, `A > B`.
    pub heading_path: String,
    /// First and last line in the file, from 1.
    pub lines: (u32, u32),
    /// Pre-cut: title, heading path, body, identifier parts, neighbors.
    pub terms: [String; 5],
}

/// A document with everything that the index derives from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prepared {
    /// The row.
    pub row: DocumentRow,
    /// Its passages, in order.
    pub chunks: Vec<ChunkRow>,
    /// MinHash bands, for documents that take part in the near-duplicate report.
    pub bands: Option<[i64; BANDS]>,
    /// Why the file could not be read fully, if so.
    pub problem: Option<String>,
}

/// One change of a store's documents.
#[derive(Debug)]
pub(crate) enum Change {
    /// A file as it is now.
    Put(Box<Prepared>),
    /// A file whose bytes are as the index knows them; only its stat is new.
    Seen {
        /// Relative to the store.
        path: String,
        /// Its stat.
        stat: Stat,
        /// Frontmatter, else file time.
        created_at: Timestamp,
        /// The later of frontmatter and file time.
        updated_at: Timestamp,
        /// When it was read, nanoseconds since 1970.
        checked_ns: i64,
    },
    /// A file that is gone.
    Remove(String),
    /// A file that cannot be read now; its last known text stays.
    Stale(String),
}

impl Change {
    /// Bytes of the file that it takes in.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Put(prepared) => prepared.row.stat.size,
            Self::Seen { .. } | Self::Remove(_) | Self::Stale(_) => 0,
        }
    }

    /// The path of a file that is taken in.
    pub(crate) fn put(&self) -> Option<&str> {
        match self {
            Self::Put(prepared) => Some(&prepared.row.path),
            Self::Seen { .. } | Self::Remove(_) | Self::Stale(_) => None,
        }
    }
}

/// Makes changes; returns the paths of documents that must be read again because the id that they
/// carry became free or was taken by an earlier path.
pub(crate) fn apply(
    db: &Connection,
    scope: &Scope,
    changes: &[Change],
) -> rusqlite::Result<Vec<String>> {
    let mut again = Vec::new();
    for change in changes {
        if let Change::Remove(path) = change {
            remove(db, scope, path, &mut again)?;
            problems::clear(db, scope, path)?;
        }
    }
    for change in changes {
        match change {
            Change::Put(prepared) => put(db, scope, prepared, &mut again)?,
            Change::Seen { path, stat, created_at, updated_at, checked_ns } => {
                seen(db, scope, path, *stat, (*created_at, *updated_at), *checked_ns)?;
            }
            Change::Stale(path) => {
                db.prepare_cached(
                    "UPDATE documents SET stale = 1
                     WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
                )?
                .execute(params![scope.kind, scope.name, path])?;
            }
            Change::Remove(_) => {}
        }
    }
    Ok(again)
}

/// Takes all documents of a store out.
pub(crate) fn forget_resource(db: &Connection, scope: &Scope) -> rusqlite::Result<()> {
    let mut paths = db.prepare_cached(
        "SELECT path FROM documents WHERE kind = ?1 AND resource_name = ?2 ORDER BY path",
    )?;
    let paths: Vec<String> = paths
        .query_map(params![scope.kind, scope.name], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for path in paths {
        remove(db, scope, &path, &mut Vec::new())?;
    }
    vectors::forget_sets(db, scope)?;
    problems::clear_all(db, scope)
}

/// Takes at most so many documents of a store out; whether there may be more.
pub(crate) fn forget_some(db: &Connection, scope: &Scope, most: usize) -> rusqlite::Result<bool> {
    let mut numbers = db.prepare_cached(
        "SELECT n FROM documents WHERE kind = ?1 AND resource_name = ?2 LIMIT ?3",
    )?;
    let numbers: Vec<i64> = numbers
        .query_map(params![scope.kind, scope.name, most.cast_signed() as i64], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    numbers.iter().try_for_each(|n| take_out(db, *n))?;
    Ok(numbers.len() == most)
}

/// Has every file of a store looked at again, whatever its stat; what is known of them answers until then.
pub(crate) fn doubt_all(db: &Connection, scope: &Scope) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE documents SET file_sha256 = '', checked_ns = 0
         WHERE kind = ?1 AND resource_name = ?2",
    )?
    .execute(params![scope.kind, scope.name])
    .map(drop)
}

/// As `doubt_all`, for one file.
pub(crate) fn doubt(db: &Connection, scope: &Scope, path: &str) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE documents SET file_sha256 = '', checked_ns = 0
         WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
    )?
    .execute(params![scope.kind, scope.name, path])
    .map(drop)
}

struct Present {
    n: i64,
    id: String,
    claimed_id: String,
    file_sha256: String,
}

fn present(db: &Connection, scope: &Scope, path: &str) -> rusqlite::Result<Option<Present>> {
    db.prepare_cached(
        "SELECT n, id, claimed_id, file_sha256 FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
    )?
    .query_row(params![scope.kind, scope.name, path], |row| {
        Ok(Present {
            n: row.get(0)?,
            id: row.get(1)?,
            claimed_id: row.get(2)?,
            file_sha256: row.get(3)?,
        })
    })
    .optional()
}

fn put(
    db: &Connection,
    scope: &Scope,
    prepared: &Prepared,
    again: &mut Vec<String>,
) -> rusqlite::Result<()> {
    let row = &prepared.row;
    let id = usable_id(db, scope, (&row.id, &row.path), again)?;
    let before = present(db, scope, &row.path)?;
    problems::put_problem(db, scope, &row.path, prepared.problem.as_deref())?;
    if let Some(before) = &before {
        if before.file_sha256 == row.file_sha256 && before.id == id.as_str() {
            return seen(
                db,
                scope,
                &row.path,
                row.stat,
                (row.created_at, row.updated_at),
                row.checked_ns,
            );
        }
        take_out(db, before.n)?;
        if before.claimed_id != row.id.as_str() {
            claimants(db, scope, &before.claimed_id, &row.path, again)?;
        }
    }
    let n = insert_document(db, scope, prepared, &id)?;
    for (position, chunk) in prepared.chunks.iter().enumerate() {
        insert_chunk(db, scope, (n, &id), position, chunk)?;
    }
    insert_bands(db, n, prepared.bands.as_ref())
}

fn remove(
    db: &Connection,
    scope: &Scope,
    path: &str,
    again: &mut Vec<String>,
) -> rusqlite::Result<()> {
    if let Some(before) = present(db, scope, path)? {
        take_out(db, before.n)?;
        claimants(db, scope, &before.claimed_id, path, again)?;
    }
    Ok(())
}

pub(super) fn take_out(db: &Connection, n: i64) -> rusqlite::Result<()> {
    let mut chunks = db.prepare_cached("SELECT n FROM chunks WHERE document_n = ?1")?;
    let chunks: Vec<i64> =
        chunks.query_map([n], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    vectors::forget_passages(db, n, &chunks)?;
    folders::take_away(db, n)?;
    for chunk in chunks {
        db.prepare_cached("DELETE FROM documents_fts WHERE rowid = ?1")?.execute([chunk])?;
        db.prepare_cached("DELETE FROM terms_fts WHERE rowid = ?1")?.execute([chunk])?;
    }
    db.prepare_cached("DELETE FROM chunks WHERE document_n = ?1")?.execute([n])?;
    db.prepare_cached("DELETE FROM signatures WHERE document_n = ?1")?.execute([n])?;
    db.prepare_cached("DELETE FROM documents WHERE n = ?1")?.execute([n])?;
    Ok(())
}

fn insert_document(
    db: &Connection,
    scope: &Scope,
    Prepared { row, chunks, .. }: &Prepared,
    id: &Id,
) -> rusqlite::Result<i64> {
    db.prepare_cached(
        "INSERT INTO documents (id, kind, resource_name, project_id, path, title, description,
             content_sha256, claimed_id, metadata, created_at, updated_at, file_sha256, size,
             mtime_ns, ctime_ns, inode, checked_ns, embed_pending, chunk_count, source_mode)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
             ?20, ?21)",
    )?
    .execute(params![
        id.as_str(),
        scope.kind,
        scope.name,
        scope.project_id,
        row.path,
        row.title,
        row.description,
        row.content_sha256,
        row.id.as_str(),
        row.metadata,
        row.created_at.micros(),
        row.updated_at.micros(),
        row.file_sha256,
        row.stat.size.cast_signed(),
        row.stat.mtime_ns,
        row.stat.ctime_ns,
        row.stat.inode.cast_signed(),
        row.checked_ns,
        vectors::is_embedded(db, scope)?,
        chunks.len().cast_signed() as i64,
        row.source_mode,
    ])?;
    let n = db.last_insert_rowid();
    let held = Tally { documents: 1, chunks: chunks.len() as u64, bytes: row.stat.size };
    folders::add(db, (scope.kind, &scope.name, &row.path), held)?;
    Ok(n)
}

fn insert_chunk(
    db: &Connection,
    scope: &Scope,
    (document_n, document_id): (i64, &Id),
    position: usize,
    chunk: &ChunkRow,
) -> rusqlite::Result<()> {
    let id = format!("{}:{document_id}:{position}", scope.token);
    let n = ranges::next(db, scope)?;
    db.prepare_cached(
        "INSERT INTO chunks (n, id, document_n, document_id, kind, resource_name, position,
             heading_path, line_start, line_end)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        n,
        id,
        document_n,
        document_id.as_str(),
        scope.kind,
        scope.name,
        position.cast_signed() as i64,
        chunk.heading_path,
        chunk.lines.0,
        chunk.lines.1,
    ])?;
    db.prepare_cached(
        "INSERT INTO documents_fts (rowid, text, resource_name, chunk_id) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![n, chunk.text, scope.name, id])?;
    let [title, heading, body, parts, neighbors] = &chunk.terms;
    db.prepare_cached(
        "INSERT INTO terms_fts (rowid, title, heading, body, parts, neighbors)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![n, title, heading, body, parts, neighbors])?;
    Ok(())
}

fn insert_bands(
    db: &Connection,
    document_n: i64,
    bands: Option<&[i64; BANDS]>,
) -> rusqlite::Result<()> {
    let mut insert =
        db.prepare_cached("INSERT OR IGNORE INTO signatures (band, document_n) VALUES (?1, ?2)")?;
    for band in bands.into_iter().flatten() {
        insert.execute(params![band, document_n])?;
    }
    Ok(())
}

fn seen(
    db: &Connection,
    scope: &Scope,
    path: &str,
    stat: Stat,
    (created_at, updated_at): (Timestamp, Timestamp),
    checked_ns: i64,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE documents SET size = ?4, mtime_ns = ?5, ctime_ns = ?6, inode = ?7, checked_ns = ?8,
             created_at = ?9, updated_at = ?10, stale = 0
         WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
    )?
    .execute(params![
        scope.kind,
        scope.name,
        path,
        stat.size.cast_signed(),
        stat.mtime_ns,
        stat.ctime_ns,
        stat.inode.cast_signed(),
        checked_ns,
        created_at.micros(),
        updated_at.micros(),
    ])?;
    Ok(())
}
