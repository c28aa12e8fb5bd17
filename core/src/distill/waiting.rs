//! Sessions that ended and wait: they leave the queue when they were read, or when nothing can be done.

use coffer_domain::time::Timestamp;

use super::{Distill, Distilled, Status};
use crate::error::{Error, Result};
use crate::index::{self, EndedRow};

/// A session that ended and waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The agent's name.
    pub agent: String,
    /// The agent's id of the session.
    pub session: String,
    /// Where it was, as the agent told.
    pub cwd: String,
    /// When it was told.
    pub ended_at: Timestamp,
}

impl Distill {
    /// The sessions that wait, the longest waiting first.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn waiting(&self) -> Result<Vec<Waiting>> {
        let rows = self.ask(index::ended)?;
        Ok(rows.into_iter().map(waiting).collect())
    }

    /// One of them.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn waiting_one(&self, agent: &str, session: &str) -> Result<Option<Waiting>> {
        let row = self.ask(|db| index::ended_one(db, agent, session))?;
        Ok(row.map(waiting))
    }

    /// Takes one out of the queue, unless it ended anew meanwhile.
    ///
    /// # Errors
    ///
    /// An index that cannot be written.
    pub fn forget(&self, waiting: &Waiting) -> Result<()> {
        let Waiting { agent, session, cwd, ended_at } = waiting.clone();
        let row = EndedRow { agent, session_id: session, cwd, ended_at };
        self.0.index.write(|tx| index::forget_ended(tx, &row)).map_err(Error::index)
    }
}

fn waiting(row: EndedRow) -> Waiting {
    let EndedRow { agent, session_id, cwd, ended_at } = row;
    Waiting { agent, session: session_id, cwd, ended_at }
}

/// Whether nothing more will come of a session that ended: it need not wait any more.
pub(crate) fn is_settled(outcome: &Result<Distilled>) -> bool {
    match outcome {
        Ok(distilled) => match distilled.status {
            Status::Distilled
            | Status::AlreadyDistilled
            | Status::Empty
            | Status::NotAProject
            | Status::Malformed => true,
            Status::Preview
            | Status::DryRun
            | Status::NoModel
            | Status::Off
            | Status::Budget
            | Status::Unavailable
            | Status::Refused => false,
        },
        Err(error) => matches!(
            error,
            Error::AgentNotFound(_) | Error::UnsupportedAgent { .. } | Error::TranscriptNotFound(_)
        ),
    }
}
