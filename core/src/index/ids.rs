//! Which document may use which id: one each, whatever order files are found in.

use coffer_domain::id::Id;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::Scope;
use super::documents::take_out;

/// The id that a file may use: the one that it claims, unless a file of an earlier path claims the
/// same. Whoever holds it with less right is read again, so that the outcome does not depend on the
/// order.
pub(super) fn usable_id(
    db: &Connection,
    scope: &Scope,
    (claimed, path): (&Id, &str),
    again: &mut Vec<String>,
) -> rusqlite::Result<Id> {
    match holder(db, scope, claimed, path)? {
        None => Ok(claimed.clone()),
        Some(holder) if holder.claims && holder.path.as_str() < path => spare_id(db, scope, path),
        Some(holder) => {
            take_out(db, holder.n)?;
            again.push(holder.path);
            Ok(claimed.clone())
        }
    }
}

/// An id for a file whose own is another one's: derived from its path, past those that are claimed.
fn spare_id(db: &Connection, scope: &Scope, path: &str) -> rusqlite::Result<Id> {
    let mut salted = path.to_owned();
    loop {
        let id = Id::of_file(&scope.name, &salted);
        if holder(db, scope, &id, path)?.is_none() {
            return Ok(id);
        }
        salted.push('\0');
    }
}

struct Holder {
    n: i64,
    path: String,
    /// Whether it is the id that this file claims.
    claims: bool,
}

/// The other document that uses an id.
fn holder(db: &Connection, scope: &Scope, id: &Id, path: &str) -> rusqlite::Result<Option<Holder>> {
    db.prepare_cached(
        "SELECT n, path, claimed_id = id FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND id = ?3 AND path <> ?4",
    )?
    .query_row(params![scope.kind, scope.name, id.as_str(), path], |row| {
        Ok(Holder { n: row.get(0)?, path: row.get(1)?, claims: row.get(2)? })
    })
    .optional()
}

/// Other files that claim an id which just became free.
pub(super) fn claimants(
    db: &Connection,
    scope: &Scope,
    id: &str,
    path: &str,
    again: &mut Vec<String>,
) -> rusqlite::Result<()> {
    let mut others = db.prepare_cached(
        "SELECT path FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND claimed_id = ?3 AND path <> ?4
         ORDER BY path LIMIT 1",
    )?;
    let found = others
        .query_map(params![scope.kind, scope.name, id, path], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    again.extend(found);
    Ok(())
}
