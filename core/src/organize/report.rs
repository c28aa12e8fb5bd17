//! What a pass did.

use super::item::Outcome;
use crate::engine::EngineFailure;

/// How a pass of the engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassState {
    /// It went through.
    Done,
    /// There was nothing to do.
    Empty,
    /// No engine is configured.
    NoModel,
    /// The day's tokens are used up.
    Budget,
    /// A person ended it.
    Cancelled,
    /// The model could not be reached.
    Unavailable,
}

impl PassState {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Done, "done"),
        (Self::Empty, "empty"),
        (Self::NoModel, "no_model"),
        (Self::Budget, "budget"),
        (Self::Cancelled, "cancelled"),
        (Self::Unavailable, "unavailable"),
    ];

    /// Its word in tables.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).map_or("done", |(_, word)| word)
    }

    /// The one of a word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(state, _)| *state)
    }

    /// Whether the model may be asked for more.
    pub(super) const fn may_go_on(self) -> bool {
        matches!(self, Self::Done | Self::Empty)
    }
}

/// What went wrong with a file: an item then stays in the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file, relative to the store.
    pub item: String,
    /// Why.
    pub reason: String,
}

/// What a pass over the inbox did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organized {
    /// How it ended.
    pub state: PassState,
    /// Items that found their place, or are kept where they are.
    pub items_processed: u64,
    /// New topics.
    pub topics_created: u64,
    /// Topics that took an item in.
    pub topics_updated: u64,
    /// New rules.
    pub rules_appended: u64,
    /// Files of rules that were split.
    pub rules_files_split: u64,
    /// Items that stay in the inbox because something went wrong.
    pub skipped: u64,
    /// Which, and why; and what else went wrong.
    pub problems: Vec<Skipped>,
    /// The model.
    pub model: Option<String>,
}

impl Organized {
    pub(super) const fn no_model() -> Self {
        Self::new(PassState::NoModel, None)
    }

    pub(super) fn begun(model: &str) -> Self {
        Self::new(PassState::Done, Some(model.to_owned()))
    }

    const fn new(state: PassState, model: Option<String>) -> Self {
        Self {
            state,
            items_processed: 0,
            topics_created: 0,
            topics_updated: 0,
            rules_appended: 0,
            rules_files_split: 0,
            skipped: 0,
            problems: Vec::new(),
            model,
        }
    }

    pub(super) fn count(&mut self, item: &str, outcome: Outcome) {
        match outcome {
            Outcome::Created => self.topics_created += 1,
            Outcome::Merged => self.topics_updated += 1,
            Outcome::RuleAdded => self.rules_appended += 1,
            Outcome::RuleKnown | Outcome::Kept => {}
            Outcome::Gone => return,
            Outcome::Skipped(reason) => return self.skip(item, reason),
        }
        self.items_processed += 1;
    }

    /// Notes that an item got no verdict; whether the next one is asked about.
    pub(super) fn fail(&mut self, item: &str, failure: &EngineFailure) -> bool {
        self.skipped += 1;
        self.stop(item, failure)
    }

    /// Notes that the model gave nothing for a file; whether it is asked about the next one.
    pub(super) fn stop(&mut self, file: &str, failure: &EngineFailure) -> bool {
        self.note(file, failure.to_string());
        self.state = match failure {
            EngineFailure::Budget { .. } => PassState::Budget,
            EngineFailure::Cancelled => PassState::Cancelled,
            EngineFailure::Unavailable(_)
            | EngineFailure::Refused(_)
            | EngineFailure::Malformed(_) => self.state,
        };
        !failure.ends_all()
    }

    pub(super) fn note_all(&mut self, problems: Vec<Skipped>) {
        self.problems.extend(problems);
    }

    /// An item stays in the inbox.
    pub(super) fn skip(&mut self, item: &str, reason: String) {
        self.skipped += 1;
        self.note(item, reason);
    }

    /// Something went wrong with a file.
    pub(super) fn note(&mut self, file: &str, reason: String) {
        self.problems.push(Skipped { item: file.to_owned(), reason });
    }

    /// Whether topics are others than before.
    pub(super) const fn has_changed(&self) -> bool {
        self.topics_created + self.topics_updated > 0
    }

    pub(super) fn counts(&self) -> [(&'static str, u64); 5] {
        [
            ("items", self.items_processed),
            ("topics_created", self.topics_created),
            ("topics_updated", self.topics_updated),
            ("rules_appended", self.rules_appended),
            ("skipped", self.skipped),
        ]
    }
}
