//! Lists: chosen, ordered, one page of them.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::path::Path;

use coffer_domain::time::Timestamp;

use super::{Session, Sessions, Shelf, Unseen, leaving};
use crate::error::{Error, Result};
use crate::transcripts::State;

/// The most sessions of a page.
const MOST: usize = 200;

/// What a list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// When they began.
    StartedAt,
    /// When something happened in them last.
    #[default]
    LastActivityAt,
    /// How many messages they have.
    MessageCount,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The smallest first.
    Ascending,
    /// The greatest first.
    #[default]
    Descending,
}

/// Which sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Part of the title or of the project's path, whatever its case.
    pub q: Option<String>,
    /// The project's folder; sessions that began below it are its, too.
    pub project: Option<String>,
    /// Only those that began then or later.
    pub started_after: Option<Timestamp>,
    /// Only those that began before then.
    pub started_before: Option<Timestamp>,
    /// What the list is ordered by.
    pub sort: Sort,
    /// Which way.
    pub order: Order,
    /// At most so many, 1 to 200.
    pub limit: usize,
    /// So many are left out at the beginning.
    pub offset: usize,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            q: None,
            project: None,
            started_after: None,
            started_before: None,
            sort: Sort::default(),
            order: Order::default(),
            limit: 50,
            offset: 0,
        }
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The sessions.
    pub sessions: Vec<Session>,
    /// How many there are on all pages.
    pub total: usize,
    /// How many of them could not be read.
    pub unread: usize,
    /// The folders that the agent's sessions began in, the one of the latest first; all of them,
    /// whatever was asked for.
    pub projects: Vec<String>,
    /// What could not be looked at.
    pub unseen: Vec<Unseen>,
}

impl Sessions {
    /// Lists sessions. `progress` is told how many sources of how many have been read: a first list of
    /// many gigabytes takes seconds.
    ///
    /// # Errors
    ///
    /// `Invalid` for a limit out of range; an index that cannot be used. What cannot be read of the
    /// agents' files is in the page.
    pub fn list(
        &self,
        shelf: &Shelf,
        query: &Query,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Page> {
        if !(1..=MOST).contains(&query.limit) {
            let reason = format!("must be 1 to {MOST}");
            return Err(Error::Invalid { field: "limit", reason });
        }
        let catalogue = self.catalogue(shelf, progress)?;
        let projects = projects(&catalogue.sessions);
        let wanted = Wanted::of(query);
        let mut sessions: Vec<Session> =
            catalogue.sessions.into_iter().filter(|session| wanted.holds(session)).collect();
        sessions.sort_by(|a, b| compare(query, a, b));
        let total = sessions.len();
        let unread = sessions.iter().filter(|session| session.state != State::Read).count();
        let page = sessions.into_iter().skip(query.offset).take(query.limit);
        let secrets = self.0.settings.secrets();
        let sessions = page.map(|session| leaving(session, &secrets)).collect();
        Ok(Page { sessions, total, unread, projects, unseen: catalogue.unseen })
    }
}

impl Sessions {
    /// All sessions that can be read, in no order.
    ///
    /// # Errors
    ///
    /// An index that cannot be used. What cannot be looked at is not there.
    pub fn readable(&self, shelf: &Shelf) -> Result<Vec<Session>> {
        let all = self.catalogue(shelf, &|_, _| {})?.sessions;
        Ok(all.into_iter().filter(|session| session.state == State::Read).collect())
    }

    /// The session of a project that was active last: of those that began in its folder, or below.
    ///
    /// # Errors
    ///
    /// `TranscriptNotFound`, or an index that cannot be used.
    pub fn latest(&self, shelf: &Shelf, project: &Path) -> Result<Session> {
        let is_of = |session: &Session| {
            let path = session.summary.project_path.as_deref();
            path.is_some_and(|path| Path::new(path).starts_with(project))
        };
        let of_project = self.readable(shelf)?.into_iter().filter(is_of);
        let last = of_project.max_by_key(|session| session.summary.last_activity_at);
        last.map(|session| leaving(session, &self.0.settings.secrets()))
            .ok_or_else(|| Error::ProjectTranscriptNotFound(project.to_owned()))
    }
}

fn projects(sessions: &[Session]) -> Vec<String> {
    let mut latest: BTreeMap<&str, Option<Timestamp>> = BTreeMap::new();
    for session in sessions.iter().filter(|session| session.state.is_listed()) {
        if let Some(project) = &session.summary.project_path {
            let last = latest.entry(project).or_default();
            *last = (*last).max(session.summary.last_activity_at);
        }
    }
    let mut projects: Vec<_> = latest.into_iter().collect();
    projects.sort_by_key(|(_, last)| Reverse(*last));
    projects.into_iter().map(|(project, _)| project.to_owned()).collect()
}

/// A query, ready to be asked many times.
struct Wanted<'q> {
    part: Option<String>,
    query: &'q Query,
}

impl<'q> Wanted<'q> {
    fn of(query: &'q Query) -> Self {
        Self { part: query.q.as_deref().map(str::to_lowercase), query }
    }

    fn holds(&self, session: &Session) -> bool {
        let summary = &session.summary;
        let began = summary.started_at;
        session.state.is_listed()
            && self.query.started_after.is_none_or(|after| began.is_some_and(|at| at >= after))
            && self.query.started_before.is_none_or(|before| began.is_some_and(|at| at < before))
            && self.query.project.as_deref().is_none_or(|project| {
                summary
                    .project_path
                    .as_deref()
                    .is_some_and(|path| Path::new(path).starts_with(project))
            })
            && self.part.as_deref().is_none_or(|part| {
                let texts = [&summary.title, &summary.project_path];
                texts.into_iter().flatten().any(|text| text.to_lowercase().contains(part))
            })
    }
}

/// Sessions of the same rank follow their ids, so that pages never overlap.
fn compare(query: &Query, a: &Session, b: &Session) -> Ordering {
    let rank = |session: &Session| {
        let summary = &session.summary;
        match query.sort {
            Sort::StartedAt => summary.started_at.map(Timestamp::micros),
            Sort::LastActivityAt => summary.last_activity_at.map(Timestamp::micros),
            Sort::MessageCount => Some(summary.message_count.cast_signed()),
        }
    };
    let by_rank = match (rank(a), rank(b)) {
        // What has no time comes last, either way.
        (None, Some(_)) => return Ordering::Greater,
        (Some(_), None) => return Ordering::Less,
        (a, b) => a.cmp(&b),
    };
    let by_rank = match query.order {
        Order::Ascending => by_rank,
        Order::Descending => by_rank.reverse(),
    };
    let place = |session: &Session| (session.source_path.clone(), session.source.part.clone());
    by_rank
        .then_with(|| a.summary.session_id.cmp(&b.summary.session_id))
        .then_with(|| place(a).cmp(&place(b)))
}
