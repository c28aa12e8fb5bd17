//! The clock and the source of randomness. Surfaces ask here and pass the answers inward.

use coffer_domain::id::Id;
use coffer_domain::time::Timestamp;

/// The moment and the id of one operation.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// When it happens.
    pub now: Timestamp,
    /// The id of what it makes.
    pub id: Id,
}

impl Stamp {
    /// This moment, and a new id of it.
    pub fn new() -> Self {
        let now = now();
        Self { now, id: new_id(now) }
    }
}

impl Default for Stamp {
    fn default() -> Self {
        Self::new()
    }
}

/// This moment; a clock before 1970 counts as 1970.
pub fn now() -> Timestamp {
    let since =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// A new id of a moment.
pub fn new_id(now: Timestamp) -> Id {
    Id::new(now.unix_millis(), u128::from_ne_bytes(random()))
}

/// Random bytes of the system.
///
/// # Panics
///
/// When the system has no randomness, which no key or id could survive.
#[expect(clippy::expect_used, reason = "without randomness no key may be made")]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a source of randomness");
    bytes
}

/// A point of the monotonic clock, for measuring how long something takes.
pub fn instant() -> std::time::Instant {
    std::time::Instant::now()
}
