//! What the engine may cost a day. Tokens are set aside before a model is asked, so that jobs that ask at
//! the same time stay below the cap together, and counted afterwards by what the provider says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coffer_domain::time::Timestamp;

use super::{EngineFailure, Spent};
use crate::config::Settings;
use crate::error::{Error, Result};
use crate::index::{self, Index};

/// The day's tokens.
pub(super) struct Budget {
    settings: Settings,
    index: Arc<Index>,
    today: Mutex<Today>,
}

#[derive(Default)]
struct Today {
    day: String,
    /// What was settled today: also what could not be written down.
    used: u64,
    set_aside: u64,
}

/// Tokens that were set aside; they come back when it is let go of.
pub(super) struct Reserved {
    budget: Arc<Budget>,
    day: String,
    tokens: u64,
}

impl Budget {
    pub(super) fn new(settings: Settings, index: Arc<Index>) -> Self {
        Self { settings, index, today: Mutex::default() }
    }

    pub(super) fn spent(&self, now: Timestamp) -> Result<Spent> {
        let used = self.today(now).map_err(Error::index)?.used;
        Ok(Spent { tokens: used, cap: self.settings.get().daily_token_cap })
    }

    /// Sets tokens aside, if the day has as many left.
    pub(super) fn reserve(
        self: &Arc<Self>,
        tokens: u64,
        now: Timestamp,
    ) -> Result<Reserved, EngineFailure> {
        let cap = self.settings.get().daily_token_cap;
        let today = self.today(now);
        let mut today = today
            .map_err(|failure| EngineFailure::Unavailable(Error::index(failure).to_string()))?;
        let used = today.used;
        if used.saturating_add(today.set_aside).saturating_add(tokens) > cap {
            return Err(EngineFailure::Budget { used, cap });
        }
        today.set_aside += tokens;
        Ok(Reserved { budget: Arc::clone(self), day: today.day.clone(), tokens })
    }

    /// The day as it stands; a new one begins with what the index has of it.
    fn today(&self, now: Timestamp) -> Result<MutexGuard<'_, Today>, index::Failure> {
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now.day();
        if today.day != day {
            let read = || self.index.read(|db| index::tokens_of(db, &day));
            let used = match read() {
                Err(index::Failure::Replaced(_)) => read()?,
                other => other?,
            };
            *today = Today { day, used, set_aside: 0 };
        }
        Ok(today)
    }
}

impl Reserved {
    /// Counts what it really cost.
    pub(super) fn settle(self, tokens: u64) {
        let mut today = self.budget.today.lock().unwrap_or_else(PoisonError::into_inner);
        if today.day == self.day {
            today.used = today.used.saturating_add(tokens);
        }
        drop(today);
        let written = self.budget.index.write(|tx| index::add_tokens(tx, &self.day, tokens));
        if let Err(failure) = written {
            tracing::warn!(?failure, "what the engine cost could not be written down");
        }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut today = self.budget.today.lock().unwrap_or_else(PoisonError::into_inner);
        if today.day == self.day {
            today.set_aside = today.set_aside.saturating_sub(self.tokens);
        }
    }
}
