//! The two keyword indexes asked for passages.

use coffer_domain::id::Id;
use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::Scope;
use super::ranges::range;

/// A passage that matched; its text is fetched later, for the few that are shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PassageRow {
    /// The passage.
    pub chunk: i64,
    /// Its document.
    pub document: Id,
    /// Relative to the store.
    pub path: String,
    /// The document's title.
    pub title: String,
    /// When the document last changed.
    pub updated_at: Timestamp,
    /// JSON of what the face keeps with the document.
    pub metadata: String,
    /// Where in the document it stands.
    pub place: Place,
    /// Higher is better.
    pub score: f64,
}

/// Where in its document a passage stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// From 0.
    pub position: u32,
    /// Headings above it, `A > B`.
    pub heading_path: String,
    /// First and last line in the file, from 1.
    pub lines: (u32, u32),
}

fn passage(row: &Row<'_>) -> rusqlite::Result<PassageRow> {
    let id: String = row.get(1)?;
    Ok(PassageRow {
        chunk: row.get(0)?,
        document: Id::parse(&id).unwrap_or_else(|| Id::of_file("", &id)),
        path: row.get(2)?,
        title: row.get(3)?,
        updated_at: Timestamp::from_micros(row.get(4)?),
        metadata: row.get(5)?,
        score: row.get(6)?,
        place: Place {
            position: row.get(7)?,
            heading_path: row.get(8)?,
            lines: (row.get(9)?, row.get(10)?),
        },
    })
}

/// Passages ranked by terms. The weights are those of title, heading path, body, identifier parts,
/// neighbors.
pub(crate) fn by_terms(
    db: &Connection,
    scope: &Scope,
    expression: &str,
    limit: u32,
) -> rusqlite::Result<Vec<PassageRow>> {
    let Some((first, last)) = range(db, scope)? else { return Ok(Vec::new()) };
    db.prepare_cached(
        "SELECT c.n, d.id, d.path, d.title, d.updated_at, d.metadata, m.score, c.position, c.heading_path,
                c.line_start, c.line_end
         FROM (SELECT rowid AS n, -bm25(terms_fts, 1.0, 1.0, 1.0, 0.3, 0.4) AS score
               FROM terms_fts WHERE terms_fts MATCH ?1 AND rowid BETWEEN ?2 AND ?3
               ORDER BY score DESC LIMIT ?4) m
         JOIN chunks c ON c.n = m.n
         JOIN documents d ON d.n = c.document_n
         ORDER BY m.score DESC, d.updated_at DESC, d.id, c.position",
    )?
    .query_map(params![expression, first, last, limit], passage)?
    .collect()
}

/// Passages that hold substrings, by an expression for the trigram index.
pub(crate) fn by_trigram(
    db: &Connection,
    scope: &Scope,
    expression: &str,
    limit: u32,
) -> rusqlite::Result<Vec<PassageRow>> {
    let Some((first, last)) = range(db, scope)? else { return Ok(Vec::new()) };
    db.prepare_cached(
        "SELECT c.n, d.id, d.path, d.title, d.updated_at, d.metadata, -bm25(documents_fts) AS score,
                c.position, c.heading_path, c.line_start, c.line_end
         FROM documents_fts f
         JOIN chunks c ON c.n = f.rowid
         JOIN documents d ON d.n = c.document_n
         WHERE documents_fts MATCH ?1 AND f.rowid BETWEEN ?2 AND ?3
         ORDER BY score DESC, d.updated_at DESC, d.id, c.position LIMIT ?4",
    )?
    .query_map(params![expression, first, last, limit], passage)?
    .collect()
}

/// Passages that hold a text literally, newest first: for what no index can answer.
pub(crate) fn by_literal(
    db: &Connection,
    scope: &Scope,
    text: &str,
    limit: u32,
) -> rusqlite::Result<Vec<PassageRow>> {
    let Some((first, last)) = range(db, scope)? else { return Ok(Vec::new()) };
    db.prepare_cached(
        "SELECT c.n, d.id, d.path, d.title, d.updated_at, d.metadata, 1.0 AS score, c.position, c.heading_path,
                c.line_start, c.line_end
         FROM documents_fts f
         JOIN chunks c ON c.n = f.rowid
         JOIN documents d ON d.n = c.document_n
         WHERE f.rowid BETWEEN ?2 AND ?3 AND instr(lower(f.text), lower(?1)) > 0
         ORDER BY d.updated_at DESC, d.id, c.position LIMIT ?4",
    )?
    .query_map(params![text, first, last, limit], passage)?
    .collect()
}

/// Passages by their row ids, in that order; one that is gone is left out. The score is the one
/// given.
pub(crate) fn passages(
    db: &Connection,
    scored: &[(i64, f64)],
) -> rusqlite::Result<Vec<PassageRow>> {
    let mut one = db.prepare_cached(
        "SELECT c.n, d.id, d.path, d.title, d.updated_at, d.metadata, ?2, c.position, c.heading_path,
                c.line_start, c.line_end
         FROM chunks c JOIN documents d ON d.n = c.document_n WHERE c.n = ?1",
    )?;
    let found = scored
        .iter()
        .map(|(chunk, score)| one.query_row(params![chunk, score], passage).optional());
    found.filter_map(Result::transpose).collect()
}

/// All passages of a document, in order.
pub(crate) fn passages_of(
    db: &Connection,
    scope: &Scope,
    path: &str,
) -> rusqlite::Result<Vec<PassageRow>> {
    db.prepare_cached(
        "SELECT c.n, d.id, d.path, d.title, d.updated_at, d.metadata, 1.0, c.position,
                c.heading_path, c.line_start, c.line_end
         FROM documents d JOIN chunks c ON c.document_n = d.n
         WHERE d.kind = ?1 AND d.resource_name = ?2 AND d.path = ?3 ORDER BY c.position",
    )?
    .query_map(params![scope.kind, scope.name, path], passage)?
    .collect()
}

/// The texts of passages, in the order of `chunks`; one that is gone is empty.
pub(crate) fn texts(db: &Connection, chunks: &[i64]) -> rusqlite::Result<Vec<String>> {
    let mut text = db.prepare_cached("SELECT text FROM documents_fts WHERE rowid = ?1")?;
    chunks
        .iter()
        .map(|chunk| {
            let mut rows = text.query([chunk])?;
            rows.next()?.map_or_else(|| Ok(String::new()), |row| row.get(0))
        })
        .collect()
}
