//! Taking files in: what becomes of each, and writing them in batches.

use std::collections::{BTreeMap, HashMap, HashSet};

use coffer_domain::archive::{Owner, beside};
use coffer_domain::fact::Author;
use coffer_domain::id::sha256;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::{Imported, Memory, SourceFormat};
use crate::error::{Error, Result};
use crate::knowledge::{ImportedFile, NewFile, Outcome, Outcomes, Progress};
use crate::memory::redact::Redacted;

/// So many files are indexed in one transaction.
const BATCH: usize = 128;
/// A batch that has so many bytes is written.
const BATCH_BYTES: usize = 8 << 20;

/// An import under way.
pub(super) struct Intake<'a> {
    pub(super) memory: &'a Memory,
    pub(super) now: Timestamp,
    pub(super) dry_run: bool,
    progress: Progress<'a>,
    report: Imported,
    written: u64,
    /// The batch, and the store that it is for.
    store: Option<StoreName>,
    files: Vec<NewFile>,
    bytes: usize,
    /// Paths that this import gave away.
    claimed: HashSet<(StoreName, String)>,
    /// The stores that were asked for, and what they are now.
    living: HashMap<StoreName, StoreName>,
}

/// A file that is offered.
pub(super) struct Offered<'a> {
    /// Its place in the source.
    pub from: &'a str,
    /// The store.
    pub store: &'a StoreName,
    /// Relative to the store.
    pub path: &'a str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// When it last changed, in nanoseconds since 1970.
    pub modified_ns: i64,
}

impl<'a> Intake<'a> {
    pub(super) fn new(
        memory: &'a Memory,
        format: SourceFormat,
        dry_run: bool,
        now: Timestamp,
        progress: Progress<'a>,
    ) -> Self {
        let report =
            Imported { format, dry_run, outcomes: Outcomes::default(), redacted: BTreeMap::new() };
        Self {
            memory,
            now,
            dry_run,
            progress,
            report,
            written: 0,
            store: None,
            files: Vec::new(),
            bytes: 0,
            claimed: HashSet::new(),
            living: HashMap::new(),
        }
    }

    /// Takes a file in, if it is new. One that cannot be compared with what stands is left out.
    pub(super) fn offer(&mut self, offered: Offered<'_>) -> Result<()> {
        let Offered { from, store, path, bytes, modified_ns } = offered;
        let store = &self.living(store)?;
        let sha256 = sha256(&bytes);
        let other = beside(path, &sha256);
        for (path, is_first) in [(path, true), (other.as_str(), false)] {
            if self.claimed.contains(&(store.clone(), path.to_owned())) {
                continue;
            }
            let outcome = match self.standing(store, path) {
                Err(error) => {
                    self.skip(from, error.to_string());
                    return Ok(());
                }
                Ok(Some(standing)) if standing == sha256 => Outcome::Same,
                Ok(Some(_)) => continue,
                Ok(None) if is_first => Outcome::Added,
                Ok(None) => Outcome::Conflicting,
            };
            self.count(from, store, path, outcome);
            if outcome == Outcome::Same {
                return Ok(());
            }
            return self.put(
                store,
                NewFile {
                    path: path.to_owned(),
                    bytes,
                    modified_ns: Some(modified_ns),
                    before: None,
                },
            );
        }
        self.skip(from, "other files stand at its name and beside it");
        Ok(())
    }

    /// The store itself, or the one that it was merged into.
    pub(super) fn living(&mut self, store: &StoreName) -> Result<StoreName> {
        if let Some(living) = self.living.get(store) {
            return Ok(living.clone());
        }
        let living = self.memory.living(store)?;
        self.living.insert(store.clone(), living.clone());
        Ok(living)
    }

    /// The hash of what stands at a path of a store.
    fn standing(&self, store: &StoreName, path: &str) -> Result<Option<String>> {
        let dir = self.memory.store_ref(store).found()?;
        Ok(dir.map_or(Ok(None), |dir| dir.read_at(path))?.map(|file| file.sha256()))
    }

    fn put(&mut self, store: &StoreName, file: NewFile) -> Result<()> {
        self.claimed.insert((store.clone(), file.path.clone()));
        if self.dry_run {
            return Ok(());
        }
        if self.store.as_ref() != Some(store) {
            self.flush()?;
            self.store = Some(store.clone());
        }
        self.bytes += file.bytes.len();
        self.files.push(file);
        if self.files.len() < BATCH && self.bytes < BATCH_BYTES { Ok(()) } else { self.flush() }
    }

    /// Writes the batch.
    pub(super) fn flush(&mut self) -> Result<()> {
        let files = std::mem::take(&mut self.files);
        self.bytes = 0;
        let Some(store) = self.store.clone().filter(|_| !files.is_empty()) else { return Ok(()) };
        let count = files.len() as u64;
        self.memory.provision(&store, None, &Author::USER, self.now)?;
        self.memory.knowledge().write_all(&self.memory.store_ref(&store), files, Vec::new())?;
        self.written += count;
        self.memory.changed(&store);
        Ok(())
    }

    /// Counts what becomes of a file.
    pub(super) fn count(&mut self, from: &str, store: &StoreName, path: &str, outcome: Outcome) {
        let (from, store, path) = (from.to_owned(), Owner::Store(store.clone()), path.to_owned());
        let file = ImportedFile { from, store, path, outcome };
        self.report.outcomes.count(file, self.dry_run);
    }

    /// Notes what is not taken.
    pub(super) fn skip(&mut self, from: impl Into<String>, reason: impl Into<String>) {
        self.report.outcomes.skipped.add(from, reason);
    }

    /// Counts what was taken out of a memory.
    pub(super) fn redacted(&mut self, redacted: Redacted) {
        for (kind, times) in redacted {
            *self.report.redacted.entry(kind.into_owned()).or_default() += times as u64;
        }
    }

    /// Counts files that were written in another way.
    pub(super) fn wrote(&mut self) {
        self.written += 1;
    }

    /// Tells how far the work is, and hears whether it shall end.
    pub(super) fn step(&self, done: u64, total: u64) -> Result<()> {
        if (self.progress)(done, total) { Ok(()) } else { Err(Error::Cancelled) }
    }

    /// A time of the last change that a file may have: neither before 1970 nor in the future.
    pub(super) fn past(&self, modified_ns: i64) -> i64 {
        modified_ns.clamp(0, self.now.micros().saturating_mul(1_000))
    }

    /// How many files were written, and the report.
    pub(super) fn into_report(self) -> (u64, Imported) {
        (self.written, self.report)
    }
}
