//! Files that could not be read fully: nothing is skipped in silence.

use rusqlite::{Connection, params};

use super::Scope;

/// One such file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProblemRow {
    /// `memory` or `knowledge_base`.
    pub kind: String,
    /// The store.
    pub store: String,
    /// Relative to the store.
    pub path: String,
    /// Why, in plain words.
    pub reason: String,
}

/// Notes why a file could not be read, or that it can.
pub(crate) fn put_problem(
    db: &Connection,
    scope: &Scope,
    path: &str,
    reason: Option<&str>,
) -> rusqlite::Result<()> {
    let Some(reason) = reason else { return clear(db, scope, path) };
    db.prepare_cached(
        "INSERT INTO problems (kind, resource_name, path, reason) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET reason = excluded.reason",
    )?
    .execute(params![scope.kind, scope.name, path, reason])?;
    Ok(())
}

/// What the last walk noted, by path: problems of documents that are in the index are not of it.
pub(crate) fn skipped_before(
    db: &Connection,
    scope: &Scope,
) -> rusqlite::Result<Vec<(String, String)>> {
    db.prepare_cached(
        "SELECT path, reason FROM problems WHERE kind = ?1 AND resource_name = ?2 AND path NOT IN
             (SELECT path FROM documents WHERE kind = ?1 AND resource_name = ?2) ORDER BY path",
    )?
    .query_map(params![scope.kind, scope.name], |row| Ok((row.get(0)?, row.get(1)?)))?
    .collect()
}

/// Notes paths that a walk skipped and why, in place of what `skipped_before` gives.
pub(crate) fn set_skipped(
    db: &Connection,
    scope: &Scope,
    skipped: &[(&str, &str)],
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "DELETE FROM problems WHERE kind = ?1 AND resource_name = ?2 AND path NOT IN
             (SELECT path FROM documents WHERE kind = ?1 AND resource_name = ?2)",
    )?
    .execute(params![scope.kind, scope.name])?;
    skipped.iter().try_for_each(|(path, reason)| put_problem(db, scope, path, Some(reason)))
}

/// Takes a file off the list.
pub(super) fn clear(db: &Connection, scope: &Scope, path: &str) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM problems WHERE kind = ?1 AND resource_name = ?2 AND path = ?3")?
        .execute(params![scope.kind, scope.name, path])?;
    Ok(())
}

/// Takes all files of a store off the list.
pub(super) fn clear_all(db: &Connection, scope: &Scope) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM problems WHERE kind = ?1 AND resource_name = ?2")?
        .execute(params![scope.kind, scope.name])?;
    Ok(())
}

/// The whole list.
pub(crate) fn problems(db: &Connection) -> rusqlite::Result<Vec<ProblemRow>> {
    db.prepare_cached(
        "SELECT kind, resource_name, path, reason FROM problems ORDER BY kind, resource_name, path",
    )?
    .query_map([], |row| {
        Ok(ProblemRow {
            kind: row.get(0)?,
            store: row.get(1)?,
            path: row.get(2)?,
            reason: row.get(3)?,
        })
    })?
    .collect()
}

/// A file whose id another file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DuplicateRow {
    /// `memory` or `knowledge_base`.
    pub kind: String,
    /// The store.
    pub store: String,
    /// Relative to the store.
    pub path: String,
    /// The other file.
    pub other: String,
}

/// Files whose id another file holds.
pub(crate) fn duplicate_ids(db: &Connection) -> rusqlite::Result<Vec<DuplicateRow>> {
    db.prepare_cached(
        "SELECT d.kind, d.resource_name, d.path, o.path FROM documents d
         JOIN documents o ON o.kind = d.kind AND o.resource_name = d.resource_name
             AND o.id = d.claimed_id
         WHERE d.claimed_id <> d.id ORDER BY d.kind, d.resource_name, d.path",
    )?
    .query_map([], |row| {
        Ok(DuplicateRow {
            kind: row.get(0)?,
            store: row.get(1)?,
            path: row.get(2)?,
            other: row.get(3)?,
        })
    })?
    .collect()
}
