//! The one way into the index, for every write of both faces.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, PoisonError};

use super::prepare::{prepare, prepare_all};
use super::{Knowledge, State, StoreRef, locked};
use crate::error::Result;
use crate::index::{AuditRow, Change, Failure, add_audit, apply, doubt};
use crate::vault::{Dir, Expect, File, replace, split};
use coffer_env::clock;

/// A file that was written, flushed and, unless the index failed, indexed.
#[derive(Debug)]
pub(crate) struct Written {
    /// The bytes and the stat.
    pub file: File,
    /// Whether recall finds it already; if not, the next read heals it.
    pub indexed: bool,
}

/// A file that is written with others.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// Relative to the store.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// When it last changed, in nanoseconds since 1970, for one that comes from elsewhere.
    pub modified_ns: Option<i64>,
    /// What it takes the place of.
    pub before: Option<Vec<u8>>,
}

impl Knowledge {
    /// Writes files, flushes each folder once, then brings the index up to them in one transaction.
    /// An error ends it, and what was written before stays, whole and indexed. Whether the index took
    /// what was written.
    pub(crate) fn write_all(
        &self,
        store: &StoreRef,
        files: Vec<NewFile>,
        audit: Vec<AuditRow>,
    ) -> Result<bool> {
        let state = self.state(store);
        let _standing = state.folder.read().unwrap_or_else(PoisonError::into_inner);
        let paths = files.iter().map(|file| file.path.clone()).collect();
        let _in_flight = InFlight::new(Arc::clone(&state), paths);
        let mut written = Vec::with_capacity(files.len());
        let mut folders: BTreeMap<String, Dir> = BTreeMap::new();
        let done = files
            .into_iter()
            .try_for_each(|file| write_one(store, &mut folders, file).map(|it| written.push(it)));
        let flushed = folders.values().try_for_each(Dir::sync);
        written.retain(|(path, ..)| (store.face.covers)(path));
        let prepared = prepare_all(store, &written).into_iter();
        let changes = prepared.map(|prepared| Change::Put(Box::new(prepared))).collect();
        let indexed = self.commit(store, changes, audit);
        done.and(flushed).map(|()| indexed)
    }

    /// Writes a file and brings the index up to it. An index that fails does not undo the write.
    pub(crate) fn write(
        &self,
        store: &StoreRef,
        path: &str,
        bytes: &[u8],
        expect: Expect<'_>,
        audit: AuditRow,
    ) -> Result<Written> {
        let state = self.state(store);
        let _standing = state.folder.read().unwrap_or_else(PoisonError::into_inner);
        let _in_flight = InFlight::new(Arc::clone(&state), vec![path.to_owned()]);
        let checked_ns = now_ns();
        let (dir, name) = store.place(path)?;
        let stat = dir.write(name, bytes, expect)?;
        let file = File { bytes: bytes.to_vec(), stat };
        let change = Change::Put(Box::new(prepare(store, path, &file, checked_ns)));
        let indexed = self.commit(store, vec![change], vec![audit]);
        Ok(Written { file, indexed })
    }

    /// Puts a file's new bytes in the place of a version, under another name if need be, and brings
    /// the index up to it. Nothing of the version is kept. For callers that hold the store
    /// `exclusively`.
    pub(crate) fn rewrite(
        &self,
        store: &StoreRef,
        (path, to): (&str, &str),
        bytes: &[u8],
        before: &[u8],
    ) -> Result<()> {
        let state = self.state(store);
        let _standing = state.folder.read().unwrap_or_else(PoisonError::into_inner);
        let paths = vec![path.to_owned(), to.to_owned()];
        let _in_flight = InFlight::new(Arc::clone(&state), paths);
        let checked_ns = now_ns();
        let stat = replace(&store.dir()?, (path, to), bytes, before)?;
        let covers = store.face.covers;
        let mut changes = Vec::new();
        if path != to && covers(path) {
            changes.push(Change::Remove(path.to_owned()));
        }
        if covers(to) {
            let file = File { bytes: bytes.to_vec(), stat };
            changes.push(Change::Put(Box::new(prepare(store, to, &file, checked_ns))));
        }
        if !changes.is_empty() {
            self.commit(store, changes, Vec::new());
        }
        Ok(())
    }

    /// Makes changes in one transaction; `false` when the index could not take them, which the
    /// next comparison with the files heals.
    pub(crate) fn commit(
        &self,
        store: &StoreRef,
        changes: Vec<Change>,
        audit: Vec<AuditRow>,
    ) -> bool {
        match self.try_commit(store, changes, audit) {
            Ok(()) => true,
            Err(failure) => {
                tracing::warn!(store = %store.scope.name, ?failure, "the index lags behind the files");
                self.look_again(store);
                false
            }
        }
    }

    /// As `commit`, for callers that can wait for a better moment.
    pub(super) fn try_commit(
        &self,
        store: &StoreRef,
        mut changes: Vec<Change>,
        mut audit: Vec<AuditRow>,
    ) -> Result<(), Failure> {
        let state = self.state(store);
        // Each round frees or takes ids; a file is read again at most once for each.
        for _ in 0..8 {
            let audit = std::mem::take(&mut audit);
            let (again, is_cut_otherwise) = self.index.write(|tx| {
                let again = apply(tx, &store.scope, &changes)?;
                audit.iter().try_for_each(|row| add_audit(tx, row))?;
                let is_cut_otherwise = locked(&state.cut).is_some_and(|cut| cut != store.chunks);
                if is_cut_otherwise {
                    changes
                        .iter()
                        .filter_map(Change::put)
                        .try_for_each(|path| doubt(tx, &store.scope, path))?;
                }
                Ok((again, is_cut_otherwise))
            })?;
            if is_cut_otherwise {
                self.look_again(store);
            }
            if again.is_empty() {
                if self.model(store).is_some() {
                    self.bell.ring();
                }
                return Ok(());
            }
            let paths: HashSet<String> = again.into_iter().collect();
            changes = paths.iter().filter_map(|path| self.reread(store, path)).collect();
        }
        Ok(())
    }

    fn reread(&self, store: &StoreRef, path: &str) -> Option<Change> {
        let checked_ns = now_ns();
        let file = store.dir().ok()?.read_at(path).ok()??;
        Some(Change::Put(Box::new(prepare(store, path, &file, checked_ns))))
    }
}

/// Writes a file whose folder, open from then on, is flushed later; with when it was read.
fn write_one(
    store: &StoreRef,
    folders: &mut BTreeMap<String, Dir>,
    file: NewFile,
) -> Result<(String, File, i64)> {
    let NewFile { path, bytes, modified_ns, before } = file;
    let checked_ns = now_ns();
    let (folder, name) = split(&path);
    let dir = match folders.get(folder) {
        Some(dir) => dir,
        None => folders.entry(folder.to_owned()).or_insert(store.dir()?.make_at(folder)?),
    };
    let expect = before.as_deref().map_or(Expect::Absent, Expect::Version);
    let stat = dir.put(name, &bytes, expect, modified_ns)?;
    Ok((path, File { bytes, stat }, checked_ns))
}

/// Now, in nanoseconds since 1970, as the stat gate counts.
pub(super) fn now_ns() -> i64 {
    clock::now().micros().saturating_mul(1_000)
}

/// Marks files as being written or moved, so that readers do not wait for what nobody was promised.
pub(crate) struct InFlight {
    state: Arc<State>,
    paths: Vec<String>,
}

impl InFlight {
    pub(super) fn new(state: Arc<State>, paths: Vec<String>) -> Self {
        locked(&state.in_flight).extend(paths.iter().cloned());
        Self { state, paths }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut in_flight = locked(&self.state.in_flight);
        for path in &self.paths {
            in_flight.remove(path);
        }
    }
}
