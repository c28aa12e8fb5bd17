//! A job as a value, and as the tables keep it.

use coffer_domain::id::Id;
use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::stored::{StoredOutput, StoredRequest};
use crate::distill::{DistillRequest, Distilled};
use crate::index::JobRow;
use crate::kb::{self, FolderIngest, FolderReport};
use crate::memory::{Embedded, Export, Exported, Import, Imported, ReindexReport};
use crate::models::{Install, Model};
use crate::organize::{Organized, Reorganized};
use crate::purge::{PurgeRequest, Purged};

/// What a job is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobRequest {
    /// Compare every file with the index, of one store or of all.
    Reindex {
        /// The store; absent: all.
        store: Option<StoreName>,
    },
    /// Compare every document of a knowledge base with the index.
    ReindexBase(KbName),
    /// Take a folder into a knowledge base.
    IngestFolder(FolderIngest),
    /// Bring the vectors of all stores up.
    Embed,
    /// Write stores into an archive.
    Export(Export),
    /// Take in an archive, or what another program remembers.
    Import(Import),
    /// Copy or fetch a model.
    InstallModel(Install),
    /// Take a text out of everything.
    Purge(PurgeRequest),
    /// File a store's inbox.
    Organize(StoreName),
    /// Tidy a store's topics.
    Reorg(StoreName),
    /// Write down what a session taught.
    Distill(DistillRequest),
}

/// Jobs of one lane run one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// What a person waits for.
    Prompt,
    /// What takes long and waits for a model: nobody shall wait for it.
    Models,
    /// What waits for the engine: its answers take minutes, and vectors must not wait for them. Of two
    /// passes over one store both would file the same items.
    Engine,
    /// What sessions taught: a pass over an inbox may take hours.
    Sessions,
}

impl Lane {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [Self::Prompt, Self::Models, Self::Engine, Self::Sessions];
}

impl JobRequest {
    /// The lane that it runs in.
    pub(super) const fn lane(&self) -> Lane {
        match self {
            Self::Embed | Self::InstallModel(_) => Lane::Models,
            Self::Organize(_) | Self::Reorg(_) => Lane::Engine,
            Self::Distill(_) => Lane::Sessions,
            Self::Reindex { .. }
            | Self::ReindexBase(_)
            | Self::IngestFolder(_)
            | Self::Export(_)
            | Self::Import(_)
            | Self::Purge(_) => Lane::Prompt,
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Reindex { .. } | Self::ReindexBase(_) => "reindex",
            Self::IngestFolder(_) => "ingest",
            Self::Embed => "embed",
            Self::Export(_) => "export",
            Self::Import(_) => "import",
            Self::InstallModel(_) => "install_model",
            Self::Purge(_) => "purge",
            Self::Organize(_) => "organize",
            Self::Reorg(_) => "reorg",
            Self::Distill(_) => "distill",
        }
    }

    /// The one store or knowledge base that it is about; none: all, or what the source says.
    pub fn store(&self) -> Option<String> {
        let store = match self {
            Self::ReindexBase(name) | Self::IngestFolder(FolderIngest { base: name, .. }) => {
                return Some(kb::reference(name));
            }
            Self::Reindex { store } => return store.as_ref().map(ToString::to_string),
            Self::Export(export) => export.stores.first().filter(|_| export.stores.len() == 1),
            Self::Import(import) => import.store.as_ref(),
            Self::Organize(store) | Self::Reorg(store) => return Some(store.to_string()),
            Self::Embed | Self::InstallModel(_) | Self::Purge(_) | Self::Distill(_) => None,
        };
        store.map(ToString::to_string)
    }

    fn of_row(row: &JobRow) -> Option<Self> {
        if let Some(stored) = &row.request {
            return serde_json::from_str::<StoredRequest>(stored).ok()?.request();
        }
        let store = match row.store.as_deref() {
            Some(name) => Some(StoreName::parse(name)?),
            None => None,
        };
        match row.kind.as_str() {
            "reindex" => Some(Self::Reindex { store }),
            "embed" => Some(Self::Embed),
            "organize" => store.map(Self::Organize),
            "reorg" => store.map(Self::Reorg),
            _ => None,
        }
    }
}

/// What a finished job gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutput {
    /// Of a reindex.
    Reindexed(ReindexReport),
    /// Of bringing vectors up.
    Embedded(Embedded),
    /// Of a folder.
    Ingested(FolderReport),
    /// Of an export.
    Exported(Exported),
    /// Of an import.
    Imported(Imported),
    /// Of an installation.
    ModelInstalled(Model),
    /// Of a purge.
    Purged(Purged),
    /// Of a pass over the inbox.
    Organized(Organized),
    /// Of a pass over the topics.
    Reorganized(Reorganized),
    /// Of a session.
    Distilled(Distilled),
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Waits.
    Queued,
    /// Runs.
    Running,
    /// Finished.
    Done,
    /// Ended by an error.
    Failed,
    /// Ended by a person.
    Cancelled,
}

impl JobState {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Queued, "queued"),
        (Self::Running, "running"),
        (Self::Done, "done"),
        (Self::Failed, "failed"),
        (Self::Cancelled, "cancelled"),
    ];

    /// Whether nothing more will happen.
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).map_or("failed", |(_, word)| word)
    }

    fn of_word(word: &str) -> Self {
        Self::ALL.iter().find(|(_, known)| *known == word).map_or(Self::Failed, |(state, _)| *state)
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: Id,
    /// What it is asked to do.
    pub request: JobRequest,
    /// Where it stands.
    pub state: JobState,
    /// Items done.
    pub done: u64,
    /// Items in all, once known.
    pub total: Option<u64>,
    /// What it gave.
    pub output: Option<JobOutput>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl Job {
    /// A job that waits.
    pub(super) const fn new(id: Id, request: JobRequest, now: Timestamp) -> Self {
        Self {
            id,
            request,
            state: JobState::Queued,
            done: 0,
            total: None,
            output: None,
            error: None,
            created_at: now,
            finished_at: None,
        }
    }

    /// The job as the tables keep it.
    pub(super) fn row(&self) -> JobRow {
        let result = self.output.as_ref().map(StoredOutput::of);
        let request = StoredRequest::of(&self.request);
        JobRow {
            id: self.id.to_string(),
            kind: self.request.kind().to_owned(),
            store: self.request.store(),
            request: request.and_then(|request| serde_json::to_string(&request).ok()),
            state: self.state.word().to_owned(),
            done: self.done,
            total: self.total,
            result: result.and_then(|result| serde_json::to_string(&result).ok()),
            error: self.error.clone(),
            created_at: self.created_at,
            finished_at: self.finished_at,
        }
    }

    /// The job of a row; `None` for one that another version of the program wrote.
    pub(super) fn of_row(row: JobRow) -> Option<Self> {
        let output: Option<StoredOutput> =
            row.result.as_deref().and_then(|text| serde_json::from_str(text).ok());
        Some(Self {
            id: Id::parse(&row.id)?,
            request: JobRequest::of_row(&row)?,
            state: JobState::of_word(&row.state),
            done: row.done,
            total: row.total,
            output: output.and_then(StoredOutput::output),
            error: row.error,
            created_at: row.created_at,
            finished_at: row.finished_at,
        })
    }
}
