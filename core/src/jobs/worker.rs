//! The thread that runs jobs, and what it lets a job say.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use coffer_domain::id::Id;
use coffer_env::clock;

use super::{JobOutput, JobRequest, JobState, Shared};
use crate::error::{Error, Result};

/// Progress is told at most so often.
const EVERY: Duration = Duration::from_millis(100);

/// How a running job tells how far it is, and hears that it shall end.
pub struct Progress {
    shared: Arc<Shared>,
    id: Id,
    told: Cell<Option<Instant>>,
}

impl Progress {
    /// Tells how many items are done, and how many there are once that is known.
    pub fn report(&self, done: u64, total: Option<u64>) {
        let recently = self.told.get().is_some_and(|at| at.elapsed() < EVERY);
        if recently && Some(done) != total {
            return;
        }
        self.told.set(Some(clock::instant()));
        let mut queue = self.shared.lock();
        let Some(job) = queue.live.get_mut(&self.id) else { return };
        (job.done, job.total) = (done, total);
        let job = job.clone();
        drop(queue);
        (self.shared.on_event)(job);
    }

    /// Whether the job shall end at its next step.
    pub fn is_cancelled(&self) -> bool {
        let queue = self.shared.lock();
        queue.stopping || queue.cancelled.as_ref() == Some(&self.id)
    }
}

/// Runs jobs until the program stops.
pub(super) fn work(
    shared: &Weak<Shared>,
    run: &dyn Fn(&JobRequest, &Progress) -> Result<JobOutput>,
) {
    while let Some(shared) = shared.upgrade() {
        let Some((id, request)) = next(&shared) else { return };
        let progress =
            Progress { shared: Arc::clone(&shared), id: id.clone(), told: Cell::new(None) };
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&request, &progress)));
        let outcome = outcome.unwrap_or_else(|_| {
            Err(Error::Internal("the job stopped by a fault of the program".to_owned()))
        });
        // A job that the program's end interrupts stays as it is and runs again.
        let interrupted = matches!(outcome, Err(Error::Cancelled)) && shared.lock().stopping;
        if !interrupted {
            shared.end(&id, outcome);
        }
    }
}

/// Waits for the next job; `None` when the program stops.
fn next(shared: &Shared) -> Option<(Id, JobRequest)> {
    let mut queue = shared.lock();
    loop {
        if queue.stopping {
            return None;
        }
        if let Some(id) = queue.waiting.pop_front() {
            queue.cancelled = None;
            let Some(job) = queue.live.get_mut(&id) else { continue };
            job.state = JobState::Running;
            let job = job.clone();
            drop(queue);
            if let Err(failure) = shared.keep(&job) {
                tracing::warn!(?failure, "the start of a job could not be noted");
            }
            (shared.on_event)(job.clone());
            return Some((id, job.request));
        }
        queue = shared.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}
