//! Sessions of agents that ended and wait to be distilled, and those that were.

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

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

/// Those that wait, the longest waiting first.
pub(crate) fn ended(db: &Connection) -> rusqlite::Result<Vec<EndedRow>> {
    db.prepare_cached("SELECT agent, session_id, cwd, ended_at FROM ended_sessions ORDER BY n")?
        .query_map([], ended_row)?
        .collect()
}

/// One of them.
pub(crate) fn ended_one(
    db: &Connection,
    agent: &str,
    session: &str,
) -> rusqlite::Result<Option<EndedRow>> {
    db.prepare_cached(
        "SELECT agent, session_id, cwd, ended_at FROM ended_sessions
         WHERE agent = ?1 AND session_id = ?2",
    )?
    .query_row([agent, session], ended_row)
    .optional()
}

/// Forgets the end of a session, unless it ended anew meanwhile.
pub(crate) fn forget_ended(db: &Connection, row: &EndedRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "DELETE FROM ended_sessions WHERE agent = ?1 AND session_id = ?2 AND ended_at = ?3",
    )?
    .execute(params![row.agent, row.session_id, row.ended_at.micros()])?;
    Ok(())
}

fn ended_row(row: &Row<'_>) -> rusqlite::Result<EndedRow> {
    Ok(EndedRow {
        agent: row.get(0)?,
        session_id: row.get(1)?,
        cwd: row.get(2)?,
        ended_at: Timestamp::from_micros(row.get(3)?),
    })
}

/// A part of a session that was distilled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DistilledRow {
    /// The agent's name.
    pub agent: String,
    /// The agent's id of the session.
    pub session_id: String,
    /// SHA-256 of the turns that were read.
    pub content_sha256: String,
    /// Where the last of them stand, a blank between.
    pub positions: String,
    /// Just before it was read, or last found unchanged.
    pub distilled_at: Timestamp,
    /// How many insights it gave.
    pub insights: u64,
}

/// What the ledger has of a session.
pub(crate) fn distilled(
    db: &Connection,
    agent: &str,
    session: &str,
) -> rusqlite::Result<Vec<DistilledRow>> {
    let row = |row: &Row<'_>| {
        Ok(DistilledRow {
            agent: row.get(0)?,
            session_id: row.get(1)?,
            content_sha256: row.get(2)?,
            positions: row.get(3)?,
            distilled_at: Timestamp::from_micros(row.get(4)?),
            insights: row.get::<_, i64>(5)?.cast_unsigned(),
        })
    };
    db.prepare_cached(
        "SELECT agent, session_id, content_sha256, last_message_id, distilled_at, insights
         FROM distilled_sessions WHERE agent = ?1 AND session_id = ?2 ORDER BY distilled_at",
    )?
    .query_map([agent, session], row)?
    .collect()
}

/// Whether the same turns were read before, of whatever session.
pub(crate) fn is_content_distilled(db: &Connection, sha256: &str) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM distilled_sessions WHERE content_sha256 = ?1")?
        .exists([sha256])
}

/// Notes that a part of a session was distilled.
pub(crate) fn put_distilled(db: &Connection, row: &DistilledRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO distilled_sessions
             (agent, session_id, content_sha256, last_message_id, distilled_at, insights)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        row.agent,
        row.session_id,
        row.content_sha256,
        row.positions,
        row.distilled_at.micros(),
        row.insights.cast_signed(),
    ])?;
    Ok(())
}
