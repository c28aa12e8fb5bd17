//! Background work: durable, never queued twice, with progress and cancel.
//!
//! One worker runs one job after another. What a job does is given by the composition root, so that
//! this module knows neither memory nor models. A job that a crash interrupted runs again.

mod worker;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use coffer_domain::id::Id;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::clock;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::index::{self, Index, JobRow};
use crate::memory::ReindexReport;

pub use worker::Progress;

/// What a job is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobRequest {
    /// Compare every file with the index, of one store or of all.
    Reindex {
        /// The store; absent: all.
        store: Option<StoreName>,
    },
}

impl JobRequest {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Reindex { .. } => "reindex",
        }
    }

    const fn store(&self) -> Option<&StoreName> {
        match self {
            Self::Reindex { store } => store.as_ref(),
        }
    }

    fn of_row(row: &JobRow) -> Option<Self> {
        let store = match row.store.as_deref() {
            Some(name) => Some(StoreName::parse(name)?),
            None => None,
        };
        (row.kind == "reindex").then_some(Self::Reindex { store })
    }
}

/// What a finished job gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutput {
    /// Of a reindex.
    Reindexed(ReindexReport),
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Waits.
    Queued,
    /// Runs.
    Running,
    /// Finished.
    Done,
    /// Ended by an error.
    Failed,
    /// Ended by a person.
    Cancelled,
}

impl JobState {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Queued, "queued"),
        (Self::Running, "running"),
        (Self::Done, "done"),
        (Self::Failed, "failed"),
        (Self::Cancelled, "cancelled"),
    ];

    /// Whether nothing more will happen.
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).map_or("failed", |(_, word)| word)
    }

    fn of_word(word: &str) -> Self {
        Self::ALL.iter().find(|(_, known)| *known == word).map_or(Self::Failed, |(state, _)| *state)
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: Id,
    /// What it is asked to do.
    pub request: JobRequest,
    /// Where it stands.
    pub state: JobState,
    /// Items done.
    pub done: u64,
    /// Items in all, once known.
    pub total: Option<u64>,
    /// What it gave.
    pub output: Option<JobOutput>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// The form of an output in the tables.
#[derive(Serialize, Deserialize)]
enum StoredOutput {
    Reindexed { scanned: u64, reindexed: u64, skipped: u64, removed: u64, degraded: u64 },
}

impl Job {
    fn row(&self) -> JobRow {
        let result = self.output.as_ref().map(|JobOutput::Reindexed(report)| {
            let ReindexReport { scanned, reindexed, skipped, removed, degraded } = *report;
            StoredOutput::Reindexed { scanned, reindexed, skipped, removed, degraded }
        });
        JobRow {
            id: self.id.to_string(),
            kind: self.request.kind().to_owned(),
            store: self.request.store().map(ToString::to_string),
            state: self.state.word().to_owned(),
            done: self.done,
            total: self.total,
            result: result.and_then(|result| serde_json::to_string(&result).ok()),
            error: self.error.clone(),
            created_at: self.created_at,
            finished_at: self.finished_at,
        }
    }

    fn of_row(row: JobRow) -> Option<Self> {
        let output = row.result.as_deref().and_then(|text| serde_json::from_str(text).ok());
        Some(Self {
            id: Id::parse(&row.id)?,
            request: JobRequest::of_row(&row)?,
            state: JobState::of_word(&row.state),
            done: row.done,
            total: row.total,
            output: output.map(
                |StoredOutput::Reindexed { scanned, reindexed, skipped, removed, degraded }| {
                    JobOutput::Reindexed(ReindexReport {
                        scanned,
                        reindexed,
                        skipped,
                        removed,
                        degraded,
                    })
                },
            ),
            error: row.error,
            created_at: row.created_at,
            finished_at: row.finished_at,
        })
    }
}

/// Background work of one home.
#[derive(Clone)]
pub struct Jobs(Arc<Shared>);

struct Shared {
    index: Arc<Index>,
    queue: Mutex<Queue>,
    moved: Condvar,
    on_event: Box<dyn Fn(Job) + Send + Sync>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Id>,
    /// Jobs that have not ended; those that have are in the tables.
    live: HashMap<Id, Job>,
    cancelled: Option<Id>,
    stopping: bool,
}

impl Jobs {
    /// The jobs of an index, with their worker; `run` does the work. Jobs that had not ended when
    /// the program last did wait again.
    pub(crate) fn open(
        index: Arc<Index>,
        run: impl Fn(&JobRequest, &Progress) -> Result<JobOutput> + Send + 'static,
        on_event: impl Fn(Job) + Send + Sync + 'static,
    ) -> Result<Self> {
        let mut queue = Queue::default();
        let rows = index.read(index::jobs).map_err(Error::index)?;
        for mut job in rows.into_iter().rev().filter_map(Job::of_row) {
            if !job.state.has_ended() {
                job.state = JobState::Queued;
                queue.waiting.push_back(job.id.clone());
                queue.live.insert(job.id.clone(), job);
            }
        }
        let shared = Arc::new(Shared {
            index,
            queue: Mutex::new(queue),
            moved: Condvar::new(),
            on_event: Box::new(on_event),
            thread: Mutex::default(),
        });
        let worker = Arc::downgrade(&shared);
        let thread = std::thread::spawn(move || worker::work(&worker, &run));
        *shared.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(Self(shared))
    }

    /// Queues a job, or gives the one that already waits or runs for the same.
    ///
    /// # Errors
    ///
    /// An index that cannot be written.
    pub fn start(&self, request: JobRequest, now: Timestamp) -> Result<Job> {
        let mut queue = self.0.lock();
        if let Some(same) = queue.live.values().find(|job| job.request == request) {
            return Ok(same.clone());
        }
        let job = Job {
            id: clock::new_id(now),
            request,
            state: JobState::Queued,
            done: 0,
            total: None,
            output: None,
            error: None,
            created_at: now,
            finished_at: None,
        };
        self.0.keep(&job).map_err(Error::index)?;
        queue.waiting.push_back(job.id.clone());
        queue.live.insert(job.id.clone(), job.clone());
        drop(queue);
        self.0.moved.notify_all();
        (self.0.on_event)(job.clone());
        Ok(job)
    }

    /// All jobs, newest first.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn list(&self) -> Result<Vec<Job>> {
        let rows = self.0.index.read(index::jobs).map_err(Error::index)?;
        let queue = self.0.lock();
        let now = |job: Job| queue.live.get(&job.id).cloned().unwrap_or(job);
        Ok(rows.into_iter().filter_map(Job::of_row).map(now).collect())
    }

    /// One job.
    ///
    /// # Errors
    ///
    /// No such job, or an index that cannot be read.
    pub fn get(&self, id: &Id) -> Result<Job> {
        if let Some(job) = self.0.lock().live.get(id) {
            return Ok(job.clone());
        }
        let row = self.0.index.read(|db| index::job(db, id.as_str())).map_err(Error::index)?;
        row.and_then(Job::of_row).ok_or_else(|| Error::JobNotFound(id.to_string()))
    }

    /// Cancels a job; one that has ended stays as it is.
    ///
    /// # Errors
    ///
    /// No such job, or an index that cannot be read.
    pub fn cancel(&self, id: &Id) -> Result<Job> {
        let mut queue = self.0.lock();
        match queue.live.get(id).map(|job| job.state) {
            Some(JobState::Queued) => {
                queue.waiting.retain(|waiting| waiting != id);
                drop(queue);
                self.0.end(id, Err(Error::Cancelled));
            }
            Some(_) => queue.cancelled = Some(id.clone()),
            None => {}
        }
        self.get(id)
    }

    /// Waits until a job ends, or for so long; gives it as it then is.
    ///
    /// # Errors
    ///
    /// No such job, or an index that cannot be read.
    pub fn wait(&self, id: &Id, patience: Duration) -> Result<Job> {
        let queue = self.0.lock();
        let waited = self.0.moved.wait_timeout_while(queue, patience, |queue| {
            queue.live.contains_key(id) && !queue.stopping
        });
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.get(id)
    }

    /// Ends the worker: a running job stops at its next step and runs again at the next start.
    pub fn stop(&self) {
        self.0.lock().stopping = true;
        self.0.moved.notify_all();
        let thread = self.0.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // A panic of the worker was logged by it.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, job: &Job) -> std::result::Result<(), index::Failure> {
        let row = job.row();
        self.index.write(|tx| index::put_job(tx, &row))
    }

    /// Ends a job with what came of it.
    fn end(&self, id: &Id, outcome: Result<JobOutput>) {
        let mut queue = self.lock();
        let Some(mut job) = queue.live.remove(id) else { return };
        job.finished_at = Some(clock::now());
        match outcome {
            Ok(output) => (job.state, job.output) = (JobState::Done, Some(output)),
            Err(Error::Cancelled) => job.state = JobState::Cancelled,
            Err(error) => (job.state, job.error) = (JobState::Failed, Some(error.to_string())),
        }
        if let Err(failure) = self.keep(&job) {
            tracing::warn!(?failure, job = %job.id, "the end of a job could not be noted");
        }
        drop(queue);
        self.moved.notify_all();
        (self.on_event)(job);
    }
}

#[cfg(test)]
mod tests;
