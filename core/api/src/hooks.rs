//! What hooks of agents ask and tell, and what an agent is told at the start of a session.

use crate::agents::AgentType;
use crate::{reply, request, words};

words! {
    /// Why a session that ended is not distilled.
    pub enum SessionEndStatus {
        /// It was already.
        AlreadyDistilled,
        /// No engine is configured.
        NoModel,
        /// It was in no git project.
        NotAProject,
        /// `distill.on_session_end` is off.
        Off,
    }
}

request! {
    /// Where a session was.
    pub struct SessionEndIn {
        /// The working directory, absolute.
        pub cwd: String,
    }
}

reply! {
    /// What an agent is told at the start of a session.
    pub struct SessionContextOut {
        /// The text, at most 9,000 bytes.
        pub additional_context: String,
        /// What the agent is, which says how it wants to be told.
        #[serde(rename = "type")]
        pub kind: AgentType,
    }

    /// A session that will be distilled.
    pub struct SessionQueued {
        /// It waits.
        pub queued: bool,
    }

    /// A session that will not be.
    pub struct SessionNotQueued {
        /// Why.
        pub status: SessionEndStatus,
    }

    /// What an agent that starts in a store's project is told now, and its size against the limits.
    pub struct InjectionOut {
        /// The text.
        pub additional_context: String,
        /// How many rules it holds.
        pub rules: u64,
        /// How many rules there was no room for.
        pub left_out: u64,
        /// Its length in UTF-16 units.
        pub utf16_units: u64,
        /// Its length in UTF-8 bytes.
        pub bytes: u64,
        /// The most UTF-16 units.
        pub max_utf16_units: u64,
        /// The most bytes.
        pub max_bytes: u64,
        /// Whether the store's own rules may be in it.
        pub enabled: bool,
    }
}
