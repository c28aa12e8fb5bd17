//! A session as the index keeps it.

use coffer_domain::time::Timestamp;

use super::Session;
use crate::index::TranscriptRow;
use crate::transcripts::{Format, READING, Reading, Source, Stamp, State, Summary};

/// What is known of a source, if it is of this very source and was read as it would be now; else the
/// source.
pub(super) fn known(source: Source, row: Option<TranscriptRow>) -> Result<Session, Source> {
    let is_same =
        |row: &TranscriptRow| row.stamp == numbers(source.stamp) && row.reading == READING;
    let Some(row) = row.filter(is_same) else { return Err(source) };
    let Some(state) = state(&row.state) else { return Err(source) };
    let time = |micros: Option<i64>| micros.map(Timestamp::from_micros);
    let summary = Summary {
        session_id: row.session_id,
        title: row.title,
        project_path: row.project_path,
        message_count: row.message_count.cast_unsigned(),
        started_at: time(row.started_at),
        last_activity_at: time(row.last_activity_at),
        git_branch: row.git_branch,
        agent_version: row.agent_version,
        forked_from: row.forked_from,
        opening: row.opening.map(i64::cast_unsigned),
    };
    Ok(session(source, summary, state, row.unknown.cast_unsigned()))
}

/// The word of a state that is kept. What could not be read is tried again each time.
fn state(word: &str) -> Option<State> {
    let kept = [State::Read, State::Empty, State::SubAgent, State::FormatUnknown];
    kept.into_iter().find(|state| state.name() == word)
}

/// What reading a source gave.
pub(super) fn fresh(source: &Source, reading: Reading) -> Session {
    let Reading { state, mut summary, passed_over: _, unknown } = reading;
    // Without any time in it, the file's own tells at least where it belongs in a list.
    summary.last_activity_at = summary.last_activity_at.or(Some(source.stamp.changed_at()));
    session(source.clone(), summary, state, unknown)
}

fn session(source: Source, summary: Summary, state: State, unknown: u64) -> Session {
    Session { summary, state, unknown, source_path: source.location(), source }
}

/// The row of a session; `None` for one that is to be tried again.
pub(super) fn row(format: Format, root: &str, session: &Session) -> Option<TranscriptRow> {
    let Session { summary, state, source_path: _, unknown, source } = session;
    if matches!(state, State::Unreadable(_)) {
        return None;
    }
    let Summary {
        session_id,
        title,
        project_path,
        message_count,
        started_at,
        last_activity_at,
        git_branch,
        agent_version,
        forked_from,
        opening,
    } = summary.clone();
    Some(TranscriptRow {
        format: format.name(),
        root: root.to_owned(),
        path: source.path.clone(),
        part: source.part.clone().unwrap_or_default(),
        stamp: numbers(source.stamp),
        reading: READING,
        state: state.name().to_owned(),
        session_id,
        title,
        project_path,
        message_count: message_count.cast_signed(),
        started_at: started_at.map(Timestamp::micros),
        last_activity_at: last_activity_at.map(Timestamp::micros),
        git_branch,
        agent_version,
        forked_from,
        opening: opening.map(u64::cast_signed),
        unknown: unknown.cast_signed(),
    })
}

/// When the source of a row changed last.
pub(super) const fn changed_at([size, mtime_ns, inode]: [i64; 3]) -> Timestamp {
    Stamp { size, mtime_ns, inode }.changed_at()
}

pub(super) const fn numbers(stamp: Stamp) -> [i64; 3] {
    let Stamp { size, mtime_ns, inode } = stamp;
    [size, mtime_ns, inode]
}
