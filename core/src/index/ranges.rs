//! The range of row ids that the passages of one store have in the keyword indexes.
//!
//! FTS5 seeks in its lists by row id, so that a question to one store does not pay for the others.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::Scope;

/// So many passages fit into one store: 2^32.
const WIDTH: u32 = 32;

/// First and last row id of a store; `None` for one that never had a passage.
pub(super) fn range(db: &Connection, scope: &Scope) -> rusqlite::Result<Option<(i64, i64)>> {
    db.prepare_cached("SELECT n FROM scopes WHERE kind = ?1 AND resource_name = ?2")?
        .query_row(params![scope.kind, scope.name], |row| row.get(0))
        .optional()
        .map(|number| number.map(of_number))
}

/// The range of the store of a number, from 1.
const fn of_number(number: i64) -> (i64, i64) {
    ((number - 1) << WIDTH, (number << WIDTH) - 1)
}

/// A row id for a new passage of a store.
pub(super) fn next(db: &Connection, scope: &Scope) -> rusqlite::Result<i64> {
    let (first, last) = match range(db, scope)? {
        Some(range) => range,
        None => {
            db.prepare_cached("INSERT INTO scopes (kind, resource_name) VALUES (?1, ?2)")?
                .execute(params![scope.kind, scope.name])?;
            of_number(db.last_insert_rowid())
        }
    };
    db.prepare_cached("SELECT coalesce(max(n), ?1) + 1 FROM chunks WHERE n BETWEEN ?1 AND ?2")?
        .query_row(params![first, last], |row| row.get(0))
}
