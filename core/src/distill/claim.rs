//! One reads a session at a time: whoever asks for the same one waits, and then finds it read.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Sessions that are being read, by agent and id.
#[derive(Default)]
pub(super) struct Claims {
    taken: Mutex<HashSet<(String, String)>>,
    given_back: Condvar,
}

/// A session that nobody else reads meanwhile.
pub(super) struct Claim<'c> {
    claims: &'c Claims,
    key: (String, String),
}

impl Claims {
    /// Waits until nobody reads a session, and takes it.
    pub(super) fn take(&self, agent: &str, session: &str) -> Claim<'_> {
        let key = (agent.to_owned(), session.to_owned());
        let taken = self.given_back.wait_while(self.lock(), |taken| taken.contains(&key));
        taken.unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        Claim { claims: self, key }
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<(String, String)>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.claims.lock().remove(&self.key);
        self.claims.given_back.notify_all();
    }
}
