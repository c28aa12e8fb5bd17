//! Taking turns: so many at once, and a waiting one can be cancelled.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::Rejected;

/// How often a waiting caller is asked whether it still wants.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Turns {
    free: Mutex<usize>,
    freed: Condvar,
}

/// One turn, given back when this is dropped.
pub(super) struct Turn<'a>(&'a Turns);

impl Turns {
    pub(super) fn new(at_once: usize) -> Self {
        Self { free: Mutex::new(at_once), freed: Condvar::new() }
    }

    /// Waits for a turn.
    pub(super) fn take(&self, cancelled: &dyn Fn() -> bool) -> Result<Turn<'_>, Rejected> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            if cancelled() {
                return Err(Rejected::Cancelled);
            }
            let waited = self.freed.wait_timeout(free, PAUSE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Ok(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_waits_until_one_is_done() {
        let turns = Turns::new(2);
        let (first, _second) = (turns.take(&|| false).unwrap(), turns.take(&|| false).unwrap());
        assert_eq!(turns.take(&|| true).err(), Some(Rejected::Cancelled));
        drop(first);
        assert!(turns.take(&|| true).is_ok());
    }
}
