//! The thread that keeps vectors up: what little waits at once, what much waits as a job.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use coffer_env::clock;

use super::{JobRequest, JobState, Jobs};
use crate::error::{Error, Result};
use crate::kb::KnowledgeBases;
use crate::knowledge::{Heard, Left};
use crate::memory::Memory;

/// Without being told, it looks so often.
const PATIENCE: Duration = Duration::from_hours(1);
/// After a failure it tries again after so long, and twice as long each time.
const FIRST: Duration = Duration::from_secs(15);
/// At most so long.
const LAST: Duration = Duration::from_mins(10);

/// Ends the thread when it goes.
pub(crate) struct Embedding {
    memory: Memory,
    stopped: Arc<AtomicBool>,
}

impl Embedding {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// No thread.
    pub(crate) fn start(memory: &Memory, kb: &KnowledgeBases, jobs: &Jobs) -> Result<Self> {
        let stopped = Arc::new(AtomicBool::new(false));
        let (of_thread, until) = (memory.clone(), Arc::clone(&stopped));
        let (jobs, kb) = (jobs.clone(), kb.clone());
        std::thread::Builder::new()
            .name("embedding".to_owned())
            .spawn(move || work((&of_thread, &kb), &jobs, &until))
            .map_err(|error| Error::Internal(format!("no thread for embedding: {error}")))?;
        Ok(Self { memory: memory.clone(), stopped })
    }
}

impl Drop for Embedding {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Release);
        self.memory.ring_for_change();
    }
}

fn work((memory, kb): (&Memory, &KnowledgeBases), jobs: &Jobs, stopped: &AtomicBool) {
    let mut asked = None;
    // After a failure: it rests, however much is written meanwhile.
    let (mut rest, mut rests_until) = (None, clock::instant());
    loop {
        let left = rests_until.saturating_duration_since(clock::instant());
        let heard = memory.await_embedding(rest.map_or(PATIENCE, |_| left));
        if stopped.load(Ordering::Acquire) {
            return;
        }
        if heard == Heard::Work && clock::instant() < rests_until {
            continue;
        }
        let left = memory.embed_few().and_then(|left| Ok(left.max(kb.embed_few()?)));
        if let Err(error) = &left {
            tracing::warn!(%error, "vectors could not be brought up");
        }
        if matches!(left, Ok(Left::Much)) {
            start_job(memory, jobs, &mut asked);
        }
        rest = match left {
            Ok(Left::Nothing) => None,
            Ok(Left::Much | Left::Failed) | Err(_) => {
                Some(rest.map_or(FIRST, |rest: Duration| (rest * 2).min(LAST)))
            }
        };
        rests_until = clock::instant() + rest.unwrap_or_default();
    }
}

/// Starts the job, unless a person ended the one that was started for the same model.
fn start_job(memory: &Memory, jobs: &Jobs, asked: &mut Option<String>) {
    let model = memory.embedding_model();
    let newest = jobs.list().unwrap_or_default();
    let newest = newest.into_iter().find(|job| job.request == JobRequest::Embed);
    let is_declined = newest.is_some_and(|job| job.state == JobState::Cancelled);
    if is_declined && *asked == model {
        return;
    }
    *asked = model;
    if let Err(error) = jobs.start(JobRequest::Embed, clock::now()) {
        tracing::warn!(%error, "no job for vectors could be started");
    }
}
