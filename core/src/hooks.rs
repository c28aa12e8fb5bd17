//! What a hook means: an agent tells that a session begins, and is told the rules; it tells that one
//! ended, and that is written down.
//!
//! Deliberately absent: reading the session that ended. That happens later, as a job.

use std::path::Path;
use std::sync::Arc;

use coffer_domain::bundle::Bundle;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use crate::agents::{AgentType, Agents};
use crate::config::Settings;
use crate::distill::Distill;
use crate::error::{Error, Result};
use crate::index::{self, EndedRow, Index};
use crate::knowledge::Bell;
use crate::memory::Memory;
use crate::sessions::Sessions;

/// The most bytes of a session's id; agents have 36.
const ID_BYTES: usize = 256;

/// What became of a session that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It waits to be distilled.
    Queued,
    /// The person does not want it to be.
    Off,
    /// No engine is configured.
    NoModel,
    /// It was in no git project.
    NotAProject,
    /// It was distilled, and nothing was said in it since.
    AlreadyDistilled,
}

/// Answers to hooks.
#[derive(Clone)]
pub struct Hooks {
    agents: Agents,
    memory: Memory,
    settings: Settings,
    index: Arc<Index>,
    sessions: Sessions,
    distill: Distill,
    /// Rung when a session ended.
    bell: Arc<Bell>,
}

impl Hooks {
    /// The answers of one home; `bell` is rung when a session ended.
    pub(crate) fn new(
        (agents, memory, settings): (&Agents, &Memory, &Settings),
        index: &Arc<Index>,
        (sessions, distill): (&Sessions, &Distill),
        bell: &Arc<Bell>,
    ) -> Self {
        let (agents, memory, settings) = (agents.clone(), memory.clone(), settings.clone());
        let (sessions, distill) = (sessions.clone(), distill.clone());
        let (index, bell) = (Arc::clone(index), Arc::clone(bell));
        Self { agents, memory, settings, index, sessions, distill, bell }
    }

    /// What an agent is told at the start of a session, and what kind of agent it is.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; rules that cannot be read.
    pub fn session_context(&self, agent: &str, cwd: &Path) -> Result<(AgentType, Bundle)> {
        Ok((self.agents.kind_of(agent)?, self.memory.session_context(cwd)?))
    }

    /// Writes down that a session of an agent ended, if it is to be distilled.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; `UnsupportedAgent` whose transcripts cannot be read; an id that is none.
    pub fn session_ended(
        &self,
        agent: &str,
        session: &str,
        cwd: &Path,
        now: Timestamp,
    ) -> Result<Ended> {
        let kind = self.agents.kind_of(agent)?;
        if !kind.capabilities().transcripts {
            let what = "reading its transcripts";
            return Err(Error::UnsupportedAgent { agent: kind.word(), what });
        }
        let is_id = !session.is_empty() && session.len() <= ID_BYTES;
        if !is_id || session.chars().any(char::is_control) {
            let reason = format!("must be 1 to {ID_BYTES} bytes without control characters");
            return Err(Error::Invalid { field: "session_id", reason });
        }
        if self.settings.engine().is_none() {
            return Ok(Ended::NoModel);
        }
        if !self.settings.get().distill.on_session_end {
            return Ok(Ended::Off);
        }
        if self.memory.scope(cwd)?.store == StoreName::Global {
            return Ok(Ended::NotAProject);
        }
        if self.is_distilled(agent, session)? {
            return Ok(Ended::AlreadyDistilled);
        }
        let row = EndedRow {
            agent: agent.to_owned(),
            session_id: session.to_owned(),
            cwd: cwd.display().to_string(),
            ended_at: now,
        };
        self.index.write(|tx| index::put_ended(tx, &row)).map_err(Error::index)?;
        self.bell.ring();
        Ok(Ended::Queued)
    }

    /// Whether a session was read to its end, as far as can be told without reading it.
    fn is_distilled(&self, agent: &str, session: &str) -> Result<bool> {
        let shelf = self.agents.shelf(agent)?;
        let counted = self.sessions.counted(&shelf, session)?;
        counted.map_or(Ok(false), |counted| self.distill.is_distilled(agent, session, counted))
    }
}
