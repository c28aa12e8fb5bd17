//! Reindex: every file compared, whatever the kernel said.

use coffer_domain::store::StoreName;

use super::Memory;
use crate::error::Result;
use crate::knowledge::ReindexReport;

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
        let report = self.knowledge().reindex(&self.store_ref(store), progress)?;
        self.changed(store);
        Ok(report)
    }
}
