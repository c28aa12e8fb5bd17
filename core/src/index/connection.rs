//! Opening the database file, and noticing that it is no longer the one that was opened.
#![expect(clippy::disallowed_methods, reason = "the index is the owner of the database file")]

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use coffer_domain::time::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags};

use super::failure::Failure;
use super::vectors;

/// How long a connection waits for another program's lock.
const BUSY: Duration = Duration::from_secs(1);
/// A database is never smaller than its first page.
const SMALLEST: u64 = 512;

/// The writing connection; makes the file (0600) when it is missing.
pub(super) fn writer(path: &Path) -> rusqlite::Result<Connection> {
    vectors::register();
    private(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let db = Connection::open_with_flags(canonical(path), flags)?;
    db.busy_timeout(BUSY)?;
    db.execute_batch(
        // The first one counts only for a file that has no table yet.
        "PRAGMA auto_vacuum = INCREMENTAL;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL;
         PRAGMA journal_size_limit = 67108864;
         PRAGMA temp_store = MEMORY;
         PRAGMA trusted_schema = OFF;
         PRAGMA cache_size = -8000;",
    )?;
    prepare(db)
}

/// A read-only connection.
pub(super) fn reader(path: &Path) -> rusqlite::Result<Connection> {
    vectors::register();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let db = Connection::open_with_flags(canonical(path), flags)?;
    db.busy_timeout(BUSY)?;
    db.execute_batch(
        "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -4000;",
    )?;
    prepare(db)
}

fn prepare(db: Connection) -> rusqlite::Result<Connection> {
    db.set_prepared_statement_cache_capacity(64);
    // One plan for a statement, whatever is bound to it: else each question prepares it anew.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    // SQLite's own LIKE folds ASCII only.
    db.create_scalar_function("holds_folded", 2, flags, |args| {
        let text: Option<String> = args.get(0)?;
        let part: String = args.get(1)?;
        Ok(text.is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase())))
    })?;
    Ok(db)
}

/// The path with its folder's links resolved: the home may be a link, the database may not.
fn canonical(path: &Path) -> PathBuf {
    match (path.parent().map(fs::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Makes the file private before SQLite makes it public; SQLite copies its mode to the log.
fn private(path: &Path) {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // When it is there already, or cannot be made, opening says what is wrong.
    let _ = options.open(path);
}

/// Which files were opened.
#[derive(Debug)]
pub(super) struct Files {
    database: Option<(u64, u64)>,
    /// The log's identity, noted when it is first seen.
    log: OnceLock<(u64, u64)>,
}

impl Files {
    /// Notes the identity of the database's files.
    pub(super) fn of(path: &Path) -> Self {
        let files = Self { database: identity(path).map(|(id, _)| id), log: OnceLock::new() };
        if let Some((log, _)) = identity(&log_of(path)) {
            let _ = files.log.set(log);
        }
        files
    }

    /// Why the opened files are no longer those at the path, if so.
    pub(super) fn missing(&self, path: &Path) -> Option<&'static str> {
        match identity(path) {
            None => return Some("the database file was removed"),
            Some((now, _)) if Some(now) != self.database => {
                return Some("the database file was replaced by another one");
            }
            Some((_, size)) if size < SMALLEST => return Some("the database file was truncated"),
            Some(_) => {}
        }
        let log = identity(&log_of(path)).map(|(log, _)| log);
        match (self.log.get(), log) {
            (Some(then), Some(now)) if *then == now => None,
            (None, Some(now)) => {
                let _ = self.log.set(now);
                None
            }
            (None, None) => None,
            (Some(_), _) => Some("the database's log was removed"),
        }
    }
}

fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

/// Device and inode, and size.
#[cfg(unix)]
fn identity(path: &Path) -> Option<((u64, u64), u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let meta = fs::symlink_metadata(path).ok()?;
    Some(((meta.dev(), meta.ino()), meta.len()))
}

/// Only presence and size: this system has no stable file number in the standard library.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<((u64, u64), u64)> {
    Some(((0, 0), fs::symlink_metadata(path).ok()?.len()))
}

/// The database's bytes are shown in parts of so many.
const RAW_PART: usize = 1 << 20;
/// How often a log that a reader still needs is tried to be emptied.
const EMPTYINGS: usize = 50;

/// Writes the whole database anew into itself and empties the log.
pub(super) fn vacuum(db: &Connection) -> rusqlite::Result<()> {
    // In memory the copy could be larger than what there is of it.
    let batch = "PRAGMA temp_store = FILE; PRAGMA secure_delete = ON; VACUUM";
    let vacuumed = db.execute_batch(batch);
    db.execute_batch("PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY")?;
    vacuumed?;
    for _ in 0..EMPTYINGS {
        let busy: bool = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if !busy {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Gives pages that hold nothing back to the file system, and empties the log: filling the index leaves
/// a tenth of it so.
pub(super) fn tidy(db: &Connection) -> rusqlite::Result<()> {
    let mut freed = db.prepare("PRAGMA incremental_vacuum")?;
    let mut pages = freed.query([])?;
    while pages.next()?.is_some() {}
    db.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)")
}

/// The database's own bytes. The file stays open: closing it would give away the locks that SQLite
/// holds on it for this process.
#[derive(Debug, Default)]
pub(super) struct Raw(Mutex<Option<fs::File>>);

impl Raw {
    /// Shows the bytes of the database and of its log.
    pub(super) fn show(
        &self,
        path: &Path,
        overlap: usize,
        look: &mut dyn FnMut(&[u8]),
    ) -> std::io::Result<()> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let database = match open.take() {
            Some(file) => file,
            None => fs::File::open(path)?,
        };
        show(open.insert(database), overlap, look)?;
        match fs::File::open(log_of(path)) {
            Ok(log) => show(&log, overlap, look),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn show(mut file: &fs::File, overlap: usize, look: &mut dyn FnMut(&[u8])) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let mut part = Vec::new();
    loop {
        let wanted = (RAW_PART + overlap - part.len()) as u64;
        let read = file.take(wanted).read_to_end(&mut part)? as u64;
        look(&part);
        if read < wanted {
            return Ok(());
        }
        part.drain(..RAW_PART);
    }
}

/// Moves a database and its side files to `coffer.db.bad-<time>`.
///
/// # Errors
///
/// When a file that is there cannot be moved.
pub(super) fn move_aside(path: &Path, now: Timestamp) -> Result<(), Failure> {
    for end in ["", "-wal", "-shm"] {
        let mut from = path.as_os_str().to_owned();
        from.push(end);
        let mut to = path.as_os_str().to_owned();
        to.push(format!(".bad-{}{end}", now.compact()));
        match fs::rename(&from, &to) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let reason = format!("cannot move `{}` aside: {error}", from.display());
                return Err(Failure::Unavailable(reason));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tidy_file_has_no_page_that_holds_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("coffer.db");
        let db = writer(&path).unwrap();
        db.execute_batch("CREATE TABLE t (text)").unwrap();
        for _ in 0..100 {
            db.execute("INSERT INTO t VALUES (zeroblob(40000))", []).unwrap();
        }
        tidy(&db).unwrap();
        let full = fs::metadata(&path).unwrap().len();
        db.execute("DELETE FROM t", []).unwrap();
        tidy(&db).unwrap();
        let free: u32 = db.query_row("PRAGMA freelist_count", [], |row| row.get(0)).unwrap();
        assert_eq!(free, 0);
        let len = fs::metadata(&path).unwrap().len();
        assert!(full > 4_000_000 && len < 40_000, "{full}, {len}");
    }

    #[test]
    fn parts_overlap_and_show_everything() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("coffer.db");
        let mut bytes = vec![b'x'; 2 * RAW_PART + 100];
        for at in [0, RAW_PART - 2, 2 * RAW_PART - 2, 2 * RAW_PART + 94] {
            bytes[at..at + 6].copy_from_slice(b"walnut");
        }
        fs::write(&path, &bytes).unwrap();
        fs::write(temp.path().join("coffer.db-wal"), "walnut").unwrap();
        let mut found = 0;
        let raw = Raw::default();
        for _ in 0..2 {
            raw.show(&path, 5, &mut |part| {
                found += memchr::memmem::find_iter(part, b"walnut").count();
            })
            .unwrap();
        }
        assert_eq!(found, 2 * 5);
    }
}
