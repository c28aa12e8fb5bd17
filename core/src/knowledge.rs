//! The substrate of both faces: files in, passages out.
//!
//! Knows stores, files, chunks and indexes; deliberately not what a fact, a lane or a knowledge
//! base is. Every write ends in `commit`, every read begins with `reconcile`.

mod bell;
mod commit;
mod cover;
mod embed;
mod embed_stores;
mod gate;
mod grep_files;
mod measure;
mod prepare;
mod question;
mod reading;
mod reconcile;
mod report;
mod search;
mod settings_file;
mod transfer;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use coffer_domain::chunk::ChunkSize;
use coffer_domain::time::Timestamp;

use crate::config::EmbeddingConfig;
use crate::error::{Error, Result};
use crate::index::{Connection, Failure, Index, Scope, SqlResult};
use crate::models::Embedders;
use crate::vault::{Dir, Watcher, split};

pub(crate) use bell::{Bell, Heard};
pub(crate) use commit::{InFlight, NewFile};
pub use embed_stores::Embedded;
pub(crate) use embed_stores::Left;
pub(crate) use measure::bytes;
pub(crate) use question::Question;
pub(crate) use reading::Reading;
pub(crate) use reconcile::Progress;
pub use report::ReindexReport;
pub(crate) use search::{Ask, Passage};
pub(crate) use settings_file::SettingsFile;
pub(crate) use transfer::Folder;
pub use transfer::{ImportedFile, LeftOut, Outcome, Outcomes};

/// What differs between the faces.
#[derive(Debug)]
pub(crate) struct Face {
    /// Folders below a store's root that hold documents.
    pub folders: &'static [&'static str],
    /// Whether a file, relative to the root, is a document.
    pub covers: fn(&str) -> bool,
    /// What the index keeps of a file, by its text, its path and its own time.
    pub read: fn(&str, &str, Timestamp) -> Reading,
    /// Whether a document takes part in the near-duplicate report.
    pub compares: fn(&str) -> bool,
}

/// Which model makes the vectors of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Vectors {
    /// None.
    Off,
    /// The one that the settings name, if they do.
    OfSettings,
    /// One of its own.
    Own(Box<EmbeddingConfig>),
}

/// One store of either face.
#[derive(Debug, Clone)]
pub(crate) struct StoreRef {
    /// How its rows are found.
    pub scope: Scope,
    /// Its folder.
    pub root: PathBuf,
    /// The face that it belongs to.
    pub face: &'static Face,
    /// How its documents are cut.
    pub chunks: ChunkSize,
    /// Which model makes its vectors.
    pub vectors: Vectors,
}

impl StoreRef {
    /// Opens the store's folder.
    pub(crate) fn dir(&self) -> Result<Dir> {
        Dir::open(&self.root)
    }

    /// Opens the store's folder; `None` for a store that does not exist.
    pub(crate) fn found(&self) -> Result<Option<Dir>> {
        Dir::find(&self.root)
    }

    /// Opens the folder of a file, making it as needed, and gives the file's name.
    pub(crate) fn place<'a>(&self, path: &'a str) -> Result<(Dir, &'a str)> {
        let (folder, name) = split(path);
        Ok((self.dir()?.make_at(folder)?, name))
    }
}

/// Files and index of all stores.
pub(crate) struct Knowledge {
    index: Arc<Index>,
    embedders: Embedders,
    watcher: Watcher,
    states: Mutex<HashMap<PathBuf, Arc<State>>>,
    /// Held by whoever brings vectors up; nobody else waits for it.
    embedding: Mutex<()>,
    /// Why the model gave no vectors when it was last asked, if so.
    trouble: Mutex<Option<String>>,
    /// Rung when documents may wait for vectors.
    bell: Arc<Bell>,
}

/// What is remembered of one store while the program runs.
#[derive(Default)]
struct State {
    /// Held by whoever changes files that others may change too, from reading to commit.
    work: Mutex<()>,
    /// Held shared by whoever writes a new file, alone by whoever takes the store's folder away.
    folder: RwLock<()>,
    /// Held while files are compared with the index, so that a reader waits for a comparison that
    /// another one began.
    look: Mutex<Look>,
    /// Files that are being written and not yet acknowledged.
    in_flight: Mutex<HashSet<String>>,
    /// Whether the index missed a write; a flag and no lock, since its setter may hold `work`.
    in_doubt: AtomicBool,
    /// Why the index could not take what changed, until it can.
    lag: Mutex<Option<String>>,
    /// How documents are cut by now, where that can change: work that began before may not know.
    cut: Mutex<Option<ChunkSize>>,
    /// How much the folders take that hold no documents.
    measured: Mutex<Option<measure::Measured>>,
}

/// When and how the files were last compared.
#[derive(Default)]
struct Look {
    /// The generation of the index, and the moment of the walk.
    walked: Option<(u64, Instant)>,
    /// Whether the kernel tells of changes since.
    watched: bool,
    /// Which folder was walked: device and inode.
    folder: Option<(u64, u64)>,
}

impl Knowledge {
    /// The substrate over an index, with the models that embed, and the bell that is rung when
    /// documents may wait for them.
    pub(crate) fn new(index: Arc<Index>, embedders: Embedders, bell: Arc<Bell>) -> Self {
        Self {
            index,
            embedders,
            watcher: Watcher::default(),
            states: Mutex::default(),
            embedding: Mutex::default(),
            trouble: Mutex::default(),
            bell,
        }
    }

    /// Rung when documents may wait for vectors.
    pub(crate) fn bell(&self) -> &Bell {
        &self.bell
    }

    /// The index, for what is no document.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Reads the index after comparing it with the files; a database that is lost meanwhile is
    /// filled again first, so that no answer comes from an empty one. One that cannot take what
    /// changed (a full disk, another program's lock) is read as it is; `lag` says so.
    pub(crate) fn fresh<T>(
        &self,
        store: &StoreRef,
        work: impl Fn(&Connection) -> SqlResult<T>,
    ) -> Result<T> {
        self.steadily(|| {
            self.reconcile(store)?;
            match self.index.read(&work) {
                Err(Failure::Replaced(_)) => Ok(None),
                other => other.map(Some).map_err(Error::index),
            }
        })
    }

    /// Asks again while the database is replaced meanwhile: what was asked then may have met an
    /// empty one.
    fn steadily<T>(&self, ask: impl Fn() -> Result<Option<T>>) -> Result<T> {
        for _ in 0..5 {
            let generation = self.index.generation();
            match ask()? {
                Some(answer) if generation == self.index.generation() => return Ok(answer),
                _ => {}
            }
        }
        Err(Error::index(Failure::Unavailable("it is replaced again and again".to_owned())))
    }

    /// Reads what is no document, or what a comparison just brought up.
    pub(crate) fn read<T>(&self, work: impl Fn(&Connection) -> SqlResult<T>) -> Result<T> {
        match self.index.read(&work) {
            Err(Failure::Replaced(_)) => self.index.read(&work).map_err(Error::index),
            other => other.map_err(Error::index),
        }
    }

    /// Why the index of a store lags behind its files just now, if it does.
    pub(crate) fn lag(&self, store: &StoreRef) -> Option<String> {
        locked(&self.state(store).lag).clone()
    }

    /// The folders of all stores whose index lags, and why.
    pub(crate) fn lags(&self) -> Vec<(PathBuf, String)> {
        let states = locked(&self.states);
        let lag = |state: &State| locked(&state.lag).clone();
        states.iter().filter_map(|(root, state)| Some((root.clone(), lag(state)?))).collect()
    }

    /// Runs work that must not meet another change of the store's files.
    pub(crate) fn exclusively<T>(
        &self,
        store: &StoreRef,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let state = self.state(store);
        let _held = locked(&state.work);
        work()
    }

    /// As `exclusively`, for work that takes the store's folder away: no file is being written.
    pub(crate) fn alone<T>(&self, store: &StoreRef, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let state = self.state(store);
        let _held = locked(&state.work);
        let _written = state.folder.write().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// Keeps readers from waiting for files that are about to be moved, until the guard goes.
    pub(crate) fn in_flight(&self, store: &StoreRef, paths: Vec<String>) -> InFlight {
        InFlight::new(self.state(store), paths)
    }

    /// Has the next reader look at every file again.
    pub(crate) fn look_again(&self, store: &StoreRef) {
        self.state(store).in_doubt.store(true, Ordering::Release);
    }

    /// Says how documents of a store are cut from now on. What was cut otherwise and is taken in later
    /// is in doubt; for what the index has, the caller says so.
    pub(crate) fn cut_as(&self, store: &StoreRef) {
        *locked(&self.state(store).cut) = Some(store.chunks);
    }

    /// Forgets what is remembered of a store whose folder goes away.
    pub(crate) fn forget(&self, store: &StoreRef) {
        locked(&self.states).remove(&store.root);
    }

    fn state(&self, store: &StoreRef) -> Arc<State> {
        let mut states = locked(&self.states);
        match states.get(&store.root) {
            Some(state) => Arc::clone(state),
            None => Arc::clone(states.entry(store.root.clone()).or_default()),
        }
    }
}

/// A lock; what a panicking thread left is still whole, since every change is one assignment.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
