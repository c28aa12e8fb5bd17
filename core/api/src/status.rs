//! Whether the server is up, and what it holds.

use crate::reply;

reply! {
    /// The open liveness reply.
    pub struct HealthOut {
        /// `ok`.
        pub status: String,
        /// `coffer`.
        pub name: String,
        /// The server's version.
        pub version: String,
    }

    /// How much work waits.
    pub struct QueueOut {
        /// Jobs that wait.
        pub queued: u64,
        /// Jobs that run.
        pub running: u64,
    }

    /// The model that writes texts, if one is set.
    pub struct EngineStatusOut {
        /// Whether one is set.
        pub configured: bool,
        /// Its name.
        pub model: Option<String>,
        /// Tokens that it took today, UTC.
        pub tokens_today: u64,
        /// The most tokens a day; jobs that need more end with `budget`.
        pub daily_token_cap: u64,
    }

    /// The model that embeds texts, if one is set.
    pub struct EmbeddingStatusOut {
        /// Whether one is set.
        pub configured: bool,
        /// Its name.
        pub model: Option<String>,
        /// Width of its vectors, where it is set.
        pub dimensions: Option<u32>,
    }

    /// What the server holds.
    pub struct StatusOut {
        /// The server's version.
        pub version: String,
        /// Its process.
        pub pid: u32,
        /// RFC 3339.
        pub started_at: String,
        /// The loopback port.
        pub port: u16,
        /// Coffer's folder, absolute.
        pub home: String,
        /// How many stores.
        pub stores: u64,
        /// Facts and topic documents in all stores.
        pub facts: u64,
        /// How many knowledge bases.
        pub knowledge_bases: u64,
        /// Their documents.
        pub documents: u64,
        /// What does not work fully just now, a sentence each.
        pub degraded: Vec<String>,
        /// How much work waits.
        pub queue: QueueOut,
        /// The internal model.
        pub engine: EngineStatusOut,
        /// The embedding model.
        pub embedding: EmbeddingStatusOut,
    }
}
