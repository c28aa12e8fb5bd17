//! What each kind of job does.

use coffer_env::clock;

use super::{JobOutput, JobRequest, Progress};
use crate::error::Result;
use crate::memory::{Memory, ReindexReport};
use crate::models::Models;
use crate::purge::Purge;

/// Does what a job is asked to.
pub(crate) fn carry_out(
    memory: &Memory,
    (models, purge): (&Models, &Purge),
    request: &JobRequest,
    progress: &Progress,
) -> Result<JobOutput> {
    let told = |done: u64, total: u64| {
        progress.report(done, Some(total));
        !progress.is_cancelled()
    };
    match request {
        JobRequest::Reindex { store } => {
            let stores = match store {
                Some(store) => vec![store.clone()],
                None => memory.stores()?.into_iter().map(|store| store.name).collect(),
            };
            let mut report = ReindexReport::default();
            for store in stores {
                report += memory.reindex(&store, &told)?;
            }
            Ok(JobOutput::Reindexed(report))
        }
        JobRequest::Embed => memory.embed(&told).map(JobOutput::Embedded),
        JobRequest::Export(request) => {
            memory.export(request, clock::now(), &told).map(JobOutput::Exported)
        }
        JobRequest::Import(request) => {
            memory.import(request, clock::now(), &told).map(JobOutput::Imported)
        }
        JobRequest::InstallModel(install) => {
            models.install(install, &told).map(JobOutput::ModelInstalled)
        }
        JobRequest::Purge(request) => {
            purge.run(request, clock::now(), &told).map(JobOutput::Purged)
        }
    }
}
