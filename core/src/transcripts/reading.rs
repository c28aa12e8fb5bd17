//! What reading a source gave.

use std::collections::BTreeMap;

use coffer_domain::time::Timestamp;

/// What a source turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// A session with messages.
    Read,
    /// Known records only, and no message among them.
    Empty,
    /// What an agent did for another agent.
    SubAgent,
    /// Something else than any version known here writes: there are records, and no message in them.
    FormatUnknown,
    /// The system did not let it be read; why, in plain words.
    Unreadable(String),
}

impl State {
    /// Its word, in tables and everywhere else.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Empty => "empty",
            Self::SubAgent => "sub_agent",
            Self::FormatUnknown => "format_unknown",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// Whether lists show it: sessions, and what a person should know of.
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        match self {
            Self::Read | Self::FormatUnknown | Self::Unreadable(_) => true,
            Self::Empty | Self::SubAgent => false,
        }
    }
}

/// What can be said of a session without its words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The agent's own id of it; where there is none, the path below the root.
    pub session_id: String,
    /// The agent's own title, else what the person said first; without secrets, at most 80 characters.
    pub title: Option<String>,
    /// The folder that it began in.
    pub project_path: Option<String>,
    /// Turns of the person, and prose of the agent.
    pub message_count: u64,
    /// The first time that any record of it has.
    pub started_at: Option<Timestamp>,
    /// The last time that any record of it has.
    pub last_activity_at: Option<Timestamp>,
    /// The branch that was checked out last, where the agent noted it.
    pub git_branch: Option<String>,
    /// The agent's version that wrote last.
    pub agent_version: Option<String>,
    /// The session that it was copied from or goes on with.
    pub forked_from: Option<String>,
    /// The first message of the person, as a number: copies of one conversation begin alike.
    pub opening: Option<u64>,
}

/// A source, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What it turned out to be.
    pub state: State,
    /// What can be said of it.
    pub summary: Summary,
    /// Records that were passed over, by what they call themselves.
    pub passed_over: BTreeMap<String, u64>,
    /// Records of no known kind, and lines that are no records.
    pub unknown: u64,
}

impl Reading {
    /// A source that the system did not let be read.
    pub(super) fn unreadable(session_id: &str, reason: String) -> Self {
        Self {
            state: State::Unreadable(reason),
            summary: Summary { session_id: session_id.to_owned(), ..Summary::default() },
            passed_over: BTreeMap::new(),
            unknown: 0,
        }
    }
}
