//! Calls under way: how many there may be, and waiting for the last.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// As many calls at once as anybody makes; more wait on stdin.
const LIMIT: usize = 64;

/// The count of calls under way.
#[derive(Debug, Default)]
pub(super) struct Pending {
    count: Mutex<usize>,
    changed: Condvar,
}

/// One call under way, until it is dropped.
#[derive(Debug)]
pub(super) struct Ticket(Arc<Pending>);

impl Pending {
    /// Counts one more call, once there is room for it.
    pub(super) fn enter(self: &Arc<Self>) -> Ticket {
        let count = self.lock();
        let mut count = self
            .changed
            .wait_while(count, |count| *count >= LIMIT)
            .unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        Ticket(Arc::clone(self))
    }

    /// Waits until none is left, or the time is over.
    pub(super) fn drain(&self, patience: Duration) {
        let _ = self.changed.wait_timeout_while(self.lock(), patience, |count| *count > 0);
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.changed.notify_all();
    }
}
