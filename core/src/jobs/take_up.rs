//! Work whose record outlived the table of jobs.

use coffer_domain::time::Timestamp;

use super::{JobRequest, Jobs};
use crate::error::Result;
use crate::purge::Purge;

impl Jobs {
    /// Goes on with purges that no table knows of, since the database was lost meanwhile, and
    /// forgets those that ended.
    ///
    /// # Errors
    ///
    /// An index that cannot be read or written.
    pub(crate) fn take_up(&self, purge: &Purge, now: Timestamp) -> Result<()> {
        for waiting in purge.waiting() {
            let request = JobRequest::Purge(waiting.clone());
            match self.list()?.into_iter().find(|job| job.request == request) {
                Some(job) if job.state.has_ended() => purge.forget(&waiting),
                None if waiting.dry_run => purge.forget(&waiting),
                None => drop(self.start(request, now)?),
                Some(_) => {}
            }
        }
        Ok(())
    }
}
