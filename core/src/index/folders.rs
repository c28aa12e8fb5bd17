//! What a store's folders hold, in numbers that the transaction of each change keeps: counting costs no
//! more in a large store.

use std::ops::AddAssign;

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::Scope;

/// Documents of a folder and of all below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// How many.
    pub documents: u64,
    /// Their passages.
    pub chunks: u64,
    /// Bytes of their files.
    pub bytes: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.chunks += other.chunks;
        self.bytes += other.bytes;
    }
}

/// Adds what a new document of a folder holds.
pub(super) fn add(
    db: &Connection,
    (kind, name, path): (&str, &str, &str),
    Tally { documents, chunks, bytes }: Tally,
) -> rusqlite::Result<()> {
    let added = db
        .prepare_cached(
            "UPDATE folders SET documents = documents + ?4, chunks = chunks + ?5, bytes = bytes + ?6
             WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
        )?
        .execute(params![kind, name, folder(path), number(documents), number(chunks), number(bytes)])?;
    if added == 0 {
        db.prepare_cached(
            "INSERT INTO folders (kind, resource_name, path, documents, chunks, bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            kind,
            name,
            folder(path),
            number(documents),
            number(chunks),
            number(bytes)
        ])?;
    }
    Ok(())
}

/// Takes away what a document holds that is about to go.
pub(super) fn take_away(db: &Connection, n: i64) -> rusqlite::Result<()> {
    let gone = db
        .prepare_cached(
            "SELECT kind, resource_name, path, chunk_count, size FROM documents WHERE n = ?1",
        )?
        .query_row([n], |row| {
            let name: (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((name, row.get::<_, i64>(3)?, row.get::<_, i64>(4)?))
        })
        .optional()?;
    let Some(((kind, name, path), chunks, bytes)) = gone else { return Ok(()) };
    db.prepare_cached(
        "UPDATE folders SET documents = documents - 1, chunks = chunks - ?4, bytes = bytes - ?5
         WHERE kind = ?1 AND resource_name = ?2 AND path = ?3",
    )?
    .execute(params![kind, name, folder(&path), chunks, bytes])?;
    db.prepare_cached(
        "DELETE FROM folders WHERE kind = ?1 AND resource_name = ?2 AND path = ?3 AND documents = 0",
    )?
    .execute(params![kind, name, folder(&path)])?;
    Ok(())
}

/// Counts all documents anew.
pub(super) fn recount(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "DELETE FROM folders;
         INSERT INTO folders (kind, resource_name, path, documents, chunks, bytes)
         SELECT kind, resource_name, rtrim(path, replace(path, '/', '')), count(*),
             sum(chunk_count), sum(size)
         FROM documents GROUP BY 1, 2, 3",
    )
}

/// The folder of a path, with its '/'.
fn folder(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |at| at + 1)]
}

fn number(number: u64) -> i64 {
    number.cast_signed()
}

/// What the folders of a store hold whose path begins so (`knowledge/`); all, when it is empty.
pub(crate) fn tally(db: &Connection, scope: &Scope, folder: &str) -> rusqlite::Result<Tally> {
    let mut rows = db.prepare_cached(
        "SELECT path, documents, chunks, bytes FROM folders WHERE kind = ?1 AND resource_name = ?2",
    )?;
    let mut rows = rows.query(params![scope.kind, scope.name])?;
    let mut all = Tally::default();
    while let Some(row) = rows.next()? {
        if row.get_ref(0)?.as_str()?.starts_with(folder) {
            let count = |at: usize| row.get::<_, i64>(at).map(i64::cast_unsigned);
            all += Tally { documents: count(1)?, chunks: count(2)?, bytes: count(3)? };
        }
    }
    Ok(all)
}

/// When the document of a store changed that did not change for longest.
pub(crate) fn first_change(db: &Connection, scope: &Scope) -> rusqlite::Result<Option<Timestamp>> {
    db.prepare_cached(
        "SELECT min((SELECT updated_at FROM documents
                     WHERE kind = f.kind AND resource_name = f.resource_name
                         AND lane = substr(f.path, 1, instr(f.path, '/'))
                     ORDER BY updated_at, id LIMIT 1))
         FROM folders f WHERE f.kind = ?1 AND f.resource_name = ?2",
    )?
    .query_row(params![scope.kind, scope.name], |row| row.get::<_, Option<i64>>(0))
    .map(|first| first.map(Timestamp::from_micros))
}

/// Whether the numbers are those of the documents, and of their passages.
pub(super) fn agree(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row(
        "SELECT (SELECT json_array(count(*), sum(chunk_count), sum(size)) FROM documents)
              = (SELECT json_array(coalesce(sum(documents), 0), sum(chunks), sum(bytes)) FROM folders)
            AND (SELECT coalesce(sum(chunks), 0) FROM folders) = (SELECT count(*) FROM chunks)",
        [],
        |row| row.get(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::schema::migrate;

    fn put(db: &Connection, path: &str, size: i64) {
        db.execute(
            "INSERT INTO documents (id, kind, resource_name, project_id, path, title, content_sha256,
                 claimed_id, created_at, updated_at, file_sha256, size, mtime_ns, ctime_ns, inode,
                 checked_ns, chunk_count)
             VALUES (?1, 'memory', 'one', '', ?1, '', '', '', ?2, ?2, '', ?2, 0, 0, 0, 0, 2)",
            params![path, size],
        )
        .unwrap();
        let held = Tally { documents: 1, chunks: 2, bytes: size.cast_unsigned() };
        add(db, ("memory", "one", path), held).unwrap();
    }

    #[test]
    fn each_change_is_counted() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let scope = Scope::new("memory", "one".to_owned(), String::new());
        let held = |db: &Connection, folder: &str| {
            let Tally { documents, bytes, .. } = tally(db, &scope, folder).unwrap();
            (documents, bytes)
        };
        for (path, size) in [("k/a.md", 1), ("k/in/b.md", 10), ("k/in/c.md", 100), ("j/d.md", 1000)]
        {
            put(&db, path, size);
        }
        assert_eq!(held(&db, "k/"), (3, 111));
        assert_eq!(held(&db, "k/in/"), (2, 110));
        assert_eq!(held(&db, ""), (4, 1111));
        assert_eq!(first_change(&db, &scope).unwrap(), Some(Timestamp::from_micros(1)));
        db.execute("UPDATE folders SET chunks = 0", []).unwrap();
        assert!(!agree(&db).unwrap());
        recount(&db).unwrap();
        assert_eq!((held(&db, "k/"), held(&db, "k/in/")), ((3, 111), (2, 110)));
        for n in 0..8 {
            let chunk = "INSERT INTO chunks VALUES (?1, ?1, 0, '', '', '', 0, '', 0, 0)";
            db.execute(chunk, [n]).unwrap();
        }
        assert!(agree(&db).unwrap());
        for n in 1..=3 {
            take_away(&db, n).unwrap();
        }
        assert_eq!((held(&db, ""), held(&db, "k/")), ((1, 1000), (0, 0)));
        let rows: i64 = db.query_row("SELECT count(*) FROM folders", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 1);
    }

    #[test]
    fn an_empty_index_agrees() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        assert!(agree(&db).unwrap());
    }
}
