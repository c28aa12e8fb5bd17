//! The migrations, one by one, and the version that they lead to.

use coffer_domain::chunk::CHUNK_VERSION;
use coffer_domain::similar::SIGNATURE_VERSION;
use coffer_domain::terms::CUT_VERSION;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::failure::Failure;
use super::vectors;

/// Every file of `migrations/`, in order.
const MIGRATIONS: &[(&str, &str)] = &[
    ("0001_init.sql", include_str!("../../../migrations/0001_init.sql")),
    ("0002_job_requests.sql", include_str!("../../../migrations/0002_job_requests.sql")),
    ("0003_vectors.sql", include_str!("../../../migrations/0003_vectors.sql")),
    ("0004_history_filters.sql", include_str!("../../../migrations/0004_history_filters.sql")),
    ("0005_folders.sql", include_str!("../../../migrations/0005_folders.sql")),
    ("0006_originals.sql", include_str!("../../../migrations/0006_originals.sql")),
    ("0007_transcripts.sql", include_str!("../../../migrations/0007_transcripts.sql")),
    ("0008_sessions.sql", include_str!("../../../migrations/0008_sessions.sql")),
    ("0009_engine.sql", include_str!("../../../migrations/0009_engine.sql")),
    ("0010_distilled_parts.sql", include_str!("../../../migrations/0010_distilled_parts.sql")),
];

/// The words that every database consists of.
pub(crate) fn schema_words() -> impl Iterator<Item = &'static str> {
    MIGRATIONS.iter().map(|(_, sql)| *sql)
}

/// Brings a database to the present schema.
///
/// # Errors
///
/// A database of a newer version, or another program's, is `Replaced`: it is never touched, the
/// caller moves it aside.
pub(super) fn migrate(db: &mut Connection) -> Result<(), Failure> {
    let version: u32 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let version = version as usize;
    if version > MIGRATIONS.len() {
        let newest = MIGRATIONS.len();
        let reason = format!("the database has schema {version}, this program knows {newest}");
        return Err(Failure::Replaced(reason));
    }
    let is_empty: bool =
        db.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?;
    if version == 0 && !is_empty {
        return Err(Failure::Replaced("the database belongs to another program".to_owned()));
    }
    for (number, (_, sql)) in MIGRATIONS.iter().enumerate().skip(version) {
        let step = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(sql)?;
        step.pragma_update(None, "user_version", u32::try_from(number + 1).unwrap_or(u32::MAX))?;
        step.commit()?;
    }
    empty_if_cut_otherwise(db)
}

/// How texts are cut, in one number: an index that was cut otherwise is filled again.
const CUT: u32 = CHUNK_VERSION << 16 | CUT_VERSION << 8 | SIGNATURE_VERSION;

/// Empties what is derived, and only that, when another way of cutting made it.
fn empty_if_cut_otherwise(db: &mut Connection) -> Result<(), Failure> {
    let made: u32 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if made == CUT {
        return Ok(());
    }
    let step = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    empty(&step)?;
    step.pragma_update(None, "application_id", CUT)?;
    step.commit()?;
    Ok(())
}

/// Empties what is derived. The keyword indexes are made anew, since a damaged one cannot even be
/// emptied.
pub(super) fn empty(db: &Transaction<'_>) -> rusqlite::Result<()> {
    vectors::empty(db)?;
    let made: Vec<String> = db
        .prepare(
            "SELECT sql FROM sqlite_schema WHERE name IN ('documents_fts', 'terms_fts') ORDER BY 1",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    db.execute_batch(
        "DELETE FROM documents; DELETE FROM chunks; DELETE FROM signatures; DELETE FROM problems;
         DELETE FROM scopes; DELETE FROM folders;
         DROP TABLE documents_fts; DROP TABLE terms_fts;",
    )?;
    made.iter().try_for_each(|sql| db.execute_batch(sql))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".sql"))
            .collect();
        files.sort();
        let listed: Vec<&str> = MIGRATIONS.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, listed);
        for (number, name) in listed.iter().enumerate() {
            assert!(name.starts_with(&format!("{:04}_", number + 1)), "{name}");
        }
    }

    #[test]
    fn a_second_run_changes_nothing() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        migrate(&mut db).unwrap();
        let version: u32 = db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!(version as usize, MIGRATIONS.len());
    }

    /// What an older program noted of sessions is still known.
    #[test]
    fn the_ledger_of_sessions_comes_along() {
        let mut db = Connection::open_in_memory().unwrap();
        MIGRATIONS[..9].iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
        db.execute_batch(
            "PRAGMA user_version = 9;
             INSERT INTO distilled_sessions VALUES ('codex', 's', 'aa', '2:00000000000000ff', 7, 3);
             INSERT INTO distilled_sessions VALUES ('codex', 't', 'bb', NULL, 8, 0);",
        )
        .unwrap();
        migrate(&mut db).unwrap();
        let positions = |session| {
            let rows = crate::index::distilled(&db, "codex", session).unwrap();
            rows.into_iter().map(|row| (row.positions, row.insights)).collect::<Vec<_>>()
        };
        assert_eq!(positions("s"), [("2:00000000000000ff".to_owned(), 3)]);
        assert_eq!(positions("t"), [(String::new(), 0)]);
        assert!(crate::index::is_content_distilled(&db, "bb").unwrap());
    }

    /// Every row is written into each index, so that none may say what the begin of another says.
    #[test]
    fn no_index_repeats_another() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let mut rows = db
            .prepare(
                "SELECT t.name || coalesce(substr(s.sql, instr(s.sql, ' WHERE ')), ''), i.name,
                     (SELECT group_concat(name) || ',' FROM pragma_index_info(i.name))
                 FROM sqlite_schema t JOIN pragma_index_list(t.name) i
                 LEFT JOIN sqlite_schema s ON s.name = i.name AND s.sql LIKE '% WHERE %'
                 WHERE t.type = 'table'",
            )
            .unwrap();
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let indexes: Vec<(String, String, String)> = rows.map(Result::unwrap).collect();
        assert!(indexes.len() > 10, "{indexes:?}");
        for (of, name, columns) in &indexes {
            let longer = indexes.iter().find(|(other_of, other, other_columns)| {
                other_of == of && other != name && other_columns.starts_with(columns)
            });
            assert_eq!(longer, None, "`{name}` on `{of}` ({columns}) says nothing more");
        }
    }
}
