//! Sessions that nobody distilled: what a sweep catches up with.

use std::path::Path;

use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::Distill;
use crate::error::Result;
use crate::sessions::Shelf;

/// A session in which nothing happens any more, and that was not read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idle {
    /// The agent's name.
    pub agent: String,
    /// The agent's id of the session.
    pub session: String,
    /// The folder that it began in.
    pub project: String,
    /// When something happened in it last.
    pub last_activity_at: Timestamp,
}

impl Distill {
    /// The sessions of an agent that have been idle since before a moment and were not read to their
    /// end, those outside of any folder left out; in no order.
    ///
    /// # Errors
    ///
    /// An index that cannot be read. What cannot be read of the agent's files is not there.
    pub fn idle(&self, agent: &str, shelf: &Shelf, before: Timestamp) -> Result<Vec<Idle>> {
        let mut found = Vec::new();
        for session in self.0.sessions.readable(shelf)? {
            let changed_at = session.changed_at();
            let summary = session.summary;
            let last = summary.last_activity_at.unwrap_or(changed_at);
            let Some(project) = summary.project_path.filter(|_| last < before) else { continue };
            let counted = (summary.message_count, changed_at);
            if !self.is_distilled(agent, &summary.session_id, counted)? {
                let (agent, session) = (agent.to_owned(), summary.session_id);
                found.push(Idle { agent, session, project, last_activity_at: last });
            }
        }
        Ok(found)
    }

    /// Whether a folder is in a git project.
    ///
    /// # Errors
    ///
    /// A store whose folder cannot be looked at.
    pub fn is_in_project(&self, folder: &Path) -> Result<bool> {
        Ok(self.0.memory.scope(folder)?.store != StoreName::Global)
    }
}
