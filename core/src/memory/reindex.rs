//! Reindex: every file compared, whatever the kernel said.

use coffer_domain::store::StoreName;

use super::Memory;
use crate::error::Result;
use crate::index::waiting;

/// What a reindex did.
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
    /// Documents that wait for vectors.
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

impl Memory {
    /// Compares every file of a store with the index. What is gone counts as deleted, however much
    /// it is: this is how a person says so. `progress` is told done and total, and ends the work
    /// by `false`.
    ///
    /// # Errors
    ///
    /// Files or index that cannot be read; `Cancelled`.
    pub fn reindex(
        &self,
        store: &StoreName,
        progress: &dyn Fn(u64, u64) -> bool,
    ) -> Result<ReindexReport> {
        let at = self.store_ref(store);
        let done = self.knowledge().reindex(&at, progress)?;
        let degraded = self.knowledge().fresh(&at, |db| waiting(db, &at.scope))?;
        self.changed(store);
        Ok(ReindexReport {
            scanned: done.scanned,
            reindexed: done.reindexed,
            skipped: done.skipped,
            removed: done.removed,
            degraded,
        })
    }
}
