//! Starting background work and following it to its end.

use coffer_api::distill::{DistillIn, DistillOut};
use coffer_api::error::{ErrorCode, ErrorDetails, ErrorOut};
use coffer_api::jobs::{JobKind, JobState, ProgressOut, WaitQuery};
use coffer_api::kb::IngestOut;
use coffer_api::organize::SkippedOut;
use coffer_api::routes;
use coffer_api::stores::ReindexOut;
use serde::{Deserialize, Serialize};

use crate::api::{self, Api, Started, with_query};
use crate::failure::Failure;
use crate::format::count;
use crate::time;

/// Milliseconds between two looks at a running job.
const PACE: i32 = 250;

/// What of a job the viewer shows. What other kinds of jobs give is passed over: reading all of it
/// would be a good part of the program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: JobKind,
    pub(crate) store: Option<String>,
    pub(crate) state: JobState,
    pub(crate) progress: ProgressOut,
    pub(crate) result: Option<Given>,
    pub(crate) error: Option<String>,
}

/// What a finished job gave, by its kind.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct Given {
    #[serde(default)]
    pub(crate) reindex: Option<ReindexOut>,
    #[serde(default)]
    pub(crate) ingest: Option<IngestOut>,
    #[serde(default)]
    pub(crate) organize: Option<Passed>,
    #[serde(default)]
    pub(crate) reorg: Option<Passed>,
    #[serde(default)]
    pub(crate) distill: Option<DistillOut>,
}

/// What a pass of the language model did, over inbox or topics.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Passed {
    pub(crate) status: PassStatus,
    #[serde(default)]
    pub(crate) items_processed: u64,
    #[serde(default)]
    pub(crate) topics_created: u64,
    #[serde(default)]
    pub(crate) topics_updated: u64,
    #[serde(default)]
    pub(crate) rules_appended: u64,
    #[serde(default)]
    pub(crate) rules_files_split: u64,
    #[serde(default)]
    pub(crate) skipped: u64,
    #[serde(default)]
    pub(crate) topics_before: u64,
    #[serde(default)]
    pub(crate) topics_after: u64,
    #[serde(default)]
    pub(crate) topics_written: u64,
    #[serde(default)]
    pub(crate) topics_superseded: u64,
    #[serde(default)]
    pub(crate) lost: Vec<String>,
    pub(crate) problems: Vec<SkippedOut>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PassStatus {
    Organized,
    Reorganized,
    Empty,
    NoModel,
    Budget,
    Unavailable,
}

impl Job {
    /// Whether it goes on.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self.state, JobState::Queued | JobState::Running)
    }
}

/// Jobs, newest first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Jobs {
    pub(crate) jobs: Vec<Job>,
}

/// Work that goes on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Begun {
    pub(crate) job: Job,
}

/// Reindexes at `address` (one store, or all) and tells `progress` as it goes.
pub(crate) async fn reindex(
    api: Api,
    address: &str,
    progress: impl Fn(&Job),
) -> Result<ReindexOut, Failure> {
    match carried_out(api, address, &(), progress).await? {
        Started::Done(reply) => api::parse(&reply),
        Started::Job(job) => outcome(*job, |given| given.reindex),
    }
}

/// Writes down what a session taught, and tells `progress` as it goes.
pub(crate) async fn distill(
    api: Api,
    address: &str,
    session: &DistillIn,
    progress: impl Fn(&Job),
) -> Result<DistillOut, Failure> {
    match carried_out(api, address, session, progress).await? {
        Started::Done(reply) => api::parse(&reply),
        Started::Job(job) => outcome(*job, |given| given.distill),
    }
}

/// Begins work and follows it to its end: what it gave at once, or the job that has ended.
async fn carried_out(
    api: Api,
    address: &str,
    body: &impl Serialize,
    progress: impl Fn(&Job),
) -> Result<Started, Failure> {
    let address = with_query(address, &WaitQuery { wait: Some(0) });
    match api.start(&address, body).await? {
        Started::Done(reply) => Ok(Started::Done(reply)),
        Started::Job(job) => follow(api, job, &progress).await.map(Started::Job),
    }
}

async fn follow(api: Api, mut job: Box<Job>, progress: &dyn Fn(&Job)) -> Result<Box<Job>, Failure> {
    while job.is_open() {
        progress(&job);
        time::sleep(PACE).await;
        job = api.get(&routes::fill(routes::JOB, &[&job.id])).await?;
    }
    Ok(job)
}

fn outcome<T>(job: Job, given: impl Fn(Given) -> Option<T>) -> Result<T, Failure> {
    let why = match (job.state, job.result.and_then(given)) {
        (_, Some(result)) => return Ok(result),
        (JobState::Cancelled, None) => "the work was stopped".to_owned(),
        (_, _) => job.error.unwrap_or_else(|| "the work gave no result".to_owned()),
    };
    let details = ErrorDetails::default();
    Err(Failure::Refused(Box::new(ErrorOut { code: ErrorCode::Internal, message: why, details })))
}

/// How far a job is, in a few words.
pub(crate) fn told(progress: &ProgressOut, [one, many]: [&str; 2]) -> String {
    match progress.total {
        Some(total) => format!("{} of {}", progress.done, count(total, one, many)),
        None => "Looking…".to_owned(),
    }
}

/// What a reindex did, as a sentence.
pub(crate) fn summary(result: &ReindexOut) -> String {
    let mut parts = vec![format!(
        "{} checked, {} indexed anew",
        count(result.documents_scanned, "file", "files"),
        result.documents_reindexed
    )];
    if result.documents_removed > 0 {
        parts.push(format!("{} gone", result.documents_removed));
    }
    if result.documents_skipped > 0 {
        parts.push(format!("{} unreadable: see Health in the settings", result.documents_skipped));
    }
    format!("{}.", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::jobs::{EmbedOut, JobOut, JobResult};

    const RESULT: ReindexOut = ReindexOut {
        documents_scanned: 12,
        documents_reindexed: 3,
        documents_skipped: 0,
        documents_removed: 0,
        documents_degraded: 0,
    };

    #[test]
    fn a_result_is_a_sentence() {
        assert_eq!(summary(&RESULT), "12 files checked, 3 indexed anew.");
        let rough = ReindexOut { documents_removed: 1, documents_skipped: 2, ..RESULT };
        assert_eq!(
            summary(&rough),
            "12 files checked, 3 indexed anew, 1 gone, 2 unreadable: see Health in the settings."
        );
    }

    #[test]
    fn a_job_of_the_wire_is_understood() {
        let job = |result| JobOut {
            id: "1".into(),
            kind: JobKind::Reindex,
            store: None,
            state: JobState::Done,
            progress: ProgressOut { done: 1, total: Some(1) },
            result,
            error: None,
            created_at: String::new(),
            finished_at: None,
        };
        let read = |result| -> Job {
            serde_json::from_value(serde_json::to_value(job(result)).unwrap()).unwrap()
        };
        let reindexed = read(Some(JobResult::Reindex(RESULT)));
        assert_eq!(outcome(reindexed, |given| given.reindex), Ok(RESULT));
        let embed = EmbedOut { passages: 1, waiting: 0, failure: None };
        let other = read(Some(JobResult::Embed(embed))).result;
        assert_eq!(other, Some(Given::default()));
        assert_eq!(read(None).result, None);
    }

    #[test]
    fn a_job_that_failed_says_why() {
        let job = r#"{"id":"1","kind":"reindex","store":null,"state":"failed",
            "progress":{"done":0,"total":null},"result":null,"error":"disk gone",
            "created_at":"2026-01-01T00:00:00Z","finished_at":null}"#;
        assert_eq!(
            outcome(serde_json::from_str(job).unwrap(), |given| given.reindex)
                .unwrap_err()
                .message(),
            "Disk gone."
        );
    }
}
