//! The thread that has sessions distilled: those that ended, and now and then those that nobody told of.
//! It only starts jobs; what they do is `distill`'s.

mod queue;
mod sweep;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use coffer_domain::time::Timestamp;
use coffer_env::clock;

use super::Jobs;
use crate::agents::Agents;
use crate::config::Settings;
use crate::distill::Distill;
use crate::error::{Error, Result};
use crate::knowledge::{Bell, Heard};
use crate::sessions::Sessions;
use queue::Queue;
use sweep::Sweep;

/// What it looks at.
#[derive(Clone)]
pub(crate) struct Desk {
    /// Where sessions wait.
    pub distill: Distill,
    /// Whose they are.
    pub agents: Agents,
    /// Whether they are still.
    pub sessions: Sessions,
    /// What the person wants.
    pub settings: Settings,
    /// Where the work is done.
    pub jobs: Jobs,
}

/// Ends the thread when it goes.
pub(crate) struct Distilling {
    bell: Arc<Bell>,
    stopped: Arc<AtomicBool>,
}

impl Desk {
    /// That of one home.
    pub(crate) fn of(
        (agents, distill): (&Agents, &Distill),
        sessions: &Sessions,
        settings: &Settings,
        jobs: &Jobs,
    ) -> Self {
        let (agents, distill, sessions) = (agents.clone(), distill.clone(), sessions.clone());
        Self { distill, agents, sessions, settings: settings.clone(), jobs: jobs.clone() }
    }

    /// Whether there is a model, and the day has tokens left for it.
    fn can_ask(&self) -> bool {
        self.settings.engine().is_some() && self.distill.has_tokens()
    }

    /// Starts the thread; `bell` is rung when a session ended, or when settings changed.
    ///
    /// # Errors
    ///
    /// No thread.
    pub(crate) fn watch(self, bell: &Arc<Bell>) -> Result<Arc<Distilling>> {
        let stopped = Arc::new(AtomicBool::new(false));
        let (heard, until) = (Arc::clone(bell), Arc::clone(&stopped));
        std::thread::Builder::new()
            .name("distilling".to_owned())
            .spawn(move || work(&self, &heard, &until))
            .map_err(|error| Error::Internal(format!("no thread for distilling: {error}")))?;
        Ok(Arc::new(Distilling { bell: Arc::clone(bell), stopped }))
    }
}

impl Distilling {
    /// Nothing more is started.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.bell.ring_for_change();
    }
}

impl Drop for Distilling {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(desk: &Desk, bell: &Bell, stopped: &AtomicBool) {
    let (mut queue, mut sweep) = (Queue::default(), Sweep::new(clock::instant()));
    let mut patience = Duration::ZERO;
    loop {
        let heard = bell.wait(patience);
        if stopped.load(Ordering::Acquire) {
            return;
        }
        if heard == Heard::Change {
            queue.forgive();
        }
        patience = queue.start_due(desk, clock::now(), clock::instant());
        patience = patience.min(sweep.start_due(desk, clock::now(), clock::instant()));
    }
}

/// So long before a moment.
fn before(moment: Timestamp, time: Duration) -> Timestamp {
    let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(moment.micros().saturating_sub(micros))
}
