//! Background work: durable, never queued twice, with progress and cancel.
//!
//! A worker of each lane runs one job after another; what waits for a model holds up nothing else. What a job does is given by the composition root, so that
//! this module starts nothing itself. A job that a crash or the program's end interrupted runs
//! again. The tables keep the newest 200.

mod carry_out;
mod distilling;
mod embedding;
mod idle;
mod job;
mod shared;
mod stored;
mod take_up;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use coffer_domain::id::Id;
use coffer_domain::time::Timestamp;
use coffer_env::clock;

use crate::error::{Error, Result};
use crate::index::{self, Index};
use job::Lane;
use shared::Shared;

pub(crate) use carry_out::{Capabilities, carry_out};
pub(crate) use distilling::{Desk, Distilling};
pub(crate) use embedding::Embedding;
pub(crate) use idle::{Idle, IdleWatch};
pub use job::{Job, JobOutput, JobRequest, JobState};
pub use worker::Progress;

/// How long a stopping program waits for the running job.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Background work of one home; the worker ends with the last clone.
#[derive(Clone)]
pub struct Jobs(Arc<Handle>);

struct Handle {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Jobs {
    /// The jobs of an index, with their worker; `run` does the work. Jobs that had not ended when
    /// the program last did wait again. `on_event` is told of each change, in order; it must not
    /// start or cancel jobs.
    ///
    /// # Errors
    ///
    /// An index that cannot be read, or no thread.
    pub(crate) fn open(
        index: Arc<Index>,
        run: impl Fn(&JobRequest, &Progress) -> Result<JobOutput> + Send + Sync + 'static,
        on_event: impl Fn(Job) + Send + Sync + 'static,
    ) -> Result<Self> {
        let rows = index.read(index::jobs).map_err(Error::index)?;
        let jobs = rows.into_iter().rev().filter_map(Job::of_row);
        let interrupted = jobs.filter(|job| !job.state.has_ended()).collect();
        let shared = Arc::new(Shared::new(index, interrupted, on_event));
        let run = Arc::new(run);
        let workers = Lane::ALL.into_iter().map(|lane| {
            let (works_on, run) = (Arc::clone(&shared), Arc::clone(&run));
            shared.lock().workers += 1;
            std::thread::Builder::new()
                .name("jobs".to_owned())
                .spawn(move || worker::work(&works_on, lane, &*run))
                .map_err(|error| Error::Internal(format!("no thread for jobs: {error}")))
        });
        let workers = workers.collect::<Result<_>>()?;
        Ok(Self(Arc::new(Handle { shared, workers: Mutex::new(workers) })))
    }

    /// Queues a job, or gives the one that already waits or runs for the same.
    ///
    /// # Errors
    ///
    /// An index that cannot be written.
    pub fn start(&self, request: JobRequest, now: Timestamp) -> Result<Job> {
        self.0.shared.add(Job::new(clock::new_id(now), request, now))
    }

    /// The newest 200 jobs, newest first.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn list(&self) -> Result<Vec<Job>> {
        // In this order: what goes from here to there meanwhile is newest in the tables.
        let mut live = self.0.shared.lock().live.clone();
        let rows = self.0.shared.index.read(index::jobs).map_err(Error::index)?;
        let kept = rows.into_iter().filter_map(Job::of_row);
        let known = |job: Job| live.remove(&job.id).or_else(|| self.known(&job.id)).unwrap_or(job);
        let mut jobs: Vec<Job> = kept.map(known).collect();
        // A database that was lost has no rows of these.
        jobs.extend(live.into_values());
        jobs.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(jobs)
    }

    /// One job.
    ///
    /// # Errors
    ///
    /// No such job, or an index that cannot be read.
    pub fn get(&self, id: &Id) -> Result<Job> {
        if let Some(job) = self.known(id) {
            return Ok(job);
        }
        let row = self.0.shared.index.read(|db| index::job(db, id.as_str()));
        let job = row.map_err(Error::index)?.and_then(Job::of_row);
        job.ok_or_else(|| Error::JobNotFound(id.to_string()))
    }

    fn known(&self, id: &Id) -> Option<Job> {
        self.0.shared.lock().known(id)
    }

    /// Cancels a job: at once when it waits, at its next step when it runs. One that has ended
    /// stays as it is.
    ///
    /// # Errors
    ///
    /// No such job, or an index that cannot be read.
    pub fn cancel(&self, id: &Id) -> Result<Job> {
        let mut queue = self.0.shared.lock();
        let waiting = queue.waiting.iter().position(|waiting| waiting == id);
        if let Some(at) = waiting {
            // From here on the worker cannot take it.
            queue.waiting.remove(at);
            drop(queue);
            self.0.shared.end(id, Err(Error::Cancelled));
        } else {
            if queue.live.contains_key(id) {
                queue.cancelled.insert(id.clone());
            }
            drop(queue);
        }
        self.get(id)
    }

    /// Waits until a job ends, or for so long; gives it as it then is.
    ///
    /// # Errors
    ///
    /// No such job, or an index that cannot be read.
    pub fn wait(&self, id: &Id, patience: Duration) -> Result<Job> {
        let shared = &self.0.shared;
        let waited = shared.moved.wait_timeout_while(shared.lock(), patience, |queue| {
            !queue.stopping && queue.live.get(id).is_some_and(|job| !job.state.has_ended())
        });
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.get(id)
    }

    /// Ends the worker, within two seconds: a running job stops at its next step and runs again at
    /// the next start.
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl Handle {
    fn stop(&self) {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let workers = std::mem::take(&mut *workers);
        if workers.is_empty() {
            return;
        }
        let moved = &self.shared.moved;
        let mut queue = self.shared.lock();
        queue.stopping = true;
        moved.notify_all();
        let waited = moved.wait_timeout_while(queue, LAST_WAIT, |queue| queue.workers > 0);
        if waited.unwrap_or_else(PoisonError::into_inner).0.workers == 0 {
            // A worker that panicked has logged it.
            workers.into_iter().for_each(|worker| drop(worker.join()));
        } else {
            tracing::warn!("a job goes on while the program stops");
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop();
    }
}
