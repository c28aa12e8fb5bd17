//! How far sessions were read: what the ledger notes, and what entries of the journal carry. A ledger
//! that was lost, or that a crash kept from being written, is made up for by the journal.

use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::Distill;
use crate::engine::ANSWER;
use crate::error::{Error, Result};
use crate::index::{self, Connection, DistilledRow, Failure, SqlResult};
use crate::sessions::Position;

/// A part of a session that was read before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Where its last turns stand.
    pub positions: Vec<Position>,
    /// Of its turns.
    pub sha256: String,
    /// How many insights it gave.
    pub insights: u64,
}

impl Distill {
    /// Whether all messages of a session were read, of which there are so many and which changed then.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn is_distilled(
        &self,
        agent: &str,
        session: &str,
        (messages, changed_at): (u64, Timestamp),
    ) -> Result<bool> {
        let rows = self.ask(|db| index::distilled(db, agent, session))?;
        // What was read to its end may have been made shorter since, and longer again.
        Ok(rows.iter().any(|row| {
            row.distilled_at >= changed_at && end(&positions(&row.positions)) >= messages
        }))
    }

    /// Whether the day has tokens left for a question. Where that cannot be told, asking says why.
    pub fn has_tokens(&self) -> bool {
        let spent = self.0.engine.spent();
        spent.is_ok_and(|spent| spent.tokens.saturating_add(u64::from(ANSWER)) < spent.cap)
    }

    /// The parts that were read of a session whose insights go into a store; the furthest is last.
    pub(super) fn known(&self, agent: &str, session: &str, store: &StoreName) -> Result<Vec<Part>> {
        let noted =
            self.ask(|db| index::distilled(db, agent, session))?.into_iter().map(|row| Part {
                positions: positions(&row.positions),
                sha256: row.content_sha256,
                insights: row.insights,
            });
        let mut parts: Vec<Part> = noted.collect();
        for sourced in self.0.memory.journal_sources(store)? {
            if !sourced.origin.is_of(agent, session) {
                continue;
            }
            let sha256 = sourced.origin.sha256.unwrap_or_default();
            if !parts.iter().any(|part| part.sha256 == sha256) {
                let positions = positions(&sourced.origin.upto.unwrap_or_default());
                parts.push(Part { positions, sha256, insights: 1 });
            }
        }
        parts.sort_by_key(|part| end(&part.positions));
        Ok(parts)
    }

    /// Whether the same was read before, of whatever session.
    pub(super) fn is_content_known(&self, sha256: &str) -> Result<bool> {
        self.ask(|db| index::is_content_distilled(db, sha256))
    }

    /// Notes how far a session was read. Where that fails, the journal's entries still say it.
    pub(super) fn note(&self, row: &DistilledRow) {
        let write = || self.0.index.write(|tx| index::put_distilled(tx, row));
        let written = match write() {
            Err(Failure::Replaced(_)) => write(),
            other => other,
        };
        if let Err(failure) = written {
            tracing::warn!(?failure, "that a session was distilled could not be noted");
        }
    }

    /// Asks the index; a database that was just replaced once more.
    pub(super) fn ask<T>(&self, question: impl Fn(&Connection) -> SqlResult<T>) -> Result<T> {
        match self.0.index.read(&question) {
            Err(Failure::Replaced(_)) => self.0.index.read(&question).map_err(Error::index),
            other => other.map_err(Error::index),
        }
    }
}

/// Those that a text names; what is none is passed over.
fn positions(text: &str) -> Vec<Position> {
    text.split(' ').filter_map(|position| position.parse().ok()).collect()
}

/// The number of the last message.
fn end(positions: &[Position]) -> u64 {
    positions.iter().map(|position| position.ordinal).max().unwrap_or_default()
}
