//! Durations of many calls, and what they come to.

use std::time::{Duration, Instant};

/// Durations, sorted.
pub(crate) struct Spread(Vec<Duration>);

impl Spread {
    /// Times each call.
    pub(crate) fn of(
        count: usize,
        mut call: impl FnMut(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let mut times = Vec::with_capacity(count);
        for number in 0..count {
            let began = Instant::now();
            call(number)?;
            times.push(began.elapsed());
        }
        times.sort_unstable();
        Ok(Self(times))
    }

    /// The time that this share of the calls stayed below, in milliseconds.
    pub(crate) fn ms(&self, share: f64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an index into a short list"
        )]
        let at = (self.0.len() as f64 * share) as usize;
        self.0.get(at.min(self.0.len() - 1)).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
    }
}
