//! The sweep: sessions that nobody told of, the newest first, a few at a time.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use coffer_domain::time::Timestamp;
use coffer_env::clock;

use super::{Desk, before};
use crate::distill::{Asked, DistillRequest, Idle};
use crate::error::Result;
use crate::jobs::JobRequest;

/// So long nothing happened in a session that is over.
const IDLE: Duration = Duration::from_mins(30);
/// So often it sweeps, and so long after the start for the first time.
const EVERY: Duration = Duration::from_mins(30);
const FIRST: Duration = Duration::from_mins(3);
/// So many sessions at once.
const MOST: usize = 10;
/// What came to nothing is left alone for so long, so that others have their turn.
const REST: Duration = Duration::from_hours(24);

/// When it is next, and what it started.
pub(super) struct Sweep {
    next: Instant,
    tried: HashMap<(String, String), (Timestamp, Instant)>,
}

impl Sweep {
    /// The first one is some minutes after the start.
    pub(super) fn new(started: Instant) -> Self {
        Self { next: started + FIRST, tried: HashMap::new() }
    }

    /// Sweeps if it is time to; gives how long it is not.
    pub(super) fn start_due(&mut self, desk: &Desk, now: Timestamp, at: Instant) -> Duration {
        if at >= self.next {
            self.next = at + EVERY;
            if desk.settings.get().distill.sweep_enabled && desk.can_ask() {
                self.sweep(desk, now, at);
            }
        }
        self.next.saturating_duration_since(at)
    }

    /// Starts a job for each session of a few.
    pub(super) fn sweep(&mut self, desk: &Desk, now: Timestamp, at: Instant) {
        let started = self.choose(desk, now, at).and_then(|chosen| {
            chosen.into_iter().try_for_each(|idle| {
                let Idle { agent, session, project: _, last_activity_at } = idle;
                self.tried.insert((agent.clone(), session.clone()), (last_activity_at, at));
                let asked = Asked::Sweep;
                let request = DistillRequest { agent, session, asked, preview: false };
                desk.jobs.start(JobRequest::Distill(request), clock::now()).map(drop)
            })
        });
        if let Err(error) = started {
            tracing::warn!(%error, "sessions could not be caught up with");
        }
    }

    /// The newest sessions of all agents that are in a project and were not tried lately.
    fn choose(&mut self, desk: &Desk, now: Timestamp, at: Instant) -> Result<Vec<Idle>> {
        self.tried.retain(|_, (_, tried)| at.saturating_duration_since(*tried) < REST);
        let mut idle = Vec::new();
        for agent in desk.agents.list()? {
            if agent.capabilities.transcripts {
                let shelf = desk.agents.shelf(&agent.name)?;
                idle.extend(desk.distill.idle(&agent.name, &shelf, before(now, IDLE))?);
            }
        }
        idle.retain(|it| {
            let tried = self.tried.get(&(it.agent.clone(), it.session.clone()));
            tried.is_none_or(|(activity, _)| *activity != it.last_activity_at)
        });
        idle.sort_by_key(|it| std::cmp::Reverse(it.last_activity_at));
        let mut projects: HashMap<String, bool> = HashMap::new();
        let mut chosen = Vec::new();
        for it in idle {
            let is_in_project = match projects.get(&it.project) {
                Some(known) => *known,
                None => is_in_project(desk, &it.project),
            };
            projects.insert(it.project.clone(), is_in_project);
            if is_in_project {
                chosen.push(it);
            }
            if chosen.len() == MOST {
                break;
            }
        }
        Ok(chosen)
    }
}

/// Whether a folder is in a project. One whose store cannot be looked at must not end every sweep.
fn is_in_project(desk: &Desk, folder: &str) -> bool {
    desk.distill.is_in_project(Path::new(folder)).unwrap_or_else(|error| {
        tracing::warn!(%error, "sessions of a project wait until its store can be looked at");
        false
    })
}
