//! Comparing files with the index before a read, so that an edit made in any program is seen.
//!
//! Where the kernel tells of changes, only the named files are looked at; otherwise, and once a
//! minute, the store is walked and each file's stat compared. A file whose stat is as recorded is
//! not read. What cannot be looked at is never taken for deleted.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

use coffer_env::clock;

use super::commit::now_ns;
use super::prepare::prepare;
use super::report::ReindexReport;
use super::{Knowledge, Look, Reading, StoreRef, locked};
use crate::error::{Error, Result};
use crate::index::{
    Change, Failure, Known, known, known_of, put_problem, set_skipped, skipped_before, waiting,
};
use crate::vault::{Changes, Dir, Found, Walk, identity, split, walk};

/// A walk is trusted for so long, where the kernel tells of changes.
const TRUST: Duration = Duration::from_secs(60);
/// More than so many files and so many percent gone at once are not taken for deletions.
const MASS: (usize, usize) = (50, 20);
/// After a walk of more files memory is given back: it took some hundred bytes a file.
const MANY: usize = 5_000;
/// So many files are committed in one transaction.
const BATCH: usize = 1_024;

/// A transaction that has taken in so many bytes of text is committed.
const BATCH_BYTES: u64 = 8 << 20;

/// Told how far a walk is: done, total. `false` ends it.
pub(crate) type Progress<'a> = &'a dyn Fn(u64, u64) -> bool;

impl Knowledge {
    /// Brings the index up to the files, as cheaply as can be without missing a change.
    pub(crate) fn reconcile(&self, store: &StoreRef) -> Result<()> {
        let state = self.state(store);
        for _ in 0..3 {
            let mut look = locked(&state.look);
            if state.in_doubt.swap(false, Ordering::AcqRel) {
                look.walked = None;
            }
            let outcome = if self.trusts(store, &look) {
                match self.watcher.take(&store.root) {
                    Changes::Paths(paths) => self.look_at(store, paths),
                    Changes::Unknown => self.walk_all(store, &mut look, false, &|_, _| true),
                }
            } else {
                self.walk_all(store, &mut look, false, &|_, _| true)
            };
            match outcome {
                Err(Problem::Index(Failure::Replaced(_)) | Problem::Doubt) => look.walked = None,
                Err(Problem::Index(failure)) => {
                    // The next read tries again; this one gets what the index has.
                    look.walked = None;
                    *locked(&state.lag) = Some(failure.reason());
                    return Ok(());
                }
                Err(Problem::Files(error)) => return Err(error),
                Ok(_) => {
                    *locked(&state.lag) = None;
                    return Ok(());
                }
            }
        }
        Err(Error::index(Failure::Unavailable("the index was lost again and again".to_owned())))
    }

    /// Compares every file, stat gate included, and takes what is gone for deleted.
    pub(crate) fn reindex(
        &self,
        store: &StoreRef,
        progress: Progress<'_>,
    ) -> Result<ReindexReport> {
        let state = self.state(store);
        let outcome = {
            let mut look = locked(&state.look);
            let outcome = self.walk_all(store, &mut look, true, progress);
            if outcome.is_err() {
                // What was seen and not taken in is looked for again by the next read.
                look.walked = None;
            }
            outcome
        };
        let report = outcome.map_err(|problem| match problem {
            Problem::Index(failure) => Error::index(failure),
            Problem::Files(error) => error,
            Problem::Doubt => Error::Internal("a walk was in doubt".to_owned()),
        })?;
        let degraded = self.fresh(store, |db| waiting(db, &store.scope))?;
        Ok(ReindexReport { degraded, ..report })
    }

    /// The kernel tells nothing of a folder above the store that another one replaced, so that the
    /// folder itself is looked at.
    fn trusts(&self, store: &StoreRef, look: &Look) -> bool {
        look.watched
            && look.folder == identity(&store.root)
            && look.walked.is_some_and(|(generation, at)| {
                generation == self.index.generation() && at.elapsed() < TRUST
            })
    }

    /// Looks at files that the kernel named.
    fn look_at(&self, store: &StoreRef, paths: HashSet<String>) -> Outcome {
        let mut paths: Vec<String> =
            paths.into_iter().filter(|path| (store.face.covers)(path)).collect();
        if paths.is_empty() {
            return Ok(ReindexReport::default());
        }
        paths.sort_unstable();
        let state = self.state(store);
        let (waiting, paths): (Vec<String>, Vec<String>) = {
            let in_flight = locked(&state.in_flight);
            paths.into_iter().partition(|path| in_flight.contains(path))
        };
        self.watcher.put_back(&store.root, waiting);
        let outcome = self.look_at_settled(store, &paths);
        if outcome.is_err() {
            self.watcher.put_back(&store.root, paths);
        }
        outcome
    }

    fn look_at_settled(&self, store: &StoreRef, paths: &[String]) -> Outcome {
        let root = store.dir()?;
        let mut drifted = Vec::new();
        let mut gone = Vec::new();
        for path in paths {
            let row = self.index.read(|db| known_of(db, &store.scope, path))?;
            match (root.stat_at(path), row) {
                // Mostly our own write: the stat is as recorded, the racy window asks for a hash.
                (Ok(Some(stat)), Some(row)) if row.stat == stat && row.holds(&root, path) => {}
                (Ok(None), Some(_)) => gone.push(path.clone()),
                (Ok(None), None) => {}
                (Ok(Some(_)) | Err(_), row) => drifted.push((path.clone(), row)),
            }
        }
        if gone.len() > MASS.0 {
            return Err(Problem::Doubt);
        }
        self.take_in(store, &root, drifted, gone, &|_, _| true)
    }

    /// Walks the store. `certain`: what is gone was deleted, however much it is.
    fn walk_all(
        &self,
        store: &StoreRef,
        look: &mut Look,
        certain: bool,
        progress: Progress<'_>,
    ) -> Outcome {
        let generation = self.index.generation();
        let at = clock::instant();
        let rows = self.index.read(|db| known(db, &store.scope))?;
        let root = match store.found() {
            Ok(Some(root)) => root,
            Ok(None) if rows.is_empty() => return Ok(ReindexReport::default()),
            Ok(None) if certain => return self.forget_all(store, rows),
            Ok(None) => return self.without_root(store, &rows, "it is gone"),
            Err(error) if rows.is_empty() => return Err(error.into()),
            Err(error) => return self.without_root(store, &rows, &error.to_string()),
        };
        look.folder = identity(&store.root);
        look.watched = self.watch(store, &root);
        let found = walk(&root, store.face.folders, store.face.covers);
        let many = rows.len().max(found.files.len());
        let compared = self.compare(store, &root, rows, &found, certain, progress);
        drop(found);
        if many > MANY {
            coffer_env::memory::give_back();
        }
        let (report, is_settled) = compared?;
        // What waits for a person's word is looked at again by each read.
        look.walked = is_settled.then_some((generation, at));
        Ok(report)
    }

    /// Watches before the walk, so that no change falls between the two.
    fn watch(&self, store: &StoreRef, root: &Dir) -> bool {
        let mut folders = walk(root, store.face.folders, |_| false).folders;
        folders.push(String::new());
        self.watcher.watch(&store.root, &folders)
    }

    /// A store that lost its folder keeps its rows, and says so.
    fn without_root(&self, store: &StoreRef, rows: &HashMap<String, Known>, why: &str) -> Outcome {
        let reason = format!("the store's folder cannot be read: {why}");
        self.index.write(|tx| put_problem(tx, &store.scope, "", Some(&reason)))?;
        Ok(ReindexReport { skipped: rows.len() as u64, ..ReindexReport::default() })
    }

    /// A person says that a store without a folder was deleted.
    fn forget_all(&self, store: &StoreRef, rows: HashMap<String, Known>) -> Outcome {
        let removed = rows.len() as u64;
        self.try_commit(store, rows.into_keys().map(Change::Remove).collect(), Vec::new())?;
        self.index.write(|tx| put_problem(tx, &store.scope, "", None))?;
        Ok(ReindexReport { removed, ..ReindexReport::default() })
    }

    /// Takes in what differs; whether nothing is left to ask about.
    fn compare(
        &self,
        store: &StoreRef,
        root: &Dir,
        mut rows: HashMap<String, Known>,
        found: &Walk,
        certain: bool,
        progress: Progress<'_>,
    ) -> Result<(ReindexReport, bool), Problem> {
        let before = rows.len();
        let mut drifted = Vec::new();
        for Found { path, stat } in &found.files {
            match rows.remove(path) {
                Some(row) if row.is_current(*stat) => {}
                row => drifted.push((path.clone(), row)),
            }
        }
        rows.retain(|path, _| !found.is_hidden(path));
        let is_mass = |many: usize| !certain && many > MASS.0 && many * 100 > before * MASS.1;
        let mut held = None;
        if is_mass(rows.len()) {
            let arrived = arrived(root, &drifted);
            let missing = rows.values().filter(|row| !arrived.contains(&row.file_sha256)).count();
            if is_mass(missing) {
                rows.retain(|_, row| arrived.contains(&row.file_sha256));
                held = Some(format!(
                    "{missing} of {before} files are gone at once; reindex the store if you \
                     deleted them"
                ));
            }
        }
        let mut gone: Vec<String> = rows.into_keys().collect();
        gone.sort_unstable();
        self.note_skipped(store, found, held.as_deref())?;
        let mut report = self.take_in(store, root, drifted, gone, progress)?;
        report.scanned = found.files.len() as u64;
        report.skipped += found.skipped.len() as u64;
        Ok((report, held.is_none()))
    }

    /// Notes what a walk could not read and what it asks about, where that is new: a reader does not
    /// wait for the writer to hear that nothing changed.
    fn note_skipped(
        &self,
        store: &StoreRef,
        found: &Walk,
        held: Option<&str>,
    ) -> Result<(), Failure> {
        let mut skipped: Vec<(&str, &str)> = found
            .skipped
            .iter()
            .map(|skip| (skip.path.as_str(), skip.reason.as_str()))
            .chain(held.map(|held| ("", held)))
            .collect();
        skipped.sort_unstable();
        let noted = self.index.read(|db| skipped_before(db, &store.scope))?;
        let same = noted.iter().map(|(path, reason)| (path.as_str(), reason.as_str()));
        if same.eq(skipped.iter().copied()) {
            return Ok(());
        }
        self.index.write(|tx| set_skipped(tx, &store.scope, &skipped))
    }

    /// Reads drifted files and commits them in batches.
    fn take_in(
        &self,
        store: &StoreRef,
        root: &Dir,
        drifted: Vec<(String, Option<Known>)>,
        gone: Vec<String>,
        progress: Progress<'_>,
    ) -> Outcome {
        let mut report = ReindexReport { removed: gone.len() as u64, ..ReindexReport::default() };
        let total = drifted.len() as u64;
        let state = self.state(store);
        let mut changes: Vec<Change> = gone.into_iter().map(Change::Remove).collect();
        let mut drifted = drifted.into_iter().peekable();
        let mut done = 0;
        while drifted.peek().is_some() || !changes.is_empty() {
            let _held = locked(&state.work);
            let mut bytes = 0;
            while changes.len() < BATCH && bytes < BATCH_BYTES {
                let Some((path, row)) = drifted.next() else { break };
                let change = self.read_change(store, root, path, row.as_ref(), &mut report)?;
                bytes += change.size();
                changes.push(change);
                done += 1;
            }
            self.try_commit(store, std::mem::take(&mut changes), Vec::new())?;
            if !progress(done, total) {
                return Err(Error::Cancelled.into());
            }
        }
        Ok(report)
    }

    fn read_change(
        &self,
        store: &StoreRef,
        root: &Dir,
        path: String,
        row: Option<&Known>,
        report: &mut ReindexReport,
    ) -> Result<Change, Problem> {
        let checked_ns = now_ns();
        let (folder, name) = split(&path);
        match root.at(folder).and_then(|dir| dir.read(name)) {
            Ok(Some(file))
                if row.is_some_and(|row| !row.stale && row.file_sha256 == file.sha256()) =>
            {
                let text = String::from_utf8_lossy(&file.bytes);
                let Reading { created_at, updated_at, .. } =
                    (store.face.read)(&text, &path, file.stat.modified());
                Ok(Change::Seen { path, stat: file.stat, created_at, updated_at, checked_ns })
            }
            Ok(Some(file)) => {
                report.reindexed += 1;
                Ok(Change::Put(Box::new(prepare(store, &path, &file, checked_ns))))
            }
            Ok(None) => {
                report.removed += 1;
                Ok(Change::Remove(path))
            }
            Err(error) => {
                report.skipped += 1;
                if row.is_some() {
                    // Nobody tells when a disk is well again: the next read looks once more.
                    self.watcher.put_back(&store.root, [path.clone()]);
                }
                let reason = error.to_string();
                self.index.write(|tx| put_problem(tx, &store.scope, &path, Some(&reason)))?;
                Ok(Change::Stale(path))
            }
        }
    }
}

/// The versions that stand at new paths: what is gone elsewhere was moved there.
fn arrived(root: &Dir, drifted: &[(String, Option<Known>)]) -> HashSet<String> {
    let new = drifted.iter().filter(|(_, row)| row.is_none());
    new.filter_map(|(path, _)| Some(root.read_at(path).ok()??.sha256())).collect()
}

type Outcome = std::result::Result<ReindexReport, Problem>;

/// Why a comparison did not happen.
enum Problem {
    Index(Failure),
    Files(Error),
    /// The named changes are too many to be sure; a walk compares them with the whole store.
    Doubt,
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Index(failure)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Files(error)
    }
}
