//! Taking out only what is not as it should be: the rows of some files, and those that belong to none.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::documents::take_out;
use super::fingerprint::Part;
use super::{folders, vectors};

/// Takes out what is known of some files, and rows without a file. The next comparison fills it again;
/// vectors of all other passages stay. What a keyword index lost track of cannot be taken out of it: then
/// it has to be emptied as a whole.
pub(super) fn forget_parts(db: &Connection, parts: &BTreeSet<Part>) -> rusqlite::Result<()> {
    for Part { kind, store, path, what: _ } in parts {
        let n = db
            .prepare_cached(
                "SELECT n FROM documents WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
            )?
            .query_row([kind, store, path], |row| row.get(0))
            .optional()?;
        n.map_or(Ok(()), |n| take_out(db, n))?;
        db.prepare_cached(
            "DELETE FROM problems WHERE kind = ?1 AND resource_name = ?2 AND path = ?3 AND path <> ''",
        )?
        .execute(params![kind, store, path])?;
    }
    db.execute_batch(
        "DELETE FROM chunks WHERE document_n NOT IN (SELECT n FROM documents);
         DELETE FROM signatures WHERE document_n NOT IN (SELECT n FROM documents);
         DELETE FROM documents_fts WHERE rowid IN (
             SELECT id FROM documents_fts_docsize WHERE id NOT IN (SELECT n FROM chunks));
         DELETE FROM terms_fts WHERE rowid IN (
             SELECT id FROM terms_fts_docsize WHERE id NOT IN (SELECT n FROM chunks));",
    )?;
    folders::recount(db)?;
    vectors::forget_strays(db)
}
