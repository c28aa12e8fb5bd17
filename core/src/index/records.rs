//! Documents with all that the index keeps of them, for answers that need no file.

use coffer_domain::id::Id;
use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::Scope;

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// The id in use.
    pub id: Id,
    /// Relative to the store.
    pub path: String,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// Where the text comes from, in a word of the face.
    pub source_mode: String,
    /// JSON of what the face keeps with it.
    pub metadata: String,
    /// SHA-256 of the whole file.
    pub file_sha256: String,
    /// Whether it waits for vectors.
    pub embed_pending: bool,
    /// Its passages.
    pub chunks: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What tells where a document's original comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin<'a> {
    /// `original_filename` of the metadata.
    Filename(&'a str),
    /// `source_path` of the metadata.
    Path(&'a str),
}

const COLUMNS: &str = "id, path, title, description, source_mode, metadata, file_sha256,
     embed_pending, chunk_count, created_at, updated_at";

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let id: String = row.get(0)?;
    Ok(Record {
        id: Id::parse(&id).unwrap_or_else(|| Id::of_file("", &id)),
        path: row.get(1)?,
        title: row.get(2)?,
        description: row.get(3)?,
        source_mode: row.get(4)?,
        metadata: row.get(5)?,
        file_sha256: row.get(6)?,
        embed_pending: row.get(7)?,
        chunks: row.get::<_, i64>(8)?.cast_unsigned(),
        created_at: Timestamp::from_micros(row.get(9)?),
        updated_at: Timestamp::from_micros(row.get(10)?),
    })
}

/// The document of an id.
pub(crate) fn record_of(
    db: &Connection,
    scope: &Scope,
    id: &Id,
) -> rusqlite::Result<Option<Record>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM documents WHERE kind = ?1 AND resource_name = ?2 AND id = ?3"
    ))?
    .query_row(params![scope.kind, scope.name, id.as_str()], record)
    .optional()
}

/// The document of an original, the oldest where there are several.
pub(crate) fn record_from(
    db: &Connection,
    scope: &Scope,
    origin: Origin<'_>,
) -> rusqlite::Result<Option<Record>> {
    let (key, value) = match origin {
        Origin::Filename(name) => ("original_filename", name),
        Origin::Path(path) => ("source_path", path),
    };
    db.prepare_cached(&from(key))?
        .query_row(params![scope.kind, scope.name, value], record)
        .optional()
}

fn from(key: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM documents
         WHERE kind = ?1 AND resource_name = ?2 AND json_extract(metadata, '$.{key}') = ?3
             AND json_extract(metadata, '$.{key}') IS NOT NULL
         ORDER BY +id LIMIT 1"
    )
}

/// All documents whose original stands somewhere, by its place.
pub(crate) fn sourced(db: &Connection, scope: &Scope) -> rusqlite::Result<Vec<Record>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM documents
         WHERE kind = ?1 AND resource_name = ?2
             AND json_extract(metadata, '$.source_path') IS NOT NULL
         ORDER BY json_extract(metadata, '$.source_path'), id"
    ))?
    .query_map(params![scope.kind, scope.name], record)?
    .collect()
}

/// The paths of all documents that were made of an original.
pub(crate) fn converted(db: &Connection, scope: &Scope) -> rusqlite::Result<Vec<String>> {
    db.prepare_cached(
        "SELECT path FROM documents
         WHERE kind = ?1 AND resource_name = ?2
             AND json_extract(metadata, '$.source_sha256') IS NOT NULL
         ORDER BY path",
    )?
    .query_map(params![scope.kind, scope.name], |row| row.get(0))?
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::schema::migrate;

    /// Each file of a folder asks for its document: it must not look at all others.
    #[test]
    fn a_document_is_found_by_its_original_without_the_others() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        for (key, index) in
            [("original_filename", "documents_by_original"), ("source_path", "documents_by_source")]
        {
            let query = format!("EXPLAIN QUERY PLAN {}", from(key));
            let plan: String = db.query_row(&query, ["", "", ""], |row| row.get(3)).unwrap();
            assert!(plan.contains(index), "{plan}");
        }
    }
}
