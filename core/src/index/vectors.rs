//! Vectors of passages: sets, one a store and model, each in a vec0 table of its own. The only
//! place that names `sqlite_vec`.

mod fill;
mod nearest;

use std::sync::Once;

use rusqlite::{Connection, Row, params};

use super::Scope;

pub(crate) use fill::{Unembedded, complete_set, put_vectors, unembedded, waiting, waiting_for};
pub(crate) use nearest::nearest;

/// Lets every connection that is opened from now on read vectors.
pub(super) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[expect(unsafe_code, reason = "SQLite's extensions are functions of C")]
        // SAFETY: the function is SQLite's entry point of an extension, which the library declares
        // without its parameters.
        let registered = unsafe {
            let init = std::mem::transmute::<*const (), rusqlite::auto_extension::RawAutoExtension>(
                sqlite_vec::sqlite3_vec_init as *const (),
            );
            rusqlite::auto_extension::register_auto_extension(init)
        };
        if let Err(error) = registered {
            tracing::error!(%error, "vectors cannot be read");
        }
    });
}

/// One model's vectors of one store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VectorSet {
    n: i64,
    table: String,
    /// What makes vectors comparable.
    pub model: String,
    /// How to reach the model.
    pub settings: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// Whether every passage of the store was embedded once, so that it answers.
    pub complete: bool,
}

impl VectorSet {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let n: i64 = row.get(0)?;
        let store_scope: String = row.get(5)?;
        Ok(Self {
            n,
            table: table(&store_scope, n),
            model: row.get(1)?,
            settings: row.get(2)?,
            dimensions: row.get::<_, u32>(3)? as usize,
            complete: row.get(4)?,
        })
    }

    /// A vector's signs can be packed into bytes.
    const fn has_signs(&self) -> bool {
        self.dimensions.is_multiple_of(8)
    }
}

fn table(store_scope: &str, n: i64) -> String {
    format!("\"vec_chunks_{store_scope}_{n}\"")
}

/// The sets of a store, the oldest first.
pub(crate) fn vector_sets(db: &Connection, scope: &Scope) -> rusqlite::Result<Vec<VectorSet>> {
    db.prepare_cached(
        "SELECT n, model, settings, dimensions, complete, store_scope FROM vector_sets
         WHERE kind = ?1 AND resource_name = ?2 ORDER BY n",
    )?
    .query_map(params![scope.kind, scope.name], VectorSet::of_row)?
    .collect()
}

/// Begins a set: every document of the store waits to be embedded. Sets that were begun before and
/// never became complete go.
pub(crate) fn begin_set(
    db: &Connection,
    scope: &Scope,
    (model, settings): (&str, &str),
    dimensions: usize,
) -> rusqlite::Result<VectorSet> {
    for set in vector_sets(db, scope)?.iter().filter(|set| !set.complete || set.model == model) {
        drop_set(db, set)?;
    }
    db.prepare_cached(
        "INSERT INTO vector_sets (kind, resource_name, store_scope, model, settings, dimensions)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        scope.kind,
        scope.name,
        scope.token,
        model,
        settings,
        u32::try_from(dimensions).unwrap_or(u32::MAX)
    ])?;
    let set = VectorSet {
        table: table(&scope.token, db.last_insert_rowid()),
        n: db.last_insert_rowid(),
        model: model.to_owned(),
        settings: settings.to_owned(),
        dimensions,
        complete: false,
    };
    let signs = if set.has_signs() { format!(", signs BIT[{dimensions}]") } else { String::new() };
    db.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {} USING vec0(
             embedding FLOAT[{dimensions}] distance_metric=cosine{signs})",
        set.table
    ))?;
    db.prepare_cached(
        "UPDATE documents SET embed_pending = 1 WHERE kind = ?1 AND resource_name = ?2",
    )?
    .execute(params![scope.kind, scope.name])?;
    Ok(set)
}

/// Notes how the model of a set is reached now.
pub(crate) fn set_settings(
    db: &Connection,
    set: &VectorSet,
    settings: &str,
) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE vector_sets SET settings = ?2 WHERE n = ?1")?
        .execute(params![set.n, settings])
        .map(drop)
}

/// Takes all sets of a store away; nothing waits any more.
pub(crate) fn forget_sets(db: &Connection, scope: &Scope) -> rusqlite::Result<()> {
    vector_sets(db, scope)?.iter().try_for_each(|set| drop_set(db, set))?;
    db.prepare_cached(
        "UPDATE documents SET embed_pending = 0
         WHERE kind = ?1 AND resource_name = ?2 AND embed_pending = 1",
    )?
    .execute(params![scope.kind, scope.name])
    .map(drop)
}

fn drop_set(db: &Connection, set: &VectorSet) -> rusqlite::Result<()> {
    db.execute_batch(&format!("DROP TABLE IF EXISTS {}", set.table))?;
    db.prepare_cached("DELETE FROM vector_sets WHERE n = ?1")?.execute([set.n]).map(drop)
}

/// Whether a set was not taken away meanwhile.
fn is_there(db: &Connection, set: &VectorSet) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM vector_sets WHERE n = ?1 AND model = ?2")?
        .exists(params![set.n, set.model])
}

/// Whether a document of the store is to be embedded when it changes.
pub(super) fn is_embedded(db: &Connection, scope: &Scope) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM vector_sets WHERE kind = ?1 AND resource_name = ?2")?
        .exists(params![scope.kind, scope.name])
}

/// Takes the vectors of a document's passages away.
pub(super) fn forget_passages(
    db: &Connection,
    document: i64,
    chunks: &[i64],
) -> rusqlite::Result<()> {
    let mut sets = db.prepare_cached(
        "SELECT s.n, s.model, s.settings, s.dimensions, s.complete, s.store_scope
         FROM documents d JOIN vector_sets s USING (kind, resource_name) WHERE d.n = ?1",
    )?;
    let sets = sets.query_map([document], VectorSet::of_row)?;
    for set in sets.collect::<rusqlite::Result<Vec<_>>>()? {
        let sql = format!("DELETE FROM {} WHERE rowid = ?1", set.table);
        let mut remove = db.prepare_cached(&sql)?;
        chunks.iter().try_for_each(|chunk| remove.execute([chunk]).map(drop))?;
    }
    Ok(())
}

/// Takes all vectors of all stores away.
pub(super) fn empty(db: &Connection) -> rusqlite::Result<()> {
    tables(db)?.iter().try_for_each(|name| db.execute_batch(&format!("DROP TABLE \"{name}\"")))?;
    db.execute_batch("DELETE FROM vector_sets")
}

/// Whether each vector is one of a passage that there is.
pub(super) fn agree(db: &Connection) -> rusqlite::Result<bool> {
    for table in tables(db)? {
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM \"{table}\" v LEFT JOIN chunks c ON c.n = v.rowid
                 WHERE c.n IS NULL)"
        );
        if db.query_row(&sql, [], |row| row.get(0))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes vectors of passages that are gone away.
pub(super) fn forget_strays(db: &Connection) -> rusqlite::Result<()> {
    for table in tables(db)? {
        let strays: Vec<i64> = db
            .prepare(&format!(
                "SELECT v.rowid FROM \"{table}\" v LEFT JOIN chunks c ON c.n = v.rowid
                 WHERE c.n IS NULL"
            ))?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let mut remove = db.prepare(&format!("DELETE FROM \"{table}\" WHERE rowid = ?1"))?;
        strays.iter().try_for_each(|stray| remove.execute([stray]).map(drop))?;
    }
    Ok(())
}

fn tables(db: &Connection) -> rusqlite::Result<Vec<String>> {
    db.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING vec0(%'")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// A vector as vec0 takes it.
fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest::has_many;
    use super::*;
    use crate::index::Index;
    use crate::index::ranges::range;
    use coffer_domain::time::Timestamp;

    const SCOPE_OF: fn(&str) -> Scope = |name| Scope::new("memory", name.to_owned(), String::new());

    fn index() -> (tempfile::TempDir, Index) {
        let temp = tempfile::tempdir().unwrap();
        let now = Timestamp::from_micros(1_780_000_000_000_000);
        let index = Index::open(&temp.path().join("coffer.db"), now).unwrap();
        (temp, index)
    }

    /// So many documents of one passage each.
    fn fill(db: &Connection, scope: &Scope, count: u32) {
        db.execute(
            "INSERT OR IGNORE INTO scopes (kind, resource_name) VALUES (?1, ?2)",
            [scope.kind, &scope.name],
        )
        .unwrap();
        let (first, _) = range(db, scope).unwrap().unwrap();
        for at in 0..i64::from(count) {
            let id = format!("{}-{at}", scope.name);
            db.prepare_cached(
                "INSERT INTO documents (id, kind, resource_name, project_id, path, title,
                     content_sha256, claimed_id, created_at, updated_at, file_sha256, size,
                     mtime_ns, ctime_ns, inode, checked_ns)
                 VALUES (?1, ?2, ?3, '', ?1, ?1, 'x', ?1, 1, 1, ?1, 1, 1, 1, 1, 1)",
            )
            .unwrap()
            .execute(params![id, scope.kind, scope.name])
            .unwrap();
            let (n, chunk) = (db.last_insert_rowid(), first + at + 1);
            db.prepare_cached(
                "INSERT INTO chunks (n, id, document_n, document_id, kind, resource_name,
                     position, heading_path, line_start, line_end)
                 VALUES (?1, ?2, ?3, ?2, ?4, ?5, 0, '', 1, 1)",
            )
            .unwrap()
            .execute(params![chunk, id, n, scope.kind, scope.name])
            .unwrap();
            db.prepare_cached("INSERT INTO documents_fts (rowid, text) VALUES (?1, ?2)")
                .unwrap()
                .execute(params![chunk, id])
                .unwrap();
        }
    }

    /// A direction that turns with the number, in as many dimensions.
    fn turned(number: i64, dimensions: usize) -> Vec<f32> {
        let angle = |at: usize| (number as f32 * 0.37 + at as f32 * 1.9).sin();
        let vector: Vec<f32> = (0..dimensions).map(angle).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.into_iter().map(|x| x / length).collect()
    }

    fn embed(db: &Connection, scope: &Scope, set: &VectorSet) -> usize {
        let (mut place, mut count) = ((0, 0), 0);
        loop {
            let batch = unembedded(db, scope, set, place, 64).unwrap();
            let Some(last) = batch.last() else { return count };
            place = last.place();
            count += batch.len();
            let may_go_on = batch.len() == 64;
            let with = |passage: Unembedded| {
                let vector = turned(passage.chunk, set.dimensions);
                (passage, Some(vector))
            };
            let batch: Vec<_> = batch.into_iter().map(with).collect();
            put_vectors(db, set, &batch, may_go_on).unwrap();
        }
    }

    /// The truth, by comparing all.
    fn exact(db: &Connection, set: &VectorSet, vector: &[f32], k: usize) -> Vec<i64> {
        let sql = format!(
            "SELECT rowid FROM {} ORDER BY vec_distance_cosine(embedding, ?1) LIMIT {k}",
            set.table
        );
        let mut rows = db.prepare(&sql).unwrap();
        rows.query_map([bytes(vector)], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn vectors_answer_for_their_store_and_their_model_alone() {
        let (_temp, index) = index();
        let (one, two) = (SCOPE_OF("one"), SCOPE_OF("two"));
        index
            .write(|tx| {
                fill(tx, &one, 70);
                fill(tx, &two, 3);
                let set = begin_set(tx, &one, ("a", "{}"), 16)?;
                assert_eq!((waiting(tx, &one)?, waiting(tx, &two)?), (70, 0));
                assert_eq!(embed(tx, &one, &set), 70);
                assert!(complete_set(tx, &one, &set)? && !is_embedded(tx, &two)?);
                assert!(agree(tx)?);
                let asked = turned(range(tx, &one)?.unwrap().0 + 5, 16);
                let found = nearest(tx, &one, &set, &asked, 4)?;
                let chunks: Vec<i64> = found.iter().map(|(chunk, _)| *chunk).collect();
                assert_eq!(chunks, exact(tx, &set, &asked, 4));
                assert!((found[0].1 - 1.0).abs() < 1e-5, "{found:?}");
                // Another model: the old set answers until the new one is complete.
                let other = begin_set(tx, &one, ("b", "{}"), 12)?;
                assert_eq!((vector_sets(tx, &one)?.len(), waiting(tx, &one)?), (2, 70));
                assert!(!complete_set(tx, &one, &other)?);
                assert_eq!(nearest(tx, &one, &set, &asked, 4)?.len(), 4);
                // And a third before the second is complete.
                let third = begin_set(tx, &one, ("c", "{}"), 8)?;
                let models = |tx: &Connection| -> Vec<String> {
                    vector_sets(tx, &one).unwrap().into_iter().map(|set| set.model).collect()
                };
                assert_eq!(models(tx), ["a", "c"]);
                embed(tx, &one, &third);
                assert!(complete_set(tx, &one, &third)?);
                assert_eq!(models(tx), ["c"]);
                let last =
                    format!("DELETE FROM chunks WHERE n = {}", range(tx, &one)?.unwrap().0 + 1);
                tx.execute_batch(&last)?;
                assert!(!agree(tx)?, "a vector without its passage");
                forget_sets(tx, &one)?;
                let left: u32 = tx.query_row(
                    "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'vec_%'",
                    [],
                    |row| row.get(0),
                )?;
                assert_eq!(left, 1, "the list of sets alone");
                Ok(())
            })
            .unwrap();
    }

    #[test]
    fn signs_choose_among_many_and_numbers_decide() {
        let (_temp, index) = index();
        let scope = SCOPE_OF("many");
        index
            .write(|tx| {
                fill(tx, &scope, 2_500);
                let set = begin_set(tx, &scope, ("a", "{}"), 64)?;
                embed(tx, &scope, &set);
                assert!(has_many(tx, &scope)?);
                let mut same = 0;
                for asked in 0..20 {
                    let asked = turned(asked * 100 + 7, 64);
                    let mut found = nearest(tx, &scope, &set, &asked, 100)?;
                    found.truncate(10);
                    assert!(found.is_sorted_by(|(_, a), (_, b)| a >= b));
                    let truth = exact(tx, &set, &asked, 10);
                    same += found.iter().filter(|(chunk, _)| truth.contains(chunk)).count();
                }
                assert!(same >= 198, "{same} of 200");
                Ok(())
            })
            .unwrap();
    }

    #[test]
    fn a_passage_that_changed_meanwhile_gets_no_old_vector() {
        let (_temp, index) = index();
        let scope = SCOPE_OF("one");
        index
            .write(|tx| {
                fill(tx, &scope, 2);
                let set = begin_set(tx, &scope, ("a", "{}"), 8)?;
                let seen = unembedded(tx, &scope, &set, (0, 0), 9)?;
                tx.execute("UPDATE documents SET file_sha256 = 'other' WHERE id = 'one-1'", [])?;
                let vectors: Vec<_> =
                    seen.iter().map(|it| (it.clone(), Some(turned(it.chunk, 8)))).collect();
                put_vectors(tx, &set, &vectors, false)?;
                assert_eq!(waiting(tx, &scope)?, 1);
                assert!(!complete_set(tx, &scope, &set)?);
                assert_eq!(nearest(tx, &scope, &set, &turned(1, 8), 9)?.len(), 1);
                // A text without a vector is asked for once, and the document waits no more.
                let seen = unembedded(tx, &scope, &set, (0, 0), 9)?;
                let none: Vec<_> = seen.into_iter().map(|it| (it, None)).collect();
                assert_eq!(none.len(), 1);
                put_vectors(tx, &set, &none, false)?;
                assert!(complete_set(tx, &scope, &set)?);
                Ok(())
            })
            .unwrap();
    }
}
