//! The only SQL. One file per table group, the literals beside the row types.
//!
//! The index is derived: a database that is gone, damaged or newer than this program is moved aside
//! and filled again from the files. Whoever reads or writes is told by `Failure::Replaced` and asks
//! for the files to be compared once more. One writer, a few read-only connections; a reader never
//! waits for the writer.

mod connection;
mod documents;
mod engine;
mod failure;
mod fingerprint;
mod folders;
mod health;
mod history;
mod ids;
mod jobs;
mod lookup;
mod mend;
mod problems;
mod purge;
mod ranges;
mod records;
mod resources;
mod schema;
mod search;
mod sessions;
mod stores;
mod transcripts;
mod vectors;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use coffer_domain::time::Timestamp;
use rusqlite::{Transaction, TransactionBehavior};

/// A connection that a reading is given, and what it gives back; nobody else names the library.
pub(crate) use rusqlite::{Connection, Result as SqlResult};

pub(crate) use documents::{
    Change, ChunkRow, DocumentRow, Prepared, apply, doubt, doubt_all, forget_resource, forget_some,
};
pub(crate) use engine::{add_tokens, tokens_of};
pub(crate) use failure::Failure;
pub(crate) use fingerprint::{Fingerprint, Part, fingerprint};
pub(crate) use folders::{Tally, first_change, tally};
#[cfg(test)]
pub(crate) use health::dump;
pub(crate) use health::{Harm, sqlite_version};
pub use history::{AuditRow, HistoryFilter, InvocationRow, UsageKind, UsageRow};
pub(crate) use history::{add_audit, add_invocation, add_usage, audit, invocations, tell, usage};
pub(crate) use jobs::{JobRow, job, jobs, prune_jobs, put_job};
pub(crate) use lookup::{
    Known, by_newest, claimed_ids, document, known, known_of, page, page_with, similar,
};
pub(crate) use problems::{
    DuplicateRow, ProblemRow, duplicate_ids, problems, put_problem, set_skipped, skipped_before,
};
pub(crate) use purge::{held, scrub, settle};
pub(crate) use records::{Origin, Record, converted, record_from, record_of, sourced};
pub(crate) use resources::{ResourceRow, drop_resource, put_resource, resource, resource_names};
pub(crate) use schema::schema_words;
pub(crate) use search::{
    PassageRow, Place, by_literal, by_terms, by_trigram, passages, passages_of, texts,
};
pub(crate) use sessions::{
    DistilledRow, EndedRow, distilled, ended, ended_one, forget_ended, is_content_distilled,
    put_distilled, put_ended,
};
pub(crate) use stores::{StoreRow, forget_store, put_store, store_rows};
pub(crate) use transcripts::{
    TranscriptCount, TranscriptRow, TranscriptTotals, forget_transcript, put_transcript,
    transcript_counts, transcript_totals, transcripts, unknown_transcripts,
};

pub(crate) use vectors::{
    Unembedded, VectorSet, begin_set, complete_set, forget_sets, nearest, put_vectors,
    set_settings, unembedded, vector_sets, waiting, waiting_for,
};

/// The tables' view of a store: what every row is scoped by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    /// `memory` or `knowledge_base`.
    pub kind: &'static str,
    /// The store's name.
    pub name: String,
    /// The project's ULID, zeros for what belongs to none.
    pub project_id: String,
    /// 12 hexadecimal digits of the SHA-256 of kind and name.
    pub token: String,
}

impl Scope {
    /// The scope of a store.
    pub(crate) fn new(kind: &'static str, name: String, project_id: String) -> Self {
        let token = coffer_domain::id::sha256(format!("{kind}\0{name}"))[..12].to_owned();
        Self { kind, name, project_id, token }
    }
}

/// The database, opened anew whenever its file is gone or damaged.
pub(crate) struct Index {
    path: PathBuf,
    current: RwLock<Arc<Open>>,
    /// Rises each time the database is replaced.
    generation: AtomicU64,
    /// Why the database was last replaced, for people.
    notice: Mutex<Option<String>>,
}

/// One opened database.
struct Open {
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    files: connection::Files,
    raw: connection::Raw,
}

/// Why a database is filled again that opens and does not agree with itself.
const UNSOUND: &str = "a check found it unsound";
/// How many idle read-only connections are kept.
const IDLE_READERS: usize = 4;

impl Index {
    /// Opens or makes the database; what cannot be used is moved aside.
    ///
    /// # Errors
    ///
    /// When no database can be made at this path at all.
    pub(crate) fn open(path: &Path, now: Timestamp) -> Result<Self, Failure> {
        let (open, notice) = match Open::new(path) {
            Ok(open) => (open, None),
            Err(failure) => {
                let reason = failure.reason();
                connection::move_aside(path, now)?;
                (Open::new(path)?, Some(reason))
            }
        };
        Ok(Self {
            path: path.to_owned(),
            current: RwLock::new(Arc::new(open)),
            generation: AtomicU64::new(0),
            notice: Mutex::new(notice),
        })
    }

    /// Rises each time the database is replaced; rows seen under another number are gone.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Why the database was last replaced.
    pub(crate) fn notice(&self) -> Option<String> {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs a reading, which sees one state of the tables from its first question to its last.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        let open = self.present()?;
        let reader = open.reader(&self.path).map_err(|error| self.fail(&open, &error))?;
        let result = reader.unchecked_transaction().and_then(|snapshot| work(&snapshot));
        open.give_back(reader);
        result.map_err(|error| self.fail(&open, &error))
    }

    /// Runs a writing in one transaction.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        let open = self.present()?;
        let mut writer = open.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let result = (|| {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })();
        drop(writer);
        result.map_err(|error| self.fail(&open, &error))
    }

    /// Moves the log into the database, and closes nothing: for a clean stop.
    pub(crate) fn checkpoint(&self) {
        let open = self.open_now();
        let writer = open.writer.lock().unwrap_or_else(PoisonError::into_inner);
        // A failure leaves the log, which the next start reads.
        let _ = connection::tidy(&writer);
    }

    /// Writes the whole database anew, without what its free space kept, and empties the log.
    pub(crate) fn vacuum(&self) -> Result<(), Failure> {
        let open = self.present()?;
        let writer = open.writer.lock().unwrap_or_else(PoisonError::into_inner);
        connection::vacuum(&writer).map_err(|error| {
            drop(writer);
            self.fail(&open, &error)
        })
    }

    /// Shows the bytes of the database's files, part by part; parts overlap by `overlap` bytes.
    pub(crate) fn raw(&self, overlap: usize, mut look: impl FnMut(&[u8])) -> Result<(), Failure> {
        let open = self.present()?;
        let shown = open.raw.show(&self.path, overlap, &mut look);
        shown.map_err(|error| Failure::Unavailable(format!("it cannot be read: {error}")))
    }

    /// Looks for harm that opening does not show. Nobody waits for it.
    pub(crate) fn harm(&self) -> Result<Option<Harm>, Failure> {
        let open = self.present()?;
        let found = connection::reader(&self.path).and_then(|reader| health::harm(&reader));
        found.map_err(|error| self.fail(&open, &error))
    }

    /// Forgets some files, and rows that belong to none, so that the next comparison fills it again.
    pub(crate) fn forget(&self, parts: &BTreeSet<Part>) -> Result<(), Failure> {
        self.write(|tx| mend::forget_parts(tx, parts))?;
        self.note_harm();
        Ok(())
    }

    fn note_harm(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        let mut notice = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        *notice = Some(UNSOUND.to_owned());
    }

    /// Empties what was harmed, so that the next comparison fills it again: what is derived, or all
    /// where the file itself is damaged. History goes only with the file, which is kept aside.
    pub(crate) fn empty(&self, harm: Harm) {
        match harm {
            Harm::Rows | Harm::Derived if self.write(schema::empty).is_ok() => self.note_harm(),
            Harm::Rows | Harm::Derived | Harm::File => {
                drop(self.replace_if_current(&self.open_now(), UNSOUND));
            }
        }
    }

    fn open_now(&self) -> Arc<Open> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The open database, if its files are still the ones that were opened.
    fn present(&self) -> Result<Arc<Open>, Failure> {
        let open = self.open_now();
        match open.files.missing(&self.path) {
            None => Ok(open),
            Some(reason) => Err(self.replace_if_current(&open, reason)),
        }
    }

    fn fail(&self, open: &Arc<Open>, error: &rusqlite::Error) -> Failure {
        match Failure::of(error) {
            Failure::Replaced(reason) => self.replace_if_current(open, &reason),
            other => other,
        }
    }

    /// Moves the database aside and opens a new one, unless somebody else just did.
    fn replace_if_current(&self, seen: &Arc<Open>, reason: &str) -> Failure {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&current, seen) {
            tracing::warn!(reason, "the index is replaced and filled again from the files");
            let moved = connection::move_aside(&self.path, coffer_env::clock::now());
            match moved.and_then(|()| Open::new(&self.path)) {
                Ok(open) => *current = Arc::new(open),
                Err(failure) => return failure,
            }
            self.generation.fetch_add(1, Ordering::AcqRel);
            *self.notice.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason.to_owned());
        }
        Failure::Replaced(reason.to_owned())
    }
}

impl Open {
    fn new(path: &Path) -> Result<Self, Failure> {
        let mut writer = connection::writer(path).map_err(|error| Failure::of(&error))?;
        schema::migrate(&mut writer)?;
        let files = connection::Files::of(path);
        let (writer, readers) = (Mutex::new(writer), Mutex::default());
        Ok(Self { writer, readers, files, raw: connection::Raw::default() })
    }

    fn reader(&self, path: &Path) -> rusqlite::Result<Connection> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| connection::reader(path), Ok)
    }

    fn give_back(&self, reader: Connection) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < IDLE_READERS {
            readers.push(reader);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(index: &Index) -> Result<(), Failure> {
        index.write(|tx| {
            put_store(tx, &StoreRow::new("memory", "global", Timestamp::from_micros(1)))
        })
    }

    fn count(index: &Index) -> Result<usize, Failure> {
        index.read(|db| store_rows(db, "memory")).map(|rows| rows.len())
    }

    /// Each way to lose a database under a running program, and while it is stopped.
    #[test]
    fn a_lost_database_is_replaced_once_and_then_works() {
        type Harm = fn(&Path);
        let harms: [(&str, Harm); 4] = [
            ("removed", |path| {
                for end in ["", "-wal", "-shm"] {
                    let _ = std::fs::remove_file(format!("{}{end}", path.display()));
                }
            }),
            ("truncated", |path| std::fs::write(path, b"").unwrap()),
            ("overwritten", |path| std::fs::write(path, [0x5a; 9000]).unwrap()),
            ("log removed", |path| {
                std::fs::remove_file(format!("{}-wal", path.display())).unwrap();
            }),
        ];
        for (name, harm) in harms {
            let temp = tempfile::tempdir().unwrap();
            let path = temp.path().join("coffer.db");
            let now = Timestamp::from_micros(1_780_000_000_000_000);
            let index = Index::open(&path, now).unwrap();
            put(&index).unwrap();
            assert_eq!(count(&index).unwrap(), 1, "{name}");
            harm(&path);
            let mut replaced = 0;
            for _ in 0..3 {
                match put(&index) {
                    Err(Failure::Replaced(_)) => replaced += 1,
                    other => other.unwrap_or_else(|failure| panic!("{name}: {failure:?}")),
                }
            }
            assert!(replaced <= 1, "{name}");
            assert_eq!(index.generation(), replaced, "{name}");
            assert_eq!(count(&index).unwrap(), 1, "{name}");
            drop(index);
            if name != "log removed" {
                harm(&path);
            }
            let index = Index::open(&path, now).unwrap();
            put(&index).unwrap();
            assert_eq!(count(&index).unwrap(), 1, "{name}, stopped");
        }
    }

    #[test]
    fn a_newer_database_is_moved_aside() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("coffer.db");
        let now = Timestamp::from_micros(1_780_000_000_000_000);
        let index = Index::open(&path, now).unwrap();
        index.write(|tx| tx.execute_batch("PRAGMA user_version = 9999")).unwrap();
        drop(index);
        let index = Index::open(&path, now).unwrap();
        assert!(index.notice().unwrap().contains("9999"), "{:?}", index.notice());
        let bad = std::fs::read_dir(temp.path())
            .unwrap()
            .filter(|entry| {
                let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
                name.starts_with("coffer.db.bad-") && !name.ends_with("-wal")
            })
            .count();
        assert!(bad >= 1);
    }
}
