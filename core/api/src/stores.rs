//! Memory stores: list, configuration, label, counts, reindex.

use crate::facts::Scope;
use crate::recall::Mode;
use crate::resources::ResourceKind;
use crate::{reply, request, words};

words! {
    /// How keyword and vector lists are merged.
    pub enum Fusion {
        /// Weighted scores.
        Mix,
        /// Reciprocal rank fusion.
        Rrf,
    }
}

reply! {
    /// A store's own settings, as `store.yaml` keeps them.
    pub struct StoreConfigOut {
        /// Modes that recall may use.
        pub retrieval_modes: Vec<Mode>,
        /// The mode of a recall that names none.
        pub default_mode: Mode,
        /// 64 to 32,768.
        pub max_fact_chars: u32,
        /// How keyword and vector lists are merged.
        pub fusion: Fusion,
        /// Project ids merged into this store; kept by Coffer.
        pub merged_identities: Vec<String>,
        /// Accepted, stored, ignored: the global embedding configuration counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_provider: Option<String>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_model: Option<String>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_base_url: Option<String>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_credential_ref: Option<String>,
        /// Accepted, stored, ignored; 1 to 8,192.
        pub embedding_dimensions: u32,
    }

    /// A store.
    pub struct MemoryStoreOut {
        /// `memory:<name>`.
        #[serde(rename = "ref")]
        pub reference: String,
        /// Always `memory`.
        pub kind: ResourceKind,
        /// `global` or `project-<ULID>`.
        pub name: String,
        /// Which scope that is.
        pub scope: Scope,
        /// ULID of the project; zeros for the global store.
        pub project_id: String,
        /// The project's folder on this machine, when known.
        pub project_root: Option<String>,
        /// The name that the person gave it.
        pub label: Option<String>,
        /// Label, else the folder's name, else the store's name.
        pub display_name: String,
        /// The store's folder, absolute.
        pub store_dir: String,
        /// Facts and topic documents, from the index.
        pub fact_count: u64,
        /// Settings.
        pub config: StoreConfigOut,
        /// Whether recall, search and injection use it.
        pub enabled: bool,
        /// RFC 3339.
        pub created_at: String,
        /// RFC 3339: the last change of a fact or of the store.
        pub updated_at: String,
    }

    /// All stores, the global one first.
    pub struct MemoryStoresOut {
        /// The stores.
        pub memory_stores: Vec<MemoryStoreOut>,
    }

    /// Counts of one store, read from its files.
    pub struct StoreMetricsOut {
        /// Facts and topic documents.
        pub fact_count: u64,
        /// Topic documents.
        pub topic_count: u64,
        /// Inbox items.
        pub inbox_count: u64,
        /// Days with a journal.
        pub journal_days: u64,
        /// Rules: bullets in the rules lane.
        pub rules_count: u64,
        /// Passages in the index.
        pub chunk_count: u64,
        /// Bytes of the store's files.
        pub disk_bytes: u64,
        /// Documents that wait for vectors.
        pub documents_degraded: u64,
        /// Modes that the index can answer.
        pub indexed_modes: Vec<Mode>,
    }

    /// What a reindex did.
    pub struct ReindexOut {
        /// Files looked at.
        pub documents_scanned: u64,
        /// Files that were indexed anew.
        pub documents_reindexed: u64,
        /// Files that could not be read.
        pub documents_skipped: u64,
        /// Rows whose file is gone.
        pub documents_removed: u64,
        /// Documents that wait for vectors.
        pub documents_degraded: u64,
    }
}

request! {
    /// A change of a store's settings; absent fields stay.
    pub struct StoreConfigPatch {
        /// Modes that recall may use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub retrieval_modes: Option<Vec<Mode>>,
        /// The mode of a recall that names none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub default_mode: Option<Mode>,
        /// 64 to 32,768.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max_fact_chars: Option<u32>,
        /// How keyword and vector lists are merged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fusion: Option<Fusion>,
        /// Never set by people: any value is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub merged_identities: Option<Vec<String>>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_provider: Option<String>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_model: Option<String>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_base_url: Option<String>,
        /// Accepted, stored, ignored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_credential_ref: Option<String>,
        /// Accepted, stored, ignored; 1 to 8,192.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub embedding_dimensions: Option<u32>,
    }

    /// The name that the person gives a store.
    pub struct LabelIn {
        /// Up to 200 characters; null or blank clears it.
        pub label: Option<String>,
    }
}
