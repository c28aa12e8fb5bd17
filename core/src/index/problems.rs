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

/// Notes what a walk skipped, in place of what the last one did. Problems of documents that are in
/// the index stay.
pub(crate) fn set_skipped<'a>(
    db: &Connection,
    scope: &Scope,
    skipped: impl Iterator<Item = (&'a str, &'a str)>,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "DELETE FROM problems WHERE kind = ?1 AND resource_name = ?2 AND path NOT IN
             (SELECT path FROM documents WHERE kind = ?1 AND resource_name = ?2)",
    )?
    .execute(params![scope.kind, scope.name])?;
    for (path, reason) in skipped {
        put_problem(db, scope, path, Some(reason))?;
    }
    Ok(())
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

/// Files that carry an id which another file holds: store, path, the other's path.
pub(crate) fn duplicate_ids(db: &Connection) -> rusqlite::Result<Vec<(String, String, String)>> {
    db.prepare_cached(
        "SELECT d.resource_name, d.path, o.path FROM documents d
         JOIN documents o ON o.kind = d.kind AND o.resource_name = d.resource_name
             AND o.id = d.file_id
         WHERE d.file_id <> d.id ORDER BY d.resource_name, d.path",
    )?
    .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
    .collect()
}
