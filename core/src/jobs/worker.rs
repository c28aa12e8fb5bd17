//! The thread that runs jobs, and what it lets a job say.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use coffer_domain::id::Id;
use coffer_env::clock;

use super::job::{JobOutput, JobRequest, JobState, Lane};
use super::shared::Shared;
use crate::error::{Error, Result};

/// Progress is written and told at most so often.
const EVERY: Duration = Duration::from_millis(100);

/// How a running job tells how far it is, and hears that it shall end.
pub struct Progress {
    shared: Arc<Shared>,
    id: Id,
    told: Cell<Option<Instant>>,
}

impl Progress {
    /// Tells how many items are done, and how many there are once that is known. Never from
    /// within a transaction of the index.
    pub fn report(&self, done: u64, total: Option<u64>) {
        let recently = self.told.get().is_some_and(|at| at.elapsed() < EVERY);
        if recently && Some(done) != total {
            if let Some(job) = self.shared.lock().live.get_mut(&self.id) {
                (job.done, job.total) = (done, total);
            }
            return;
        }
        self.told.set(Some(clock::instant()));
        self.shared.change(&self.id, |job| (job.done, job.total) = (done, total));
    }

    /// Whether the job shall end at its next step.
    pub fn is_cancelled(&self) -> bool {
        let queue = self.shared.lock();
        queue.stopping || queue.cancelled.contains(&self.id)
    }
}

/// Runs the jobs of a lane until the program stops.
pub(super) fn work(
    shared: &Arc<Shared>,
    lane: Lane,
    run: &(dyn Fn(&JobRequest, &Progress) -> Result<JobOutput> + Send + Sync),
) {
    while let Some((id, request)) = next(shared, lane) {
        let progress =
            Progress { shared: Arc::clone(shared), id: id.clone(), told: Cell::new(None) };
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&request, &progress)));
        let outcome = outcome.unwrap_or_else(|_| {
            Err(Error::Internal("the job stopped by a fault of the program".to_owned()))
        });
        // A job that the program's end interrupts stays as it is and runs again.
        let is_interrupted = matches!(outcome, Err(Error::Cancelled)) && shared.lock().stopping;
        if !is_interrupted {
            shared.end(&id, outcome);
        }
    }
    shared.lock().workers -= 1;
    shared.moved.notify_all();
}

/// Waits for the next job of a lane; `None` when the program stops.
fn next(shared: &Shared, lane: Lane) -> Option<(Id, JobRequest)> {
    let mut queue = shared.lock();
    while !queue.stopping {
        if let Some(id) = queue.take(lane) {
            let request = queue.live.get(&id).map(|job| job.request.clone());
            drop(queue);
            if let Some(request) = request {
                shared.change(&id, |job| job.state = JobState::Running);
                return Some((id, request));
            }
            queue = shared.lock();
        } else {
            queue = shared.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
    None
}
