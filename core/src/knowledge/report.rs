//! What a comparison of files with the index did.

/// What a comparison did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReindexReport {
    /// Files looked at.
    pub scanned: u64,
    /// Files indexed anew.
    pub reindexed: u64,
    /// Files that could not be read.
    pub skipped: u64,
    /// Rows whose file is gone.
    pub removed: u64,
    /// Documents that wait for vectors, where it was counted.
    pub degraded: u64,
}

impl std::ops::AddAssign for ReindexReport {
    fn add_assign(&mut self, other: Self) {
        self.scanned += other.scanned;
        self.reindexed += other.reindexed;
        self.skipped += other.skipped;
        self.removed += other.removed;
        self.degraded += other.degraded;
    }
}
