//! Live events (`GET /api/v1/events`, server-sent): what changed, never the content.

use crate::jobs::JobOut;
use crate::reply;

reply! {
    /// Something changed; the SSE event's name is the tag.
    #[serde(tag = "type", rename_all = "snake_case")]
    pub enum EventOut {
        /// A store or knowledge base was made, renamed, configured or deleted, or one of its lanes changed.
        StoreChanged {
            /// The store, or `knowledge_base:<name>`.
            store: String,
        },
        /// A fact or document was written, changed or deleted.
        DocumentChanged {
            /// The store, or `knowledge_base:<name>`.
            store: String,
            /// The fact or document.
            id: String,
        },
        /// A job moved.
        Job {
            /// The job.
            job: Box<JobOut>,
        },
        /// A preference changed.
        SettingsChanged,
    }
}

impl EventOut {
    /// The name of the server-sent event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::StoreChanged { .. } => "store_changed",
            Self::DocumentChanged { .. } => "document_changed",
            Self::Job { .. } => "job",
            Self::SettingsChanged => "settings_changed",
        }
    }
}
