//! Whether the database is sound, beyond what opening it shows.

use rusqlite::Connection;

/// SQLite's version at run time.
pub(crate) fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// SQLite's own quick check: `None` when sound, else its first complaint.
pub(crate) fn quick_check(db: &Connection) -> rusqlite::Result<Option<String>> {
    let answer: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((answer != "ok").then_some(answer))
}

/// Whether the substring index agrees with its text and each passage has its text. Only the form
/// with rank 1 compares content; it needs a writing connection.
pub(crate) fn fts_is_sound(db: &Connection) -> rusqlite::Result<bool> {
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
    db.query_row(
        "SELECT (SELECT count(*) FROM chunks) = (SELECT count(*) FROM documents_fts_docsize)
            AND (SELECT count(*) FROM chunks) = (SELECT count(*) FROM terms_fts_docsize)",
        [],
        |row| row.get(0),
    )
}
