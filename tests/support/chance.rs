//! Chance that a seed gives again, and the choice between the quick set and the long one.

use std::time::{SystemTime, UNIX_EPOCH};

/// A stream of numbers (splitmix64); one seed gives one stream.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// A stream out of `COFFER_SEED`, else the clock; says which, so that a failure can be run again.
    pub fn told(test: &str) -> Self {
        let given = std::env::var("COFFER_SEED").ok().and_then(|seed| seed.parse().ok());
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let seed = given.unwrap_or_else(|| u64::try_from(clock() & 0xffff_ffff).unwrap());
        println!("{test}: COFFER_SEED={seed}");
        Self(seed)
    }

    /// Another stream, independent of this one.
    pub fn fork(&mut self) -> Self {
        Self(self.next())
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    /// `count` of the items in their order, spread over all of them; all when there are no more.
    pub fn sample<T>(&mut self, items: Vec<T>, count: usize) -> Vec<T> {
        let mut left = items.len();
        let mut wanted = count.min(left);
        let mut taken = Vec::with_capacity(wanted);
        for item in items {
            if self.below(left) < wanted {
                taken.push(item);
                wanted -= 1;
            }
            left -= 1;
        }
        taken
    }

    /// 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Whether the long set was asked for (`COFFER_TEST_LONG=1`).
pub fn is_long() -> bool {
    std::env::var_os("COFFER_TEST_LONG").is_some_and(|value| value == "1")
}

/// A count of the quick set, or of the long one.
pub fn count(quick: usize, long: usize) -> usize {
    if is_long() { long } else { quick }
}
