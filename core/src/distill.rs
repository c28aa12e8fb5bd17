//! Distill: what a session of an agent taught, written into the journal of its project.
//!
//! A session is read from where it was left off, without secrets and without what is private; a model
//! is asked once; what it names is appended to the day on which the session ended, and the ledger
//! notes how far it was read. The journal's entries carry the same, so that a lost ledger, or a crash
//! between the two, makes nothing be read twice.
//!
//! Deliberately absent: when this happens, and where agents keep their sessions. No word of a
//! transcript is kept or logged here.

mod answer;
mod claim;
mod idle;
mod ledger;
mod run;
#[cfg(test)]
mod tests;
mod waiting;
mod window;

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Settings;
use crate::engine::Engine;
use crate::index::Index;
use crate::memory::Memory;
use crate::sessions::Sessions;
use claim::Claims;

pub use answer::Insight;
pub use idle::Idle;
pub use waiting::Waiting;
pub(crate) use waiting::is_settled;

/// What is written down of sessions. Cheap to clone.
#[derive(Clone)]
pub struct Distill(Arc<Inner>);

struct Inner {
    engine: Engine,
    sessions: Sessions,
    memory: Memory,
    settings: Settings,
    index: Arc<Index>,
    claims: Claims,
}

/// Who wants a session to be distilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The person: outside of projects it goes into the global store.
    Person,
    /// The agent told that it ended.
    Ended,
    /// A sweep found it.
    Sweep,
}

/// A session that is to be distilled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistillRequest {
    /// The agent's name.
    pub agent: String,
    /// The agent's id of the session.
    pub session: String,
    /// Who wants it.
    pub asked: Asked,
    /// Whether the model is asked and nothing is written.
    pub preview: bool,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It was read, and what it taught is in the journal; that may be nothing.
    Distilled,
    /// What it taught is shown, and written nowhere.
    Preview,
    /// What would be sent is shown; nothing was.
    DryRun,
    /// Nothing was said since it was read last, or the same was read of another session.
    AlreadyDistilled,
    /// Nothing was said in it at all.
    Empty,
    /// No engine is configured.
    NoModel,
    /// It was in no git project, and nobody asked for it by name.
    NotAProject,
    /// Sessions that end are not to be distilled any more.
    Off,
    /// The day's tokens are used up.
    Budget,
    /// The model cannot be reached just now.
    Unavailable,
    /// The model refuses what it was asked.
    Refused,
    /// The model answered something else than it was asked for, twice.
    Malformed,
}

impl Status {
    const ALL: [(Self, &'static str); 12] = [
        (Self::Distilled, "distilled"),
        (Self::Preview, "preview"),
        (Self::DryRun, "dry_run"),
        (Self::AlreadyDistilled, "already_distilled"),
        (Self::Empty, "empty"),
        (Self::NoModel, "no_model"),
        (Self::NotAProject, "not_a_project"),
        (Self::Off, "off"),
        (Self::Budget, "budget"),
        (Self::Unavailable, "unavailable"),
        (Self::Refused, "refused"),
        (Self::Malformed, "malformed"),
    ];

    /// Its word, in tables.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(status, _)| *status == self).map_or("", |(_, word)| word)
    }

    /// The status of a word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(status, _)| *status)
    }
}

/// What distilling a session gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distilled {
    /// What came of it.
    pub status: Status,
    /// The session's id.
    pub session: String,
    /// What it taught.
    pub insights: Vec<Insight>,
    /// The day's file that they are in, or would be.
    pub journal_path: Option<PathBuf>,
    /// How many were written.
    pub written: u64,
    /// How many more the model named that are no insights: too many, too long, or blank.
    pub left_out: u64,
    /// Turns of the session's beginning that the model was not given.
    pub omitted_turns: u64,
    /// Turns that could not be searched for secrets, and that nobody was given.
    pub withheld_turns: u64,
    /// The model.
    pub model: Option<String>,
    /// About how many tokens the question has.
    pub tokens: Option<u64>,
    /// All that would be sent; only of a dry run, and kept nowhere.
    pub would_send: Option<String>,
    /// Why it came to nothing, where the status does not say all.
    pub reason: Option<String>,
}

impl Distilled {
    /// That nothing came of it.
    fn nothing(session: &str, status: Status) -> Self {
        Self {
            status,
            session: session.to_owned(),
            insights: Vec::new(),
            journal_path: None,
            written: 0,
            left_out: 0,
            omitted_turns: 0,
            withheld_turns: 0,
            model: None,
            tokens: None,
            would_send: None,
            reason: None,
        }
    }
}

impl Distill {
    /// That of one home.
    pub(crate) fn new(
        engine: &Engine,
        (sessions, memory): (&Sessions, &Memory),
        settings: &Settings,
        index: Arc<Index>,
    ) -> Self {
        let (engine, sessions, memory) = (engine.clone(), sessions.clone(), memory.clone());
        let (settings, claims) = (settings.clone(), Claims::default());
        Self(Arc::new(Inner { engine, sessions, memory, settings, index, claims }))
    }
}
