//! How far sessions were read: what the ledger notes, and what entries of the journal carry. A ledger
//! that was lost, or that a crash kept from being written, is made up for by the journal.

use coffer_domain::store::StoreName;

use super::Distill;
use crate::engine::ANSWER;
use crate::error::{Error, Result};
use crate::index::{self, Connection, DistilledRow, Failure, SqlResult};
use crate::sessions::Position;

/// What is known of a session that was read before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The last turn that was read.
    pub upto: Option<Position>,
    /// Of the turns that were read last.
    pub sha256: String,
    /// How many insights it gave.
    pub insights: u64,
}

impl Distill {
    /// Whether all messages of a session were read, of which there are so many.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn is_distilled(&self, agent: &str, session: &str, messages: u64) -> Result<bool> {
        let row = self.ask(|db| index::distilled(db, agent, session))?;
        let upto = row.and_then(|row| position(row.last_message_id.as_deref()));
        Ok(upto.is_some_and(|upto| upto.ordinal >= messages))
    }

    /// Whether the day has tokens left for a question. Where that cannot be told, asking says why.
    pub fn has_tokens(&self) -> bool {
        let spent = self.0.engine.spent();
        spent.is_ok_and(|spent| spent.tokens.saturating_add(u64::from(ANSWER)) < spent.cap)
    }

    /// What is known of a session whose insights go into a store.
    pub(super) fn known(
        &self,
        agent: &str,
        session: &str,
        store: &StoreName,
    ) -> Result<Option<Known>> {
        let noted = self.ask(|db| index::distilled(db, agent, session))?.map(|row| Known {
            upto: position(row.last_message_id.as_deref()),
            sha256: row.content_sha256,
            insights: row.insights,
        });
        let mut carried: Option<Known> = None;
        for sourced in self.0.memory.journal_sources(store)? {
            if sourced.origin.is_of(agent, session) {
                let known = carried.get_or_insert_default();
                known.insights += 1;
                let upto = position(sourced.origin.upto.as_deref());
                if ordinal(upto) >= ordinal(known.upto) {
                    known.upto = upto;
                    known.sha256 = sourced.origin.sha256.unwrap_or_default();
                }
            }
        }
        Ok(match (noted, carried) {
            (Some(a), Some(b)) => Some(if ordinal(a.upto) >= ordinal(b.upto) { a } else { b }),
            (noted, carried) => noted.or(carried),
        })
    }

    /// Whether the same was read of another session.
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

fn position(text: Option<&str>) -> Option<Position> {
    text?.parse().ok()
}

fn ordinal(position: Option<Position>) -> u64 {
    position.map_or(0, |position| position.ordinal)
}
