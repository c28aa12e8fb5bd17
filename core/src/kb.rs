//! The knowledge base face: documents made of any file, searched, and kept in step with their sources.
//!
//! One operation a file. Deliberately absent: memory stores; how a file becomes Markdown.

mod add;
mod bases;
mod config;
mod convert_all;
mod delete;
mod documents;
mod edit;
mod embed;
mod file;
mod folder;
mod grep_docs;
mod incoming;
mod intake;
mod metrics;
mod mirror;
mod originals;
mod pack;
mod part;
mod reading;
mod record;
mod search;
mod sources;
mod unpack;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use coffer_domain::archive::Owner;
use coffer_domain::chunk::ChunkSize;
use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::kb::is_document;
use coffer_domain::time::Timestamp;
use coffer_env::{Home, KbPaths};

use crate::config::Settings;
use crate::convert::Converters;
use crate::error::{Error, Result};
use crate::index::{AuditRow, Scope};
use crate::knowledge::{Face, Knowledge, StoreRef, Vectors};
use crate::vault::Dir;

pub use coffer_domain::kb::KbName;

pub use crate::knowledge::ReindexReport;
pub use add::{Added, AddedAs};
pub use bases::KnowledgeBase;
pub use config::{BasePatch, KnowledgeBaseConfig};
pub use documents::{Document, DocumentPage};
pub use folder::{FileOutcome, FolderIngest, FolderReport, IngestedFile};
pub use grep_docs::{GrepHit, GrepRequest, Grepped};
pub use incoming::Incoming;
pub use metrics::KbMetrics;
pub(crate) use originals::Unpaired;
pub use part::{PART_BYTES, Part};
pub use reading::Metadata;
pub use search::{KbPassage, Searched};
pub use sources::{SourceState, SourceStatus};
pub(crate) use unpack::Unpacking;

/// The word for this face in tables.
pub(crate) const KIND: &str = "knowledge_base";

/// How knowledge bases are indexed.
static FACE: Face = Face {
    folders: &[KbPaths::DOCS],
    covers: is_document,
    read: reading::reading,
    compares: |_| false,
};

/// Something that live views want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KbEvent {
    /// A knowledge base was made, configured or deleted.
    Base(KbName),
    /// A document was written, changed or deleted.
    Document(KbName, Id),
}

/// The knowledge base face.
#[derive(Clone)]
pub struct KnowledgeBases(Arc<Inner>);

struct Inner {
    home: Home,
    knowledge: Arc<Knowledge>,
    settings: Settings,
    converters: Converters,
    /// What each `kb.yaml` says, by its stat.
    files: Mutex<HashMap<KbName, file::Read>>,
    /// Names of records of work that could be neither finished nor taken back yet.
    unsettled: Mutex<Vec<String>>,
    on_event: Box<dyn Fn(KbEvent) + Send + Sync>,
}

/// One knowledge base, as an operation works with it.
pub(crate) struct Opened {
    /// The substrate's view.
    pub at: StoreRef,
    /// Whether search uses it.
    pub is_enabled: bool,
    /// Its settings.
    pub config: KnowledgeBaseConfig,
}

impl KnowledgeBases {
    /// The face over a home and the substrate; the settings name the model that embeds, and how lists
    /// are merged.
    pub(crate) fn new(
        home: Home,
        knowledge: Arc<Knowledge>,
        settings: Settings,
        converters: Converters,
        on_event: impl Fn(KbEvent) + Send + Sync + 'static,
    ) -> Self {
        let (files, unsettled) = (Mutex::default(), Mutex::default());
        let on_event = Box::new(on_event);
        Self(Arc::new(Inner { home, knowledge, settings, converters, files, unsettled, on_event }))
    }

    /// A knowledge base that is there. Its mirror follows its file, and its passages its settings.
    pub(crate) fn open(&self, name: &KbName) -> Result<Opened> {
        let missing = || Error::BaseNotFound(name.to_string());
        // Whoever makes a link in the place of one would have all of it read.
        let all = Dir::find(&self.0.home.knowledge())?.ok_or_else(missing)?;
        let dir = all.find_at(name.as_str())?.ok_or_else(missing)?;
        if dir.stat(KbPaths::FILE).is_ok_and(|stat| stat.is_none()) && self.is_bare(name) {
            return Err(missing());
        }
        let (file, is_news) = self.read_file(name, &dir)?;
        let config = file.config.settings();
        let at = self.store_ref(name, &config);
        if is_news {
            self.mirror(name, &at, &file);
        }
        Ok(Opened { at, is_enabled: file.is_enabled(), config })
    }

    fn store_ref(&self, name: &KbName, config: &KnowledgeBaseConfig) -> StoreRef {
        let vectors = match &config.embedding {
            _ if !config.has_vectors() => Vectors::Off,
            Some(own) => Vectors::Own(Box::new(own.clone())),
            None => Vectors::OfSettings,
        };
        StoreRef {
            scope: Scope::new(KIND, name.to_string(), Id::GLOBAL.to_owned()),
            root: self.paths(name).root().to_owned(),
            face: &FACE,
            chunks: ChunkSize {
                tokens: config.chunk_size as usize,
                overlap: config.chunk_overlap as usize,
            },
            vectors,
        }
    }

    /// The absolute path of one below a knowledge base.
    pub(crate) fn absolute(&self, name: &KbName, path: &str) -> PathBuf {
        let paths = self.paths(name);
        paths.resolve(path).unwrap_or_else(|| paths.root().to_owned())
    }

    fn paths(&self, name: &KbName) -> KbPaths {
        self.0.home.kb(name)
    }

    fn knowledge(&self) -> &Knowledge {
        &self.0.knowledge
    }

    pub(crate) fn changed(&self, name: &KbName) {
        (self.0.on_event)(KbEvent::Base(name.clone()));
    }

    /// Writes into the trail alone, for changes that no document row goes with.
    fn audit(&self, row: &AuditRow) {
        let written = self.knowledge().index().write(|tx| crate::index::add_audit(tx, row));
        if let Err(failure) = written {
            tracing::warn!(?failure, event = row.event, "the audit trail misses a row");
        }
    }
}

/// How a knowledge base is named where stores are, too.
pub fn reference(name: &KbName) -> String {
    Owner::Base(name.clone()).to_string()
}

/// A row for the trail.
fn audit_row(
    event: &str,
    author: &Author,
    name: &KbName,
    ids: &[&str],
    now: Timestamp,
) -> AuditRow {
    AuditRow {
        seq: 0,
        at: now,
        event: event.to_owned(),
        actor: author.name().to_owned(),
        store: Some(reference(name)),
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        counts: BTreeMap::new(),
    }
}

/// A lock; see `knowledge::locked`.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
