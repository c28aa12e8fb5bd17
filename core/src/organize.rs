//! Organize: the inbox's items find their place in topics and rules, by the engine's verdict on each.
//!
//! Nothing is written on a verdict's word alone: what can be checked of a text must have survived, what
//! changed meanwhile is left alone, and every version that goes is kept. Deliberately absent: how files
//! are written (`memory::curate`), and when a pass begins.

mod item;
mod kept;
mod promote;
mod reorg;
mod report;
mod scan;
mod split;
mod verdict;

use coffer_domain::store::StoreName;
use coffer_env::clock;

use crate::engine::{Engine, EngineFailure, Writer};
use crate::error::Result;
use crate::memory::{Inbox, Memory};
use item::{Asking, Outcome};
use kept::Kept;

pub use item::Question;
pub use reorg::Reorganized;
pub use report::{Organized, PassState, Skipped};
pub use scan::{Judgment, Proposed, Scan};

/// After so many items in a row for which the model could not be reached, a pass ends.
const PATIENCE: u32 = 3;
/// After so many in a row that it refused, too: a key may be wrong, or single items too much for it.
const REFUSALS: u32 = 10;

/// Told how many items of how many are done; says whether to go on.
pub type Told<'a> = &'a dyn Fn(u64, u64) -> bool;

/// The organizer of one home.
#[derive(Clone)]
pub struct Organizer {
    memory: Memory,
    engine: Engine,
    kept: Kept,
}

impl Organizer {
    /// The organizer over a memory and an engine.
    pub(crate) fn new(memory: &Memory, engine: &Engine) -> Self {
        Self { memory: memory.clone(), engine: engine.clone(), kept: Kept::default() }
    }

    /// Files a store's inbox, the oldest item first. Without an engine nothing happens.
    ///
    /// # Errors
    ///
    /// An engine that cannot be opened; files that cannot be read. What was filed before stays.
    pub fn organize(&self, store: &StoreName, told: Told<'_>) -> Result<Organized> {
        let Some(writer) = self.engine.writer()? else { return Ok(Organized::no_model()) };
        self.memory.finish_curating();
        let mut report = Organized::begun(writer.name());
        match self.promote(store) {
            Ok(problems) => report.note_all(problems),
            Err(error) => report.note("journal", error.to_string()),
        }
        let Inbox { items, unreadable } = self.memory.inbox(store)?;
        unreadable.into_iter().for_each(|(item, reason)| report.skip(&item, reason));
        if items.is_empty() && report.skipped == 0 {
            report.state = PassState::Empty;
        }
        let is_silent = self.file_all(&writer, store, &items, &mut report, told);
        self.conclude(&writer, store, &mut report, told);
        if report.state.may_go_on() {
            told(items.len() as u64, items.len() as u64);
        }
        if is_silent && report.state == PassState::Done && report.rules_files_split == 0 {
            report.state = PassState::Unavailable;
        }
        Ok(report)
    }

    /// Files the items; whether it went through all of them, and could reach the model for none.
    fn file_all(
        &self,
        writer: &Writer,
        store: &StoreName,
        items: &[String],
        report: &mut Organized,
        told: Told<'_>,
    ) -> bool {
        let total = items.len() as u64;
        let (mut silent, mut refused) = (0, 0);
        for (number, path) in items.iter().enumerate() {
            let go_on = || told(number as u64, total);
            if !go_on() {
                report.state = PassState::Cancelled;
                return false;
            }
            let failure = match self.file(writer, store, path, &go_on) {
                Ok(outcome) => {
                    report.count(path, outcome);
                    None
                }
                Err(failure) => Some(failure),
            };
            let is_silent = matches!(failure, Some(EngineFailure::Unavailable(_)));
            silent = if is_silent { silent + 1 } else { 0 };
            let is_refused = matches!(failure, Some(EngineFailure::Refused(_)));
            refused = if is_refused { refused + 1 } else { 0 };
            if failure.is_some_and(|failure| !report.fail(path, &failure)) {
                return false;
            }
            if silent == PATIENCE || refused == REFUSALS {
                report.state = PassState::Unavailable;
                return false;
            }
        }
        total > 0 && u64::from(silent) == total
    }

    /// What a pass would send: the question about each item, and about how many tokens. Nothing is sent.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn rehearse(&self, store: &StoreName) -> Result<Vec<Question>> {
        let model = self.engine.name().unwrap_or_default();
        let mut questions = Vec::new();
        for path in self.memory.inbox(store)?.items {
            if let Asking::Of(_, question) = self.question(store, &path)?
                && !self.kept.knows(&model, &question)
            {
                questions.push(question);
            }
        }
        Ok(questions)
    }

    /// What follows the items: the list of topics, files of too many rules, the trail. What goes wrong here
    /// does not hide what was done.
    fn conclude(&self, writer: &Writer, store: &StoreName, report: &mut Organized, told: Told<'_>) {
        if report.has_changed()
            && let Err(error) = self.memory.write_topic_index(store)
        {
            report.note("knowledge/INDEX.md", error.to_string());
        }
        if report.state.may_go_on() {
            let done = report.items_processed + report.skipped;
            self.split_all(writer, store, report, &|| told(done, done));
        }
        if report.items_processed > 0 || report.rules_files_split > 0 {
            let counts = report.counts();
            self.memory.note_pass("memory_organized", store, &counts, clock::now());
        }
    }

    fn file(
        &self,
        writer: &Writer,
        store: &StoreName,
        path: &str,
        go_on: &dyn Fn() -> bool,
    ) -> std::result::Result<Outcome, EngineFailure> {
        match self.question(store, path) {
            Ok(Asking::Of(_, question)) if self.kept.knows(writer.name(), &question) => {
                Ok(Outcome::Kept)
            }
            Ok(Asking::Of(material, question)) => {
                let outcome = self.decide(writer, store, *material, &question, go_on)?;
                if outcome == Outcome::Kept {
                    self.kept.note(writer.name(), &question);
                }
                Ok(outcome)
            }
            Ok(Asking::Never(reason)) => Ok(Outcome::Skipped(reason)),
            // Somebody took it away.
            Ok(Asking::Gone) => Ok(Outcome::Gone),
            Err(error) => Ok(Outcome::Skipped(error.to_string())),
        }
    }
}
