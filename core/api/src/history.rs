//! What happened: audit trail, MCP calls, counts by day. Never content.

use std::collections::BTreeMap;

use crate::{reply, request};

reply! {
    /// One change.
    pub struct AuditEventOut {
        /// Rises with time; `before` pages by it.
        pub seq: i64,
        /// RFC 3339.
        pub time: String,
        /// Such as `memory_added`.
        pub event: String,
        /// `user`, an agent's name, or `organizer`.
        pub actor: String,
        /// The store or knowledge base.
        pub store: Option<String>,
        /// What it was about.
        pub ids: Vec<String>,
        /// How many, by name.
        pub counts: BTreeMap<String, i64>,
    }

    /// Changes, newest first.
    pub struct AuditOut {
        /// The changes.
        pub events: Vec<AuditEventOut>,
    }

    /// One MCP call.
    pub struct InvocationOut {
        /// Rises with time; `before` pages by it.
        pub seq: i64,
        /// The tool.
        pub tool: String,
        /// The agent.
        pub agent: Option<String>,
        /// The MCP session.
        pub session: Option<String>,
        /// RFC 3339.
        pub started_at: String,
        /// How long it took.
        pub duration_ms: f64,
        /// `ok` or an error code.
        pub outcome: String,
    }

    /// MCP calls, newest first.
    pub struct InvocationsOut {
        /// The calls.
        pub invocations: Vec<InvocationOut>,
    }

    /// Counts of one day and agent.
    pub struct UsageRowOut {
        /// `YYYY-MM-DD`, UTC.
        pub day: String,
        /// The agent, or `user`.
        pub agent: String,
        /// Recalls.
        pub recalls: u64,
        /// Writes.
        pub writes: u64,
        /// Session starts that were given rules.
        pub injections: u64,
    }

    /// Counts by day and agent, newest day first.
    pub struct UsageOut {
        /// The rows.
        pub usage: Vec<UsageRowOut>,
    }
}

request! {
    /// Which part of a history.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct HistoryQuery {
        /// 1 to 500, default 50.
        #[cfg_attr(feature = "schema", param(minimum = 1, maximum = 500))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// Only rows with a smaller `seq`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub before: Option<i64>,
        /// Only this event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub event: Option<String>,
        /// Only this store.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub store: Option<String>,
        /// Only this actor or agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent: Option<String>,
    }
}
