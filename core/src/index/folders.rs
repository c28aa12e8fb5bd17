//! What a store's folders hold, in numbers that the transaction of each change keeps: counting costs no
//! more in a large store.

use std::ops::AddAssign;

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, params};

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
        db.execute("UPDATE documents SET size = 7 WHERE path = 'k/in/b.md'", []).unwrap();
        assert_eq!(held(&db, "k/in/"), (2, 107));
        db.execute("UPDATE folders SET chunks = 0", []).unwrap();
        assert!(!agree(&db).unwrap());
        db.execute("UPDATE folders SET chunks = 2 * documents", []).unwrap();
        for n in 0..8 {
            let chunk = "INSERT INTO chunks VALUES (?1, ?1, 0, '', '', '', 0, '', 0, 0)";
            db.execute(chunk, [n]).unwrap();
        }
        assert!(agree(&db).unwrap());
        db.execute("DELETE FROM documents WHERE path LIKE 'k/%'", []).unwrap();
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
