//! Background work: list, look, cancel, and starting it with some patience.

use std::time::Duration;

use axum::Json as Out;
use axum::extract::{FromRef, State};
use axum::response::{IntoResponse as _, Response};
use coffer_api::error::ErrorCode;
use coffer_api::jobs::{JobOut, JobResult, JobStarted, JobState, JobsOut, WaitQuery};
use coffer_api::routes;
use coffer_core::jobs::{Job, JobRequest, Jobs};
use coffer_domain::store::StoreName;
use coffer_env::clock;
use http::StatusCode;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InJob, within};
use crate::wire::jobs;

/// How long one look at a job lasts; between two, a stopping server is noticed.
const LOOK: Duration = Duration::from_millis(250);

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(read, cancel))
}

/// Jobs, newest first.
#[utoipa::path(get, path = routes::JOBS, operation_id = "list_jobs", tag = "jobs",
    responses((status = 200, body = JobsOut)))]
async fn list(State(jobs): State<Jobs>) -> Reply<JobsOut> {
    let found = blocking(move || jobs.list()).await?;
    Ok(Out(JobsOut { jobs: found.into_iter().map(jobs::job).collect() }))
}

/// One job.
#[utoipa::path(get, path = routes::JOB, operation_id = "read_job", tag = "jobs",
    params(("id" = String, Path)), responses((status = 200, body = JobOut)))]
async fn read(State(jobs): State<Jobs>, InJob(id): InJob) -> Reply<JobOut> {
    let found = blocking(move || jobs.get(&id)).await?;
    Ok(Out(jobs::job(found)))
}

/// Cancel a job; one that has ended stays as it is.
#[utoipa::path(delete, path = routes::JOB, operation_id = "cancel_job", tag = "jobs",
    params(("id" = String, Path)), responses((status = 200, body = JobOut)))]
async fn cancel(State(jobs): State<Jobs>, InJob(id): InJob) -> Reply<JobOut> {
    let found = blocking(move || jobs.cancel(&id)).await?;
    Ok(Out(jobs::job(found)))
}

/// Starts jobs and waits for them, though not for ever.
#[derive(Clone)]
pub(super) struct Work {
    jobs: Jobs,
    stop: CancellationToken,
}

impl FromRef<App> for Work {
    fn from_ref(app: &App) -> Self {
        Self { jobs: app.jobs.clone(), stop: app.stop.clone() }
    }
}

impl Work {
    /// Reindexes one store, or all.
    pub(super) async fn reindex(
        self,
        store: Option<StoreName>,
        query: WaitQuery,
    ) -> Result<Response, Failure> {
        self.run(JobRequest::Reindex { store }, query).await
    }

    /// Does some work: what it did when it ends in time, else the job.
    pub(super) async fn run(
        self,
        request: JobRequest,
        query: WaitQuery,
    ) -> Result<Response, Failure> {
        let patience = within("wait", query.wait, 0..=600, 30)?;
        let jobs = self.jobs.clone();
        let job = blocking(move || jobs.start(request, clock::now())).await?;
        let job = self.wait(job, Duration::from_secs(patience.into())).await?;
        answer(jobs::job(job))
    }

    async fn wait(&self, mut job: Job, patience: Duration) -> Result<Job, Failure> {
        let until = clock::instant() + patience;
        while !job.state.has_ended() && !self.stop.is_cancelled() {
            let left = until.saturating_duration_since(clock::instant());
            if left.is_zero() {
                break;
            }
            let jobs = self.jobs.clone();
            job = blocking(move || jobs.wait(&job.id, left.min(LOOK))).await?;
        }
        Ok(job)
    }
}

fn answer(job: JobOut) -> Result<Response, Failure> {
    match (job.state, &job.result) {
        (JobState::Queued | JobState::Running, _) => {
            Ok((StatusCode::ACCEPTED, Out(JobStarted { job })).into_response())
        }
        (JobState::Done, Some(JobResult::Reindex(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Embed(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Ingest(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Export(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Import(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::InstallModel(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Purge(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Organize(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Reorg(done))) => Ok(Out(done).into_response()),
        (JobState::Done, Some(JobResult::Distill(done))) => Ok(Out(done).into_response()),
        (JobState::Done, None) => Err(Failure::internal(&"a job ended without a result")),
        (JobState::Failed, _) => {
            let reason = job.error.unwrap_or_else(|| "the job failed".to_owned());
            Err(Failure::new(ErrorCode::StoreUnavailable, reason))
        }
        (JobState::Cancelled, _) => Err(Failure::new(ErrorCode::Busy, "the job was cancelled")),
    }
}
