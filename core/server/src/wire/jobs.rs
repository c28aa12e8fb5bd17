//! Background work.

use coffer_api::jobs::{EmbedOut, JobKind, JobOut, JobResult, JobState, ProgressOut};
use coffer_api::status::QueueOut;
use coffer_core::jobs::{Job, JobOutput, JobRequest};
use coffer_core::memory::Embedded;

use super::distill::distilled;
use super::kb::ingested;
use super::models::model;
use super::organize::{organized, reorganized};
use super::purge::purged;
use super::stores::reindexed;
use super::transfer::{exported, imported};

/// A job.
pub(crate) fn job(job: Job) -> JobOut {
    let Job { id, request, state: stands, done, total, output, error, created_at, finished_at } =
        job;
    JobOut {
        id: id.to_string(),
        kind: kind(&request),
        store: request.store(),
        state: state(stands),
        progress: ProgressOut { done, total },
        result: output.map(result),
        error,
        created_at: created_at.to_string(),
        finished_at: finished_at.map(|time| time.to_string()),
    }
}

fn kind(request: &JobRequest) -> JobKind {
    match request {
        JobRequest::Reindex { .. } | JobRequest::ReindexBase(_) => JobKind::Reindex,
        JobRequest::IngestFolder(_) => JobKind::Ingest,
        JobRequest::Embed => JobKind::Embed,
        JobRequest::Export(_) => JobKind::Export,
        JobRequest::Import(_) => JobKind::Import,
        JobRequest::InstallModel(_) => JobKind::InstallModel,
        JobRequest::Purge(_) => JobKind::Purge,
        JobRequest::Organize(_) => JobKind::Organize,
        JobRequest::Reorg(_) => JobKind::Reorg,
        JobRequest::Distill(_) => JobKind::Distill,
    }
}

fn result(output: JobOutput) -> JobResult {
    match output {
        JobOutput::Reindexed(report) => JobResult::Reindex(reindexed(report)),
        JobOutput::Embedded(Embedded { passages, waiting, failure }) => {
            JobResult::Embed(EmbedOut { passages, waiting, failure })
        }
        JobOutput::Ingested(done) => JobResult::Ingest(ingested(done)),
        JobOutput::Exported(done) => JobResult::Export(exported(done)),
        JobOutput::Imported(done) => JobResult::Import(imported(done)),
        JobOutput::ModelInstalled(done) => JobResult::InstallModel(model(done)),
        JobOutput::Purged(done) => JobResult::Purge(purged(done)),
        JobOutput::Organized(done) => JobResult::Organize(organized(done)),
        JobOutput::Reorganized(done) => JobResult::Reorg(reorganized(done)),
        JobOutput::Distilled(done) => JobResult::Distill(distilled(done)),
    }
}

fn state(state: coffer_core::jobs::JobState) -> JobState {
    match state {
        coffer_core::jobs::JobState::Queued => JobState::Queued,
        coffer_core::jobs::JobState::Running => JobState::Running,
        coffer_core::jobs::JobState::Done => JobState::Done,
        coffer_core::jobs::JobState::Failed => JobState::Failed,
        coffer_core::jobs::JobState::Cancelled => JobState::Cancelled,
    }
}

/// How much waits and runs.
pub(crate) fn queue(jobs: &[Job]) -> QueueOut {
    let count = |state| jobs.iter().filter(|job| job.state == state).count() as u64;
    QueueOut {
        queued: count(coffer_core::jobs::JobState::Queued),
        running: count(coffer_core::jobs::JobState::Running),
    }
}
