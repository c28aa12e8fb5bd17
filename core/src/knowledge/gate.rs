//! The stat gate: which files need not be read.

use crate::index::Known;
use crate::vault::{Dir, Stat};

/// A change within so many nanoseconds of its recording may hide behind an equal stat.
const RACY_NS: i64 = 2_000_000_000;

impl Known {
    /// Whether a file of this stat is surely the one that was read.
    pub(super) fn is_current(&self, stat: Stat) -> bool {
        let racy = stat.mtime_ns.max(stat.ctime_ns) > self.checked_ns - RACY_NS;
        self.stat == stat && !self.stale && !racy
    }

    /// Whether the file's bytes are still those that were indexed.
    pub(super) fn holds(&self, root: &Dir, path: &str) -> bool {
        matches!(root.read_at(path), Ok(Some(file)) if !self.stale && file.sha256() == self.file_sha256)
    }
}
