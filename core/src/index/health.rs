//! Whether the database is sound, beyond what opening it shows.

use rusqlite::Connection;

use super::vectors;

/// SQLite's version at run time.
pub(crate) fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// What is wrong with a database that opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Harm {
    /// What is derived does not agree with itself; filling it again mends it.
    Derived,
    /// Pages of the file are damaged, so that nothing in it can be trusted.
    File,
}

/// Whether the pages of the file are whole.
///
/// Needs a connection that was never used to search, since the check looks into the keyword indexes
/// too: see `agrees`.
pub(super) fn is_whole(db: &Connection) -> rusqlite::Result<bool> {
    let answer: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if answer != "ok" {
        tracing::error!(answer, "the database failed its quick check");
    }
    Ok(answer == "ok")
}

/// Whether the substring index agrees with the text, and each passage stands in both keyword
/// indexes. Only the form of FTS5's check with rank 1 compares content.
///
/// Needs the writing connection: a reading one that has searched before keeps a picture of the
/// keyword indexes, and SQLite 3.54.1 then takes the writer's later changes for damage.
pub(super) fn agrees(db: &Connection) -> rusqlite::Result<bool> {
    let check = "INSERT INTO documents_fts (documents_fts, rank) VALUES ('integrity-check', 1)";
    match db.execute(check, []) {
        Ok(_) => {}
        Err(rusqlite::Error::SqliteFailure(code, _))
            if code.code == rusqlite::ErrorCode::DatabaseCorrupt =>
        {
            return Ok(false);
        }
        Err(error) => return Err(error),
    }
    let is_whole: bool = db.query_row(
        "SELECT (SELECT count(*) FROM chunks) = (SELECT count(*) FROM documents_fts_docsize)
            AND (SELECT count(*) FROM chunks) = (SELECT count(*) FROM terms_fts_docsize)",
        [],
        |row| row.get(0),
    )?;
    Ok(is_whole && vectors::agree(db)?)
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
