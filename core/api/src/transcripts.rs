//! What agents keep of their sessions: lists of them, and what was said in one.

use crate::{reply, request, words};

words! {
    /// Whether a session could be read.
    pub enum TranscriptState {
        /// It was.
        Read,
        /// It holds records and no message: its format is not known.
        FormatUnknown,
        /// The system did not let it be read.
        Unreadable,
    }

    /// What a list is ordered by.
    pub enum TranscriptSort {
        /// When sessions began.
        StartedAt,
        /// When something happened in them last.
        LastActivityAt,
        /// How many messages they have.
        MessageCount,
    }

    /// Which way.
    pub enum SortOrder {
        /// The smallest first.
        Asc,
        /// The greatest first.
        Desc,
    }

    /// Who said something.
    pub enum TurnRole {
        /// The person.
        Human,
        /// The agent, in prose.
        Assistant,
    }
}

reply! {
    /// A session of an agent.
    pub struct TranscriptOut {
        /// The agent's id of it.
        pub session_id: String,
        /// The agent's title, else the person's first words; without secrets.
        pub title: Option<String>,
        /// The folder that it began in.
        pub project_path: Option<String>,
        /// Turns of the person, and prose of the agent.
        pub message_count: u64,
        /// RFC 3339.
        pub started_at: Option<String>,
        /// RFC 3339.
        pub last_activity_at: Option<String>,
        /// The file that it is in.
        pub source_path: String,
        /// The branch that was checked out last.
        pub git_branch: Option<String>,
        /// The agent's version that wrote last.
        pub agent_version: Option<String>,
        /// Whether it could be read.
        pub state: TranscriptState,
        /// Why not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub reason: Option<String>,
        /// Records of no known kind, which were passed over.
        pub unknown_records: u64,
    }

    /// What could not be looked at.
    pub struct UnseenOut {
        /// The file or folder.
        pub path: String,
        /// Why.
        pub reason: String,
    }

    /// Some sessions of an agent.
    pub struct TranscriptsOut {
        /// The sessions.
        pub sessions: Vec<TranscriptOut>,
        /// How many there are on all pages.
        pub total: u64,
        /// How many of them could not be read.
        pub unread: u64,
        /// The folders that the agent's sessions began in, the one of the latest first; all of them,
        /// whatever was asked for.
        pub projects: Vec<String>,
        /// At most so many.
        pub limit: u32,
        /// So many were left out at the beginning.
        pub offset: u32,
        /// What could not be looked at.
        pub unseen: Vec<UnseenOut>,
    }

    /// Something that was said, without secrets.
    pub struct TurnOut {
        /// Who said it.
        pub role: TurnRole,
        /// What.
        pub text: String,
        /// RFC 3339, where the transcript tells.
        pub time: Option<String>,
        /// Where it stands; `after` goes on from it.
        pub position: String,
    }

    /// A session, and what was said in it.
    pub struct TranscriptDetailOut {
        /// The session.
        pub session: TranscriptOut,
        /// What was said, in order; what an earlier session holds is left out.
        pub turns: Vec<TurnOut>,
        /// How many could not be scrubbed, and are left out.
        pub withheld: u64,
        /// Where to go on, if there is more.
        pub next: Option<String>,
    }
}

request! {
    /// Which sessions.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct TranscriptsQuery {
        /// 1 to 200, default 50.
        #[cfg_attr(feature = "schema", param(minimum = 1, maximum = 200))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// So many are left out at the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub offset: Option<u32>,
        /// Part of the title or of the project's path, whatever its case.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub q: Option<String>,
        /// The project's folder; sessions that began below it are its, too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub project: Option<String>,
        /// RFC 3339: only those that began then or later.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub started_after: Option<String>,
        /// RFC 3339: only those that began before then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub started_before: Option<String>,
        /// Default `last_activity_at`.
        #[cfg_attr(feature = "schema", param(inline))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub sort: Option<TranscriptSort>,
        /// Default `desc`.
        #[cfg_attr(feature = "schema", param(inline))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub order: Option<SortOrder>,
    }

    /// Which turns.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct TurnsQuery {
        /// 1 to 2000, default 500.
        #[cfg_attr(feature = "schema", param(minimum = 1, maximum = 2000))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// Only what stands after this position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub after: Option<String>,
    }
}
