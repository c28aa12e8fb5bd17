//! How a thread that waits hears that there may be work: documents wait for vectors, sessions ended.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// What was heard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Nothing, for so long.
    #[default]
    Nothing,
    /// There may be work.
    Work,
    /// What stood in the way may be gone.
    Change,
}

/// Rung by whoever brings work, heard by one.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: Mutex<Heard>,
    heard: Condvar,
}

impl Bell {
    /// There may be work.
    pub(crate) fn ring(&self) {
        self.strike(Heard::Work);
    }

    /// Settings or keys are others: what failed may be tried again at once.
    pub(crate) fn ring_for_change(&self) {
        self.strike(Heard::Change);
    }

    fn strike(&self, what: Heard) {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        if *rung != Heard::Change {
            *rung = what;
        }
        self.heard.notify_one();
    }

    /// Waits until it is rung, or for so long.
    pub(crate) fn wait(&self, patience: Duration) -> Heard {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.heard.wait_timeout_while(rung, patience, |rung| *rung == Heard::Nothing);
        std::mem::take(&mut waited.unwrap_or_else(PoisonError::into_inner).0)
    }
}
