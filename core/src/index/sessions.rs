//! Sessions of agents that ended and wait to be distilled.

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, params};

/// A session that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EndedRow {
    /// The agent's name.
    pub agent: String,
    /// The agent's id of the session.
    pub session_id: String,
    /// Where it was, as it was given.
    pub cwd: String,
    /// When it was told.
    pub ended_at: Timestamp,
}

/// Notes the end of a session; one that ended before has ended anew.
pub(crate) fn put_ended(db: &Connection, row: &EndedRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO ended_sessions (agent, session_id, cwd, ended_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET cwd = excluded.cwd, ended_at = excluded.ended_at",
    )?
    .execute(params![row.agent, row.session_id, row.cwd, row.ended_at.micros()])?;
    Ok(())
}
