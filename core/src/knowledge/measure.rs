//! How much the folders take that the index knows nothing of: retired versions, originals.

use std::time::{Duration, Instant};

use coffer_env::clock;

use super::{Knowledge, StoreRef, locked};
use crate::vault::{Dir, Walk, walk};

/// From so many files on they are not counted for each who asks.
const MANY: usize = 1_000;
/// What was counted of many files is good for so long.
const TRUST: Duration = Duration::from_secs(10);

/// What was measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    at: Instant,
    bytes: u64,
    files: usize,
}

impl Measured {
    fn is_good_enough(self, now: Instant) -> bool {
        self.files > MANY && now.duration_since(self.at) < TRUST
    }
}

impl Knowledge {
    /// Bytes of the files in folders of a store, always the same ones; many files are measured once in
    /// ten seconds.
    pub(crate) fn bytes_in(&self, store: &StoreRef, dir: &Dir, folders: &[&str]) -> u64 {
        let (state, now) = (self.state(store), clock::instant());
        let known = *locked(&state.measured);
        if let Some(known) = known.filter(|known| known.is_good_enough(now)) {
            return known.bytes;
        }
        let found = walk(dir, folders, |_| true);
        let bytes = bytes(&found);
        *locked(&state.measured) = Some(Measured { at: now, bytes, files: found.files.len() });
        bytes
    }
}

/// Bytes of all files that were found.
pub(crate) fn bytes(found: &Walk) -> u64 {
    found.files.iter().map(|file| file.stat.size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_measured_once_in_ten_seconds() {
        let at = clock::instant();
        for (files, after, is_good) in [(1_000, 0, false), (1_001, 0, true), (1_001, 10, false)] {
            let measured = Measured { at, bytes: 1, files };
            let now = at + Duration::from_secs(after);
            assert_eq!(measured.is_good_enough(now), is_good, "{files} {after}");
        }
    }
}
