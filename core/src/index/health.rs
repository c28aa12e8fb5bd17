//! Whether the database is sound, beyond what opening it shows.

use rusqlite::Connection;

use super::{folders, vectors};

/// SQLite's version at run time.
pub(crate) fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// What is wrong with a database that opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Harm {
    /// Rows of what is derived do not belong together; those can be told, and the rest is sound.
    Rows,
    /// What is derived does not agree with itself; filling it again mends it.
    Derived,
    /// Pages of the file are damaged, so that nothing in it can be trusted.
    File,
}

/// What SQLite's check says of a keyword index that does not agree with its texts.
const DISAGREES: [&str; 2] =
    ["malformed inverted index for FTS", "unable to validate the inverted index for FTS"];

/// What is wrong with a database, if something is: its pages, or what is derived. The check compares
/// the substring index with the texts, too.
///
/// Needs a connection that was never used to search: one that has keeps a picture of the keyword
/// indexes, and SQLite 3.54.1 then takes the writer's later changes for damage. A reading one will do,
/// so that no writer waits.
pub(super) fn harm(db: &Connection) -> rusqlite::Result<Option<Harm>> {
    let mut check = db.prepare("PRAGMA quick_check(20)")?;
    let rows = check.query_map([], |row| row.get::<_, String>(0))?;
    let found: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
    let is_of_keywords = |line: &String| DISAGREES.iter().any(|start| line.starts_with(start));
    if found == ["ok"] {
        return Ok(match (has_all_words(db)?, vectors::agree(db)? && folders::agree(db)?) {
            (false, _) => Some(Harm::Derived),
            (true, false) => Some(Harm::Rows),
            (true, true) => None,
        });
    }
    tracing::error!(?found, "the database failed its quick check");
    Ok(Some(if found.iter().all(is_of_keywords) { Harm::Derived } else { Harm::File }))
}

/// Whether each passage stands in both keyword indexes.
fn has_all_words(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row(
        "SELECT (SELECT count(*) FROM chunks) = (SELECT count(*) FROM documents_fts_docsize)
            AND (SELECT count(*) FROM chunks) = (SELECT count(*) FROM terms_fts_docsize)",
        [],
        |row| row.get(0),
    )
}

/// Every derived row but those that only the moment of indexing decides, in canonical order: two
/// indexes of the same files give the same lines.
#[cfg(test)]
pub(crate) fn dump(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let queries = [
        "SELECT json_array(id, kind, resource_name, project_id, path, title, description,
             content_sha256, claimed_id, embed_pending, source_mode, metadata, created_at, updated_at,
             file_sha256, size, mtime_ns, stale) FROM documents ORDER BY kind, resource_name, path",
        "SELECT json_array(c.id, c.document_id, c.position, c.heading_path, c.line_start,
             c.line_end, f.text, f.chunk_id, f.resource_name)
         FROM chunks c JOIN documents_fts f ON f.rowid = c.n ORDER BY c.id",
        "SELECT json_array(v.term, v.col, v.offset, c.id) FROM temp.term_rows v
         JOIN chunks c ON c.n = v.doc ORDER BY 1",
        "SELECT json_array(s.band, d.id) FROM signatures s JOIN documents d ON d.n = s.document_n
         ORDER BY 1",
        "SELECT json_array(kind, resource_name, path, reason) FROM problems ORDER BY 1",
        "SELECT json_array(kind, resource_name, path, documents, chunks, bytes) FROM folders
         ORDER BY 1",
    ];
    db.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_rows USING fts5vocab('main', 'terms_fts', 'instance')",
    )?;
    let mut lines = Vec::new();
    for query in queries {
        let mut rows = db.prepare(query)?;
        for row in rows.query_map([], |row| row.get(0))? {
            lines.push(row?);
        }
    }
    Ok(lines)
}
