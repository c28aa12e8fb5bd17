//! What the callers and the worker share: jobs that have not ended, and telling of what moves.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use coffer_domain::id::Id;
use coffer_env::clock;

use super::job::{Job, JobOutput, JobRequest, JobState, Lane};
use crate::error::{Error, Result};
use crate::index::{self, Failure, Index};

/// So many jobs that ended are known whole: the tables keep nothing of what a session taught.
const RECENT: usize = 32;

/// The jobs of one home.
pub(super) struct Shared {
    pub index: Arc<Index>,
    queue: Mutex<Queue>,
    /// Signalled when a job moves or the worker ends.
    pub moved: Condvar,
    /// Held while a change is written and told, so that rows and events come in its order.
    telling: Mutex<()>,
    on_event: Box<dyn Fn(Job) + Send + Sync>,
}

/// What changes.
#[derive(Default)]
pub(super) struct Queue {
    pub waiting: VecDeque<Id>,
    /// Jobs that the tables do not yet know to have ended.
    pub live: HashMap<Id, Job>,
    /// Jobs that ended last, the newest first.
    recent: VecDeque<Job>,
    /// Running jobs that shall end.
    pub cancelled: HashSet<Id>,
    /// Whether the program stops.
    pub stopping: bool,
    /// Workers that have not ended.
    pub workers: usize,
}

impl Shared {
    /// Takes over jobs that had not ended, oldest first.
    pub(super) fn new(
        index: Arc<Index>,
        interrupted: Vec<Job>,
        on_event: impl Fn(Job) + Send + Sync + 'static,
    ) -> Self {
        let mut queue = Queue::default();
        for job in interrupted {
            let job = Job::new(job.id, job.request, job.created_at);
            queue.waiting.push_back(job.id.clone());
            queue.live.insert(job.id.clone(), job);
        }
        Self {
            index,
            queue: Mutex::new(queue),
            moved: Condvar::new(),
            telling: Mutex::default(),
            on_event: Box::new(on_event),
        }
    }

    /// The jobs; nothing slow is done while they are held.
    pub(super) fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job that waits, or gives the one that does the same. It is in the tables first, so
    /// that no caller is told of a job that a crash forgets.
    pub(super) fn add(&self, job: Job) -> Result<Job> {
        let _turn = self.turn();
        if let Some(same) = self.lock().same(&job) {
            return Ok(same);
        }
        self.keep(&job).map_err(Error::index)?;
        let mut queue = self.lock();
        queue.waiting.push_back(job.id.clone());
        queue.live.insert(job.id.clone(), job.clone());
        drop(queue);
        self.moved.notify_all();
        (self.on_event)(job.clone());
        Ok(job)
    }

    /// Changes a job that has not ended, writes it down and tells of it.
    pub(super) fn change(&self, id: &Id, change: impl FnOnce(&mut Job)) {
        let _turn = self.turn();
        let present = self.lock().live.get(id).cloned();
        let Some(mut job) = present.filter(|job| !job.state.has_ended()) else { return };
        change(&mut job);
        // Nobody sees it ended before the tables know, if they can.
        let kept = self.keep(&job);
        if let Err(failure) = &kept {
            tracing::warn!(?failure, job = %job.id, "a job could not be noted");
        }
        self.lock().settle(&job, kept.is_ok());
        self.moved.notify_all();
        (self.on_event)(job);
    }

    /// Ends a job with what came of it.
    pub(super) fn end(&self, id: &Id, outcome: Result<JobOutput>) {
        self.change(id, |job| {
            job.finished_at = Some(clock::now());
            match outcome {
                Ok(output) => (job.state, job.output) = (JobState::Done, Some(output)),
                Err(Error::Cancelled) => job.state = JobState::Cancelled,
                Err(error) => (job.state, job.error) = (JobState::Failed, Some(error.to_string())),
            }
        });
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.telling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a job down; into the new database, if the old one was lost.
    fn keep(&self, job: &Job) -> std::result::Result<(), Failure> {
        let row = job.row();
        let write = || {
            self.index.write(|tx| {
                index::put_job(tx, &row)?;
                index::prune_jobs(tx)
            })
        };
        match write() {
            Err(Failure::Replaced(_)) => write(),
            other => other,
        }
    }
}

impl Queue {
    /// The next job that waits in a lane.
    pub(super) fn take(&mut self, lane: Lane) -> Option<Id> {
        let is_of = |id: &Id| self.live.get(id).is_none_or(|job| job.request.lane() == lane);
        let at = self.waiting.iter().position(is_of)?;
        self.waiting.remove(at)
    }

    /// Takes a job as it is now; one that ended is forgotten as soon as the tables know of it.
    fn settle(&mut self, job: &Job, is_kept: bool) {
        if !(is_kept && job.state.has_ended()) {
            self.live.insert(job.id.clone(), job.clone());
            return;
        }
        self.cancelled.remove(&job.id);
        self.live.remove(&job.id);
        if matches!(job.request, JobRequest::Purge(_)) {
            // What it took away is not shown from here.
            self.recent.clear();
        }
        self.recent.push_front(job.clone());
        self.recent.truncate(RECENT);
    }

    /// A job that has not ended, or did lately.
    pub(super) fn known(&self, id: &Id) -> Option<Job> {
        let recent = || self.recent.iter().find(|job| job.id == *id);
        self.live.get(id).or_else(recent).cloned()
    }

    /// A job that waits or runs for the same.
    fn same(&self, wanted: &Job) -> Option<Job> {
        let is_same = |job: &&Job| job.request == wanted.request && !job.state.has_ended();
        self.live.values().find(is_same).cloned()
    }
}
