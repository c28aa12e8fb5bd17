//! Filling a set: which passages lack a vector, and keeping those that a model gave.

use rusqlite::{Connection, params};

use super::{VectorSet, bytes, drop_set, is_there, vector_sets};
use crate::index::{Scope, tally};

/// A passage that has no vector in a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unembedded {
    /// The passage.
    pub chunk: i64,
    document: i64,
    position: i64,
    /// SHA-256 of its file.
    pub file_sha256: String,
    /// Title or headings.
    pub heading: String,
    /// The text.
    pub text: String,
    /// Its file, relative to the store.
    pub path: String,
    /// Where in the file the text begins, from 1.
    pub first_line: u32,
}

impl Unembedded {
    /// Its place in the order in which passages are embedded.
    pub(crate) const fn place(&self) -> (i64, i64) {
        (self.document, self.position)
    }
}

/// Passages of documents that wait, after a place in their order; none for a set that is gone.
pub(crate) fn unembedded(
    db: &Connection,
    scope: &Scope,
    set: &VectorSet,
    (document, position): (i64, i64),
    limit: u32,
) -> rusqlite::Result<Vec<Unembedded>> {
    if !is_there(db, set)? {
        return Ok(Vec::new());
    }
    db.prepare_cached(&format!(
        "SELECT c.n, d.n, c.position, d.file_sha256, d.title, c.heading_path, f.text, d.path,
             c.line_start
         FROM documents d
         JOIN chunks c ON c.document_n = d.n
         JOIN documents_fts f ON f.rowid = c.n
         WHERE d.kind = ?1 AND d.resource_name = ?2 AND d.embed_pending = 1
             AND d.n >= ?3 AND (d.n, c.position) > (?3, ?4)
             AND NOT EXISTS (SELECT 1 FROM {} v WHERE v.rowid = c.n)
         ORDER BY d.n, c.position LIMIT ?5",
        set.table
    ))?
    .query_map(params![scope.kind, scope.name, document, position, limit], |row| {
        let (title, heading): (String, String) = (row.get(4)?, row.get(5)?);
        Ok(Unembedded {
            chunk: row.get(0)?,
            document: row.get(1)?,
            position: row.get(2)?,
            file_sha256: row.get(3)?,
            heading: if heading.is_empty() || heading == title { title } else { heading },
            text: row.get(6)?,
            path: row.get(7)?,
            first_line: row.get(8)?,
        })
    })?
    .collect()
}

/// Keeps vectors of passages that are still what they were; `None` stands for a text without one.
/// Their documents wait no more, but the last one while it may have further passages: how many those
/// are. `None` for a set that is gone.
pub(crate) fn put_vectors(
    db: &Connection,
    set: &VectorSet,
    passages: &[(Unembedded, Option<Vec<f32>>)],
    may_go_on: bool,
) -> rusqlite::Result<Option<u64>> {
    if !is_there(db, set)? {
        return Ok(None);
    }
    let mut is_same = db.prepare_cached(
        "SELECT 1 FROM chunks c JOIN documents d ON d.n = c.document_n
         WHERE c.n = ?1 AND c.position = ?2 AND d.n = ?3 AND d.file_sha256 = ?4",
    )?;
    let mut remove = db.prepare_cached(&format!("DELETE FROM {} WHERE rowid = ?1", set.table))?;
    let (columns, values) =
        if set.has_signs() { (", signs", ", vec_quantize_binary(?2)") } else { ("", "") };
    let mut insert = db.prepare_cached(&format!(
        "INSERT INTO {} (rowid, embedding{columns}) VALUES (?1, ?2{values})",
        set.table
    ))?;
    let mut done = db.prepare_cached(
        "UPDATE documents SET embed_pending = 0
         WHERE n = ?1 AND file_sha256 = ?2 AND embed_pending = 1",
    )?;
    let mut settled = 0;
    let open = passages.last().filter(|_| may_go_on).map(|(last, _)| last.document);
    for (passage, vector) in passages {
        let Unembedded { chunk, document, position, file_sha256, .. } = passage;
        if let Some(vector) = vector
            && is_same.exists(params![chunk, position, document, file_sha256])?
        {
            // vec0 ignores `OR REPLACE`.
            remove.execute([chunk])?;
            insert.execute(params![chunk, bytes(vector)])?;
        }
        if open != Some(*document) {
            settled += done.execute(params![document, file_sha256])? as u64;
        }
    }
    Ok(Some(settled))
}

/// After the last waiting passage: a set that lacks none answers from now on, and all others go.
/// Whether it is so.
pub(crate) fn complete_set(
    db: &Connection,
    scope: &Scope,
    set: &VectorSet,
) -> rusqlite::Result<bool> {
    if !is_there(db, set)? {
        return Ok(false);
    }
    db.prepare_cached(&format!(
        "UPDATE documents SET embed_pending = 0
         WHERE kind = ?1 AND resource_name = ?2 AND embed_pending = 1
             AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.document_n = documents.n
                 AND NOT EXISTS (SELECT 1 FROM {} v WHERE v.rowid = c.n))",
        set.table
    ))?
    .execute(params![scope.kind, scope.name])?;
    if waiting(db, scope)? > 0 {
        return Ok(false);
    }
    db.prepare_cached("UPDATE vector_sets SET complete = 1 WHERE n = ?1 AND complete = 0")?
        .execute([set.n])?;
    vector_sets(db, scope)?
        .iter()
        .filter(|other| other.n != set.n)
        .try_for_each(|other| drop_set(db, other))?;
    Ok(true)
}

/// How many documents of a store wait to be embedded.
pub(crate) fn waiting(db: &Connection, scope: &Scope) -> rusqlite::Result<u64> {
    db.prepare_cached(
        "SELECT count(*) FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND embed_pending = 1",
    )?
    .query_row(params![scope.kind, scope.name], |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
}

/// How many documents of a store wait for vectors of a model: all, where it has no set.
pub(crate) fn waiting_for(db: &Connection, scope: &Scope, model: &str) -> rusqlite::Result<u64> {
    if vector_sets(db, scope)?.iter().any(|set| set.model == model) {
        return waiting(db, scope);
    }
    Ok(tally(db, scope, "")?.documents)
}
