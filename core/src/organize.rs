//! Organize: the inbox's items find their place in topics and rules, by the engine's verdict on each.
//!
//! Nothing is written on a verdict's word alone: what can be checked of a text must have survived, what
//! changed meanwhile is left alone, and every version that goes is kept. Deliberately absent: how files
//! are written (`memory::curate`), and when a pass begins.

mod item;
mod promote;
mod reorg;
mod report;
mod scan;
mod split;
mod verdict;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coffer_domain::store::StoreName;
use coffer_env::clock;

use crate::engine::{Engine, EngineFailure, Writer};
use crate::error::Result;
use crate::memory::Memory;
use item::Outcome;

pub use item::Question;
pub use reorg::Reorganized;
pub use report::{Organized, PassState, Skipped};
pub use scan::{Judgment, Proposed, Scan};

/// After so many failures to reach the model in a row, a pass ends.
const PATIENCE: u32 = 3;

/// Told how many items of how many are done; says whether to go on.
pub type Told<'a> = &'a dyn Fn(u64, u64) -> bool;

/// The organizer of one home.
#[derive(Clone)]
pub struct Organizer {
    memory: Memory,
    engine: Engine,
    /// One pass at a time: two would file the same items.
    alone: Arc<Mutex<()>>,
}

impl Organizer {
    /// The organizer over a memory and an engine.
    pub(crate) fn new(memory: &Memory, engine: &Engine) -> Self {
        let (memory, engine) = (memory.clone(), engine.clone());
        Self { memory, engine, alone: Arc::default() }
    }

    /// Files a store's inbox, the oldest item first. Without an engine nothing happens.
    ///
    /// # Errors
    ///
    /// An engine that cannot be opened; files that cannot be read. What was filed before stays.
    pub fn organize(&self, store: &StoreName, told: Told<'_>) -> Result<Organized> {
        let Some(writer) = self.engine.writer()? else { return Ok(Organized::no_model()) };
        let _alone = self.alone();
        let mut report = Organized::begun(writer.name());
        report.note_all(self.promote(store)?);
        let items = self.memory.inbox(store)?;
        let total = items.len() as u64;
        report.state = if items.is_empty() { PassState::Empty } else { PassState::Done };
        let mut silent = 0;
        for (number, path) in items.iter().enumerate() {
            if !told(number as u64, total) {
                report.state = PassState::Cancelled;
                break;
            }
            let go_on = || told(number as u64, total);
            match self.file(&writer, store, path, &go_on) {
                Ok(outcome) => {
                    silent = 0;
                    report.count(path, outcome);
                }
                Err(failure) => {
                    let is_silent = matches!(failure, EngineFailure::Unavailable(_));
                    silent = if is_silent { silent + 1 } else { 0 };
                    if !report.fail(path, &failure) {
                        break;
                    }
                    if silent == PATIENCE {
                        report.state = PassState::Unavailable;
                        break;
                    }
                }
            }
        }
        self.conclude(&writer, store, &mut report, told)?;
        told(total, total);
        Ok(report)
    }

    fn alone(&self) -> MutexGuard<'_, ()> {
        self.alone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a pass would send: the question about each item, and about how many tokens. Nothing is sent.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn rehearse(&self, store: &StoreName) -> Result<Vec<Question>> {
        let mut questions = Vec::new();
        for path in self.memory.inbox(store)? {
            questions.extend(self.question(store, &path)?.map(|(_, question)| question));
        }
        Ok(questions)
    }

    /// What follows the items: the list of topics, files of too many rules, the trail.
    fn conclude(
        &self,
        writer: &Writer,
        store: &StoreName,
        report: &mut Organized,
        told: Told<'_>,
    ) -> Result<()> {
        if report.has_changed() {
            self.memory.write_topic_index(store)?;
        }
        if report.state.may_go_on() {
            let done = report.items_processed + report.skipped;
            self.split_all(writer, store, report, &|| told(done, done))?;
        }
        if report.items_processed > 0 || report.rules_files_split > 0 {
            let counts = report.counts();
            self.memory.note_pass("memory_organized", store, &counts, clock::now());
        }
        Ok(())
    }

    fn file(
        &self,
        writer: &Writer,
        store: &StoreName,
        path: &str,
        go_on: &dyn Fn() -> bool,
    ) -> std::result::Result<Outcome, EngineFailure> {
        let question = self.question(store, path);
        match question {
            Ok(Some((material, question))) => {
                self.decide(writer, store, material, &question, go_on)
            }
            // Somebody took it away.
            Ok(None) => Ok(Outcome::Gone),
            Err(error) => Ok(Outcome::Skipped(error.to_string())),
        }
    }
}
