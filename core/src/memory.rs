//! The memory face: stores, their lanes, and what agents and people do with facts.
//!
//! One operation a file. Deliberately absent: models, transcripts, knowledge bases.

mod change;
mod clear;
mod configure;
mod consolidate;
mod curate;
mod embed;
mod export;
mod facts;
mod handoff;
mod identity;
mod import;
mod injection;
mod journal;
mod lanes;
mod merge;
mod merge_scan;
mod metrics;
mod provenance;
mod recall;
mod redact;
mod reindex;
mod remember;
mod retire;
mod rules;
mod scope;
mod store_file;
mod stores;
mod superseded;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use coffer_domain::chunk::ChunkSize;
use coffer_domain::fact::{Actor, Author};
use coffer_domain::id::Id;
use coffer_domain::store::{Lane, StoreName, is_indexed};
use coffer_domain::time::Timestamp;
use coffer_env::{Home, StorePaths};

use crate::config::Settings;
use crate::error::Error;
use crate::index::{AuditRow, Scope};
use crate::knowledge::{Face, Knowledge, StoreRef, Vectors};
use crate::vault::{Intents, Stat};

pub use crate::knowledge::{Embedded, ReindexReport};
pub use crate::knowledge::{ImportedFile, LeftOut, Outcome, Outcomes};
pub use change::FactChange;
pub use configure::ConfigPatch;
pub(crate) use curate::{Applied, Inbox, Item, RULES_OF_A_FILE, RulesFile, Topic, TopicText};
pub use export::{Export, Exported};
pub use facts::{FactPage, Page};
pub use handoff::{HandoffSaved, Resumed};
pub use import::{Import, Imported, SourceFormat};
pub use injection::Injection;
pub use journal::{Appended, Entries, EntryIn};
pub use lanes::{LaneFile, LogText, SceneFile};
pub use merge::Merged;
pub use merge_scan::{Evidence, Proposal, Sign};
pub use metrics::Metrics;
pub use recall::{Hit, Recall, Recalled};
pub use redact::Redacted;
pub use remember::{FactIn, Remembered, Similar};
pub use scope::{Resolved, ScopeReason};
pub use store_file::StoreConfig;
pub use stores::Store;
pub use superseded::{Restored, Retired, RetiredPage};

/// The word for this face in tables.
pub(crate) const KIND: &str = "memory";

/// Facts are short, topic documents and journals are cut into passages.
const CHUNKS: ChunkSize = ChunkSize { tokens: 400, overlap: 40 };

/// How stores are indexed.
static FACE: Face = Face {
    folders: &["knowledge", "journal"],
    covers: is_indexed,
    read: provenance::reading,
    compares: |path| Lane::of_path(path).is_some_and(|lane| lane == Lane::Knowledge),
};

/// Something that live views want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryEvent {
    /// A store was made, configured or deleted, or one of its lanes changed.
    Store(StoreName),
    /// A fact was written, changed or deleted.
    Document(StoreName, Id),
}

/// A fact, topic document or journal file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The id in use.
    pub id: Id,
    /// Its store.
    pub store: StoreName,
    /// The lane that it lives in.
    pub lane: Lane,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// The text without frontmatter.
    pub text: String,
    /// Who wrote it.
    pub actor: Actor,
    /// Which agent, when known.
    pub agent: Option<String>,
    /// The session that it comes from.
    pub origin_session_id: Option<String>,
    /// The file, absolute.
    pub path: PathBuf,
    /// SHA-256 of the whole file.
    pub file_sha256: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The memory face.
#[derive(Clone)]
pub struct Memory(Arc<Inner>);

struct Inner {
    home: Home,
    knowledge: Arc<Knowledge>,
    settings: Settings,
    intents: Intents,
    /// What each `store.yaml` says, by its stat.
    files: Mutex<HashMap<StoreName, (Stat, store_file::StoreFile)>>,
    /// Where projects are that were asked for: a store's first write records it.
    roots: Mutex<HashMap<StoreName, PathBuf>>,
    /// What each store was last brought up to.
    learned: Mutex<HashMap<StoreName, identity::Lesson>>,
    /// Held by whoever finds the store of a moved project.
    relinking: Mutex<()>,
    /// Held by whoever merges stores, before any lock of a store.
    merging: Mutex<()>,
    on_event: Box<dyn Fn(MemoryEvent) + Send + Sync>,
}

impl Memory {
    /// The face over a home and the substrate; the settings name further secrets and
    /// how lists are merged.
    pub(crate) fn new(
        home: Home,
        knowledge: Arc<Knowledge>,
        settings: Settings,
        on_event: impl Fn(MemoryEvent) + Send + Sync + 'static,
    ) -> Self {
        let intents = Intents::of(&home);
        Self(Arc::new(Inner {
            home,
            knowledge,
            settings,
            intents,
            files: Mutex::default(),
            roots: Mutex::default(),
            learned: Mutex::default(),
            relinking: Mutex::default(),
            merging: Mutex::default(),
            on_event: Box::new(on_event),
        }))
    }

    /// The substrate's view of a store.
    pub(crate) fn store_ref(&self, name: &StoreName) -> StoreRef {
        StoreRef {
            scope: Scope::new(KIND, name.to_string(), name.project_id().to_owned()),
            root: self.paths(name).root().to_owned(),
            face: &FACE,
            chunks: CHUNKS,
            vectors: Vectors::OfSettings,
        }
    }

    fn paths(&self, name: &StoreName) -> StorePaths {
        self.0.home.store(name)
    }

    fn knowledge(&self) -> &Knowledge {
        &self.0.knowledge
    }

    pub(crate) fn changed(&self, store: &StoreName) {
        (self.0.on_event)(MemoryEvent::Store(store.clone()));
    }

    fn document_changed(&self, store: &StoreName, id: &Id) {
        (self.0.on_event)(MemoryEvent::Document(store.clone(), id.clone()));
    }

    /// Writes into the trail alone, for changes that no document row goes with.
    pub(crate) fn audit(&self, row: &AuditRow) {
        let written = self.knowledge().index().write(|tx| crate::index::add_audit(tx, row));
        if let Err(failure) = written {
            tracing::warn!(?failure, event = row.event, "the audit trail misses a row");
        }
    }
}

/// Who stands in the trail for what Coffer does by itself.
fn organizer() -> Author {
    Author::agent("organizer")
}

/// A row for the trail.
fn audit_row(
    event: &str,
    author: &Author,
    store: &StoreName,
    ids: &[&str],
    now: Timestamp,
) -> AuditRow {
    AuditRow {
        seq: 0,
        at: now,
        event: event.to_owned(),
        actor: author.name().to_owned(),
        store: Some(store.to_string()),
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        counts: std::collections::BTreeMap::new(),
    }
}

fn fact_not_found(store: &StoreName, id: &Id) -> Error {
    Error::FactNotFound { store: store.to_string(), id: id.to_string() }
}

/// A lock; see `knowledge::locked`.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
