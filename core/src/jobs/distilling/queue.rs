//! Sessions that ended: each gets a job once its transcript is still, and another one later where the
//! first came to nothing.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use coffer_domain::time::Timestamp;
use coffer_env::clock;

use super::{Desk, before};
use crate::distill::{Asked, DistillRequest, Waiting};
use crate::error::{Error, Result};
use crate::jobs::{JobRequest, JobState};

/// An agent writes its last words after it told of the end. So long nothing may change.
const QUIET: Duration = Duration::from_secs(3);
/// A transcript that is not there yet may still come for so long.
const MISSING: Duration = Duration::from_mins(1);
/// A session that goes on all the same is read as far as it is then.
const NEVER_QUIET: Duration = Duration::from_mins(10);
/// What has waited for so long will not be read any more; a sweep may still find it.
const LONGEST: Duration = Duration::from_hours(24 * 7);

/// While something waits to be still, it looks so often.
const LOOK: Duration = Duration::from_secs(1);
/// With nothing to do, it looks so often.
const PATIENCE: Duration = Duration::from_hours(1);
/// What came to nothing is tried again after so long, and twice as long each time, up to the longest.
const REST: Duration = Duration::from_mins(1);
const LONGEST_REST: Duration = Duration::from_hours(6);

/// An end of a session: the same one may end anew.
type Key = (String, String, Timestamp);

/// What was started.
#[derive(Default)]
pub(super) struct Queue {
    tried: HashMap<Key, Tried>,
}

struct Tried {
    rest: Duration,
    until: Instant,
}

impl Queue {
    /// What stood in the way may be gone: everything is tried at once.
    pub(super) fn forgive(&mut self) {
        self.tried.clear();
    }

    /// Starts what is due; gives how long there is nothing to do then.
    pub(super) fn start_due(&mut self, desk: &Desk, now: Timestamp, at: Instant) -> Duration {
        if !desk.settings.get().distill.on_session_end || !desk.can_ask() {
            return PATIENCE;
        }
        let waiting = desk.distill.waiting().unwrap_or_else(|error| {
            tracing::warn!(%error, "sessions that ended could not be looked for");
            Vec::new()
        });
        let keys: Vec<Key> = waiting.iter().map(key).collect();
        self.tried.retain(|key, _| keys.contains(key));
        let waits = waiting.iter().map(|one| match self.start(desk, one, now, at) {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, agent = one.agent, "a session that ended waits longer");
                REST
            }
        });
        waits.min().unwrap_or(PATIENCE).min(PATIENCE)
    }

    /// Starts the job of one, if it is due; gives after how long to look again.
    fn start(
        &mut self,
        desk: &Desk,
        one: &Waiting,
        now: Timestamp,
        at: Instant,
    ) -> Result<Duration> {
        if one.ended_at < before(now, LONGEST) {
            tracing::warn!(
                agent = one.agent,
                "a session that ended a week ago is not read any more"
            );
            desk.distill.forget(one)?;
            return Ok(PATIENCE);
        }
        let tried = self.tried.get(&key(one));
        let left = tried.map_or(Duration::ZERO, |tried| tried.until.saturating_duration_since(at));
        if !left.is_zero() {
            return Ok(left);
        }
        if !is_still(desk, one, now) {
            return Ok(LOOK);
        }
        let request = JobRequest::Distill(DistillRequest {
            agent: one.agent.clone(),
            session: one.session.clone(),
            asked: Asked::Ended,
            preview: false,
        });
        let newest = desk.jobs.list()?.into_iter().find(|job| job.request == request);
        let is_declined =
            |state, created_at| state == JobState::Cancelled && created_at >= one.ended_at;
        if newest.is_some_and(|job| is_declined(job.state, job.created_at)) {
            desk.distill.forget(one)?;
            return Ok(PATIENCE);
        }
        desk.jobs.start(request, clock::now())?;
        let rest = tried.map_or(REST, |tried| (tried.rest * 2).min(LONGEST_REST));
        self.tried.insert(key(one), Tried { rest, until: at + rest });
        Ok(rest)
    }
}

fn key(one: &Waiting) -> Key {
    (one.agent.clone(), one.session.clone(), one.ended_at)
}

/// Whether the transcript of a session is as the agent leaves it. Where that cannot be told, its job
/// says why.
fn is_still(desk: &Desk, one: &Waiting, now: Timestamp) -> bool {
    // What ends far ahead of now was told by a clock that was put back since.
    let is_ahead = before(one.ended_at, NEVER_QUIET) > now;
    let since = |time| is_ahead || one.ended_at <= before(now, time);
    let found = desk.agents.shelf(&one.agent).and_then(|shelf| {
        desk.sessions.find(&shelf, &one.session).map(|session| session.changed_at())
    });
    match found {
        Ok(changed_at) => since(QUIET) && changed_at <= before(now, QUIET) || since(NEVER_QUIET),
        Err(Error::TranscriptNotFound(_)) => since(MISSING),
        Err(_) => true,
    }
}
