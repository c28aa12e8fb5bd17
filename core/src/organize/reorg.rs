//! Reorg: the engine tidies the topic documents with four tools, for a bounded number of steps. What goes is
//! archived first, and in the end it is looked whether anything that can be checked is gone from the lane.

mod desk;

use std::time::Duration;

use coffer_domain::conserve::lost;
use coffer_domain::store::StoreName;
use coffer_env::clock;

use super::{Organizer, PassState, Skipped, Told};
use crate::engine::{EngineFailure, Said, Writer};
use crate::error::Result;
use crate::memory::Topic;
use desk::{Desk, TOOLS};

const INSTRUCTIONS: &str = include_str!("prompts/reorg.md");
/// The most calls of tools in a pass.
const CALLS: u64 = 40;
/// The longest that a pass takes.
const LONGEST: Duration = Duration::from_secs(600);
/// So many lost facts are named in the log.
const NAMED: usize = 20;

/// What a pass over the topics did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reorganized {
    /// How it ended.
    pub state: PassState,
    /// Topics before.
    pub topics_before: u64,
    /// Topics after.
    pub topics_after: u64,
    /// Topics that were written.
    pub topics_written: u64,
    /// Topics that were superseded.
    pub topics_superseded: u64,
    /// What can be named and is in no topic any more; `superseded/` has it.
    pub lost: Vec<String>,
    /// What went wrong.
    pub problems: Vec<Skipped>,
    /// The model.
    pub model: Option<String>,
}

impl Reorganized {
    const fn new(state: PassState, model: Option<String>) -> Self {
        Self {
            state,
            topics_before: 0,
            topics_after: 0,
            topics_written: 0,
            topics_superseded: 0,
            lost: Vec::new(),
            problems: Vec::new(),
            model,
        }
    }
}

impl Organizer {
    /// Lets the engine tidy a store's topics. Without an engine nothing happens.
    ///
    /// # Errors
    ///
    /// An engine that cannot be opened; files that cannot be read. What was done before stays.
    pub fn reorg(&self, store: &StoreName, told: Told<'_>) -> Result<Reorganized> {
        let Some(writer) = self.engine.writer()? else {
            return Ok(Reorganized::new(PassState::NoModel, None));
        };
        let before = self.memory.topics(store)?;
        let mut report = Reorganized::new(PassState::Empty, Some(writer.name().to_owned()));
        report.topics_before = before.len() as u64;
        report.topics_after = report.topics_before;
        if before.is_empty() {
            return Ok(report);
        }
        let mut desk = Desk::new(&self.memory, &self.engine, store);
        report.state = match work(&writer, &mut desk, told) {
            Ok(()) => PassState::Done,
            Err(failure) => {
                let item = "knowledge".to_owned();
                report.problems.push(Skipped { item, reason: failure.to_string() });
                ended_by(&failure)
            }
        };
        (report.topics_written, report.topics_superseded) = (desk.written, desk.superseded);
        if let Err(error) = self.conclude_reorg(store, &before, &mut report) {
            let item = "knowledge".to_owned();
            report.problems.push(Skipped { item, reason: error.to_string() });
        }
        Ok(report)
    }

    fn conclude_reorg(
        &self,
        store: &StoreName,
        before: &[Topic],
        report: &mut Reorganized,
    ) -> Result<()> {
        if report.topics_written + report.topics_superseded == 0 {
            return Ok(());
        }
        let after = self.memory.topics(store)?;
        report.topics_after = after.len() as u64;
        let changed = before.iter().filter(|topic| !after.contains(topic));
        let now_there: Vec<&str> = after.iter().flat_map(whole).collect();
        report.lost = lost(changed.flat_map(whole), &now_there.join("\n"));
        let now = clock::now();
        if !report.lost.is_empty() {
            let named: Vec<String> = report
                .lost
                .iter()
                .take(NAMED)
                .map(|token| format!("`{}`", token.replace('`', "'")))
                .collect();
            let more = report.lost.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let what = format!("reorg lost {}{more}; `superseded/` has them", named.join(", "));
            self.memory.note(store, &what, now);
        }
        let counts = [
            ("topics_before", report.topics_before),
            ("topics_after", report.topics_after),
            ("written", report.topics_written),
            ("superseded", report.topics_superseded),
            ("lost", report.lost.len() as u64),
        ];
        self.memory.note_pass("memory_reorganized", store, &counts, now);
        self.memory.write_topic_index(store)
    }
}

fn work(writer: &Writer, desk: &mut Desk<'_>, told: Told<'_>) -> Result<(), EngineFailure> {
    let until = clock::instant() + LONGEST;
    let mut said = vec![Said::System(INSTRUCTIONS.to_owned()), Said::User("Begin.".to_owned())];
    let mut calls = 0;
    loop {
        let go_on = || told(calls.min(CALLS), CALLS) && clock::instant() < until;
        let completed = writer.go_on(&said, &TOOLS, &go_on);
        let completed = match completed {
            // Its time is over: what was done counts.
            Err(EngineFailure::Cancelled) if told(calls.min(CALLS), CALLS) => return Ok(()),
            completed => completed?,
        };
        if completed.calls.is_empty() {
            return Ok(());
        }
        let asked = completed.calls.clone();
        said.push(Said::Model { text: completed.text, calls: completed.calls });
        for call in asked {
            calls += 1;
            let text = match calls <= CALLS {
                true => desk.answer(&call.name, &call.arguments),
                false => "error: no calls are left".to_owned(),
            };
            said.push(Said::Tool { call: call.id, text });
        }
        if calls >= CALLS {
            return Ok(());
        }
    }
}

const fn ended_by(failure: &EngineFailure) -> PassState {
    match failure {
        EngineFailure::Budget { .. } => PassState::Budget,
        EngineFailure::Cancelled => PassState::Cancelled,
        EngineFailure::Unavailable(_) | EngineFailure::Refused(_) | EngineFailure::Malformed(_) => {
            PassState::Unavailable
        }
    }
}

/// All that a topic says.
pub(super) fn whole(topic: &Topic) -> impl Iterator<Item = &str> {
    let description = topic.description.as_deref();
    [Some(topic.title.as_str()), description, Some(topic.text.as_str())].into_iter().flatten()
}
