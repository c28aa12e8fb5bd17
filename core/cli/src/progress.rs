//! Waiting for work that may go on as a job, with a bar on the terminal.

use std::thread;
use std::time::Duration;

use coffer_api::jobs::{JobOut, JobResult, JobState};
use coffer_api::routes;
use coffer_api::stores::ReindexOut;
use coffer_client::{Client, Work};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;

/// How often a job is asked for.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs a reindex to its end. Within a second nothing is shown; then a bar, if stderr is a
/// terminal. Interrupting the command leaves the job running.
pub(crate) fn reindex(client: &Client, path: &str) -> Result<ReindexOut, Failure> {
    let job = match client.work(path, 1)? {
        Work::Done(report) => return Ok(report),
        Work::Started(job) => *job,
    };
    match finish(client, job)?.result {
        Some(JobResult::Reindex(report)) => Ok(report),
        None => Err(Failure::Failed("the job ended without a result".to_owned())),
    }
}

fn finish(client: &Client, mut job: JobOut) -> Result<JobOut, Failure> {
    let bar = ProgressBar::new_spinner().with_style(style());
    let path = routes::fill(routes::JOB, &[&job.id]);
    loop {
        match job.state {
            JobState::Queued | JobState::Running => {}
            JobState::Done => break,
            JobState::Failed => {
                let reason = job.error.unwrap_or_else(|| "no reason was given".to_owned());
                return Err(Failure::Failed(reason));
            }
            JobState::Cancelled => return Err(Failure::Failed("the job was cancelled".to_owned())),
        }
        if let Some(total) = job.progress.total {
            bar.set_length(total);
        }
        bar.set_position(job.progress.done);
        thread::sleep(PAUSE);
        job = client.get(&path)?;
    }
    bar.finish_and_clear();
    Ok(job)
}

fn style() -> ProgressStyle {
    let template = "{spinner} {pos} of {len} [{bar:30}] {elapsed}";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
