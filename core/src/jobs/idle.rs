//! The timer that organizes a store after it was quiet, where the person wants that: armed by each write,
//! pushed back by the next.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use coffer_domain::store::StoreName;
use coffer_env::clock;

use super::{JobRequest, Jobs};
use crate::config::Settings;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// So long at most it does not look at the settings.
const LONGEST: Duration = Duration::from_secs(60);

/// Told of writes.
#[derive(Clone)]
pub(crate) struct Idle(Sender<Told>);

enum Told {
    Wrote(StoreName),
    Stop,
}

/// Ends the thread when it goes.
pub(crate) struct IdleWatch(Idle);

impl Idle {
    /// A timer, and what its thread is started with once there are jobs.
    pub(crate) fn new() -> (Self, Writes) {
        let (send, receive) = channel();
        (Self(send.clone()), Writes { idle: Self(send), told: receive })
    }

    /// A fact of a store was written, changed or deleted.
    pub(crate) fn wrote(&self, store: &StoreName) {
        // Without the thread nobody waits for it.
        let _ = self.0.send(Told::Wrote(store.clone()));
    }
}

impl Drop for IdleWatch {
    fn drop(&mut self) {
        let _ = self.0.0.send(Told::Stop);
    }
}

/// The writes that the thread is told of.
pub(crate) struct Writes {
    idle: Idle,
    told: Receiver<Told>,
}

impl Writes {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// No thread.
    pub(crate) fn watch(
        self,
        jobs: &Jobs,
        settings: &Settings,
        engine: &Engine,
    ) -> Result<IdleWatch> {
        let Self { idle, told } = self;
        let (jobs, settings, engine) = (jobs.clone(), settings.clone(), engine.clone());
        std::thread::Builder::new()
            .name("idle".to_owned())
            .spawn(move || work(&told, &jobs, &settings, &engine))
            .map_err(|error| Error::Internal(format!("no thread for the timer: {error}")))?;
        Ok(IdleWatch(idle))
    }
}

fn work(told: &Receiver<Told>, jobs: &Jobs, settings: &Settings, engine: &Engine) {
    let mut quiet_since: HashMap<StoreName, Instant> = HashMap::new();
    loop {
        let wish = settings.get().auto_organize;
        let idle = Duration::from_secs(wish.idle_seconds.into());
        let now = clock::instant();
        let next = quiet_since.values().map(|since| *since + idle).min();
        let wait = next.map_or(LONGEST, |due| due.saturating_duration_since(now)).min(LONGEST);
        match told.recv_timeout(wait) {
            Ok(Told::Wrote(store)) => drop(quiet_since.insert(store, clock::instant())),
            Err(RecvTimeoutError::Timeout) => {
                let now = clock::instant();
                quiet_since.retain(|store, since| {
                    let is_due = now.saturating_duration_since(*since) >= idle;
                    if is_due && wish.enabled && engine.is_configured() {
                        organize(jobs, store);
                    }
                    !is_due
                });
            }
            Ok(Told::Stop) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn organize(jobs: &Jobs, store: &StoreName) {
    if let Err(error) = jobs.start(JobRequest::Organize(store.clone()), clock::now()) {
        tracing::warn!(%store, %error, "no job to organize could be started");
    }
}
