//! Background work: durable, never queued twice, with progress and cancel.

use crate::distill::DistillOut;
use crate::kb::IngestOut;
use crate::models::ModelOut;
use crate::organize::{OrganizeOut, ReorgOut};
use crate::purge::PurgeOut;
use crate::stores::ReindexOut;
use crate::transfer::{ExportOut, ImportOut};
use crate::{reply, request, words};

words! {
    /// What a job does.
    pub enum JobKind {
        /// Compare files with the index and heal what differs.
        Reindex,
        /// Take a folder into a knowledge base.
        Ingest,
        /// Bring the vectors of all stores up.
        Embed,
        /// Write stores into an archive.
        Export,
        /// Take in an archive, or what another program remembers.
        Import,
        /// Copy or fetch an embedding model; counts bytes.
        InstallModel,
        /// Take a text out of everything.
        Purge,
        /// File a store's inbox by the engine.
        Organize,
        /// Tidy a store's topics by the engine.
        Reorg,
        /// Write down what a session of an agent taught.
        Distill,
    }

    /// Where a job stands.
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
}

reply! {
    /// How far a job is.
    pub struct ProgressOut {
        /// Items done.
        pub done: u64,
        /// Items in all, once known.
        pub total: Option<u64>,
    }

    /// What bringing vectors up did.
    pub struct EmbedOut {
        /// Passages that were given to the model.
        pub passages: u64,
        /// Documents that still wait.
        pub waiting: u64,
        /// Why they do, where the model gave no vectors.
        pub failure: Option<String>,
    }

    /// What a finished job gives.
    #[serde(rename_all = "snake_case")]
    pub enum JobResult {
        /// Of a reindex.
        Reindex(ReindexOut),
        /// Of bringing vectors up.
        Embed(EmbedOut),
        /// Of a folder.
        Ingest(IngestOut),
        /// Of an export.
        Export(ExportOut),
        /// Of an import.
        Import(ImportOut),
        /// Of an installation.
        InstallModel(ModelOut),
        /// Of a purge.
        Purge(PurgeOut),
        /// Of a pass over the inbox.
        Organize(OrganizeOut),
        /// Of a pass over the topics.
        Reorg(ReorgOut),
        /// Of a session.
        Distill(DistillOut),
    }

    /// A job.
    pub struct JobOut {
        /// ULID.
        pub id: String,
        /// What it does.
        pub kind: JobKind,
        /// The store, or `knowledge_base:<name>`, it is about; null: all, or what the work finds.
        pub store: Option<String>,
        /// Where it stands.
        pub state: JobState,
        /// How far it is.
        pub progress: ProgressOut,
        /// What it gave, when done.
        pub result: Option<JobResult>,
        /// Why it failed.
        pub error: Option<String>,
        /// RFC 3339.
        pub created_at: String,
        /// RFC 3339.
        pub finished_at: Option<String>,
    }

    /// Jobs, newest first.
    pub struct JobsOut {
        /// The jobs.
        pub jobs: Vec<JobOut>,
    }

    /// The reply of work that goes on: ask for the job.
    pub struct JobStarted {
        /// The job.
        pub job: JobOut,
    }
}

request! {
    /// How long a caller waits for a job's result.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct WaitQuery {
        /// Seconds, 0 to 600, default 30.
        #[cfg_attr(feature = "schema", param(minimum = 0, maximum = 600))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub wait: Option<u32>,
    }
}
