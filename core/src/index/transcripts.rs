//! What was found out about sessions of agents. Not derived from Coffer's files: kept, and read again
//! where a source changed.

use rusqlite::{Connection, Row, params};

/// A source, and what it gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TranscriptRow {
    /// The kind of agent.
    pub format: &'static str,
    /// The agent's folder.
    pub root: String,
    /// The file, relative to it.
    pub path: String,
    /// The session in a file that holds many, else empty.
    pub part: String,
    /// Size, time of change and inode, or what stands for them.
    pub stamp: [i64; 3],
    /// Which way of reading found it out.
    pub reading: i64,
    /// The state's word.
    pub state: String,
    /// The agent's id of the session.
    pub session_id: String,
    /// Without secrets.
    pub title: Option<String>,
    /// The folder that it began in.
    pub project_path: Option<String>,
    /// Turns of the person, and prose of the agent.
    pub message_count: i64,
    /// Microseconds since 1970.
    pub started_at: Option<i64>,
    /// Microseconds since 1970.
    pub last_activity_at: Option<i64>,
    /// The branch that was checked out last.
    pub git_branch: Option<String>,
    /// The agent's version that wrote last.
    pub agent_version: Option<String>,
    /// The session that it was copied from or goes on with.
    pub forked_from: Option<String>,
    /// The first message of the person, as a number.
    pub opening: Option<i64>,
    /// Records of no known kind.
    pub unknown: i64,
}

impl TranscriptRow {
    /// Which source of its root it is.
    pub(crate) fn key(&self) -> (&str, &str) {
        (&self.path, &self.part)
    }
}

/// All sources of a root that are known, in the order of their keys.
pub(crate) fn transcripts(
    db: &Connection,
    format: &'static str,
    root: &str,
) -> rusqlite::Result<Vec<TranscriptRow>> {
    db.prepare_cached(
        "SELECT path, part, size, mtime_ns, inode, reading, state, session_id, title, project_path,
             message_count, started_at, last_activity_at, git_branch, agent_version, forked_from,
             opening, unknown
         FROM transcripts WHERE format = ?1 AND root = ?2 ORDER BY path, part",
    )?
    .query_map([format, root], |row| read(row, format, root))?
    .collect()
}

fn read(row: &Row<'_>, format: &'static str, root: &str) -> rusqlite::Result<TranscriptRow> {
    Ok(TranscriptRow {
        format,
        root: root.to_owned(),
        path: row.get(0)?,
        part: row.get(1)?,
        stamp: [row.get(2)?, row.get(3)?, row.get(4)?],
        reading: row.get(5)?,
        state: row.get(6)?,
        session_id: row.get(7)?,
        title: row.get(8)?,
        project_path: row.get(9)?,
        message_count: row.get(10)?,
        started_at: row.get(11)?,
        last_activity_at: row.get(12)?,
        git_branch: row.get(13)?,
        agent_version: row.get(14)?,
        forked_from: row.get(15)?,
        opening: row.get(16)?,
        unknown: row.get(17)?,
    })
}

/// How many messages a session had as its file was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TranscriptCount {
    /// The agent's folder.
    pub root: String,
    /// The file, relative to it.
    pub path: String,
    /// See `TranscriptRow`.
    pub stamp: [i64; 3],
    /// See `TranscriptRow`.
    pub reading: i64,
    /// How many.
    pub messages: i64,
}

/// The counts of a session, one for each file that it is in; none where it shares one with others.
pub(crate) fn transcript_counts(
    db: &Connection,
    format: &str,
    session: &str,
) -> rusqlite::Result<Vec<TranscriptCount>> {
    db.prepare_cached(
        "SELECT root, path, size, mtime_ns, inode, reading, message_count
         FROM transcripts WHERE format = ?1 AND session_id = ?2 AND part = ''",
    )?
    .query_map([format, session], |row| {
        Ok(TranscriptCount {
            root: row.get(0)?,
            path: row.get(1)?,
            stamp: [row.get(2)?, row.get(3)?, row.get(4)?],
            reading: row.get(5)?,
            messages: row.get(6)?,
        })
    })?
    .collect()
}

/// Notes what a source gave.
pub(crate) fn put_transcript(db: &Connection, row: &TranscriptRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO transcripts (format, root, path, part, size, mtime_ns, inode, reading,
             state, session_id, title, project_path, message_count, started_at, last_activity_at,
             git_branch, agent_version, forked_from, opening, unknown)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20)",
    )?
    .execute(params![
        row.format,
        row.root,
        row.path,
        row.part,
        row.stamp[0],
        row.stamp[1],
        row.stamp[2],
        row.reading,
        row.state,
        row.session_id,
        row.title,
        row.project_path,
        row.message_count,
        row.started_at,
        row.last_activity_at,
        row.git_branch,
        row.agent_version,
        row.forked_from,
        row.opening,
        row.unknown,
    ])?;
    Ok(())
}

/// Forgets a source that is not there any more.
pub(crate) fn forget_transcript(
    db: &Connection,
    format: &str,
    root: &str,
    (path, part): (&str, &str),
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "DELETE FROM transcripts WHERE format = ?1 AND root = ?2 AND path = ?3 AND part = ?4",
    )?
    .execute([format, root, path, part])?;
    Ok(())
}

/// What is known of all agents' sessions together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TranscriptTotals {
    /// Sessions with messages.
    pub sessions: i64,
    /// Records of no known kind in them.
    pub passed_over: i64,
}

/// Counts them.
pub(crate) fn transcript_totals(db: &Connection) -> rusqlite::Result<TranscriptTotals> {
    db.prepare_cached(
        "SELECT count(*), coalesce(sum(unknown), 0) FROM transcripts WHERE state = 'read'",
    )?
    .query_row([], |row| Ok(TranscriptTotals { sessions: row.get(0)?, passed_over: row.get(1)? }))
}

/// Sources that hold records and no message, by root and path.
pub(crate) fn unknown_transcripts(db: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    db.prepare_cached(
        "SELECT root, path FROM transcripts WHERE state = 'format_unknown' ORDER BY root, path",
    )?
    .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
    .collect()
}
