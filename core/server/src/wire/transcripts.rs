//! Sessions of agents.

use coffer_api::transcripts::{
    SortOrder, TranscriptDetailOut, TranscriptOut, TranscriptSort, TranscriptState, TranscriptsOut,
    TranscriptsQuery, TurnOut, TurnRole, UnseenOut,
};
use coffer_core::sessions::{
    Order, Page, Position, Query, Role, Session, Shown, Sort, State, Summary, Turn, Unseen,
};
use coffer_domain::time::Timestamp;

use super::shown;
use crate::error::Failure;
use crate::extract::within;

/// Which sessions are asked for.
pub(crate) fn query_in(query: TranscriptsQuery) -> Result<Query, Failure> {
    let TranscriptsQuery { limit, offset, q, project, started_after, started_before, sort, order } =
        query;
    Ok(Query {
        q,
        project,
        started_after: moment("started_after", started_after)?,
        started_before: moment("started_before", started_before)?,
        sort: sort.map_or_else(Sort::default, |sort| match sort {
            TranscriptSort::StartedAt => Sort::StartedAt,
            TranscriptSort::LastActivityAt => Sort::LastActivityAt,
            TranscriptSort::MessageCount => Sort::MessageCount,
        }),
        order: order.map_or_else(Order::default, |order| match order {
            SortOrder::Asc => Order::Ascending,
            SortOrder::Desc => Order::Descending,
        }),
        limit: within("limit", limit, 1..=200, 50)? as usize,
        offset: offset.unwrap_or(0) as usize,
    })
}

fn moment(field: &str, text: Option<String>) -> Result<Option<Timestamp>, Failure> {
    let read = |text: String| {
        Timestamp::parse(&text)
            .ok_or_else(|| Failure::field(field, "must be a time such as `2026-06-09T10:11:12Z`"))
    };
    text.map(read).transpose()
}

/// Where to go on from.
pub(crate) fn position_in(after: Option<String>) -> Result<Option<Position>, Failure> {
    let read = |text: String| {
        text.parse().map_err(|_| Failure::field("after", "must be the `position` of a turn"))
    };
    after.map(read).transpose()
}

/// A page of sessions.
pub(crate) fn page(page: Page, query: &Query) -> TranscriptsOut {
    let Page { sessions, total, unread, projects, unseen } = page;
    TranscriptsOut {
        sessions: sessions.into_iter().map(session).collect(),
        total: total as u64,
        unread: unread as u64,
        projects,
        limit: u32::try_from(query.limit).unwrap_or(u32::MAX),
        offset: u32::try_from(query.offset).unwrap_or(u32::MAX),
        unseen: unseen.into_iter().map(self::unseen).collect(),
    }
}

fn unseen(unseen: Unseen) -> UnseenOut {
    let Unseen { path, reason } = unseen;
    UnseenOut { path: shown(&path), reason }
}

fn session(session: Session) -> TranscriptOut {
    let Session { summary, state, source_path, unknown, .. } = session;
    let Summary {
        session_id,
        title,
        project_path,
        message_count,
        started_at,
        last_activity_at,
        git_branch,
        agent_version,
        forked_from: _,
        opening: _,
    } = summary;
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    let (state, reason) = match state {
        // The last two are in no list, and are read by their id all the same.
        State::Read | State::Empty | State::SubAgent => (TranscriptState::Read, None),
        State::FormatUnknown => (TranscriptState::FormatUnknown, None),
        State::Unreadable(reason) => (TranscriptState::Unreadable, Some(reason)),
    };
    TranscriptOut {
        session_id,
        title,
        project_path,
        message_count,
        started_at: time(started_at),
        last_activity_at: time(last_activity_at),
        source_path: shown(&source_path),
        git_branch,
        agent_version,
        state,
        reason,
        unknown_records: unknown,
    }
}

/// A session and its turns.
pub(crate) fn detail(detail: Shown) -> TranscriptDetailOut {
    let Shown { session, turns, withheld, next } = detail;
    TranscriptDetailOut {
        session: self::session(session),
        turns: turns.into_iter().map(turn).collect(),
        withheld: withheld as u64,
        next: next.map(|next| next.to_string()),
    }
}

fn turn(turn: Turn) -> TurnOut {
    let Turn { role, text, at, position } = turn;
    let role = match role {
        Role::Human => TurnRole::Human,
        Role::Assistant => TurnRole::Assistant,
    };
    TurnOut { role, text, time: at.map(|at| at.to_string()), position: position.to_string() }
}
