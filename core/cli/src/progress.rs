//! Waiting for work that may go on as a job, with a bar on the terminal.

use std::thread;
use std::time::Duration;

use coffer_api::jobs::{JobKind, JobOut, JobResult, JobState};
use coffer_api::routes;
use coffer_api::stores::ReindexOut;
use coffer_client::{Client, Work};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;

/// How many seconds the first answer may take.
pub(crate) const FIRST: u32 = 1;
/// How often a job is asked for.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs a reindex to its end.
pub(crate) fn reindex(client: &Client, path: &str) -> Result<ReindexOut, Failure> {
    follow(client, client.work(path, FIRST)?, |result| {
        if let JobResult::Reindex(report) = result { Some(report) } else { None }
    })
}

/// Follows work to its end. Within a second nothing is shown; then a bar, if stderr is a terminal.
/// Interrupting the command leaves the job running.
pub(crate) fn follow<T>(
    client: &Client,
    work: Work<T>,
    result: impl FnOnce(JobResult) -> Option<T>,
) -> Result<T, Failure> {
    let job = match work {
        Work::Done(report) => return Ok(report),
        Work::Started(job) => *job,
    };
    let result = finish(client, job)?.result.and_then(result);
    result.ok_or_else(|| Failure::Failed("the job ended without a result".to_owned()))
}

/// Does something that says nothing until it is done: after a moment a turning sign stands on the
/// terminal.
pub(crate) fn meanwhile<T, E>(what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let template = "{spinner} {msg} … {elapsed}";
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_message(what.to_owned());
    bar.enable_steady_tick(PAUSE);
    let done = work();
    bar.finish_and_clear();
    done
}

fn finish(client: &Client, mut job: JobOut) -> Result<JobOut, Failure> {
    let bar = ProgressBar::new_spinner().with_style(style(job.kind));
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

fn style(kind: JobKind) -> ProgressStyle {
    let template = match kind {
        JobKind::Reindex
        | JobKind::Ingest
        | JobKind::Embed
        | JobKind::Export
        | JobKind::Import
        | JobKind::Purge
        | JobKind::Organize
        | JobKind::Reorg => "{spinner} {pos} of {len} [{bar:30}] {elapsed}",
        // A model says nothing until it is done.
        JobKind::Distill => "{spinner} asking the model … {elapsed}",
        JobKind::InstallModel => "{spinner} {bytes} of {total_bytes} [{bar:30}] {elapsed}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::os::unix::net::UnixListener;

    use coffer_client::{Versions, find};
    use coffer_env::Home;

    use super::*;

    const JOB: &str = r#"{"id":"j","kind":"reindex","store":null,"progress":{"done":1,"total":2},"created_at":"t","finished_at":null"#;
    const REPORT: &str = r#"{"documents_scanned":2,"documents_reindexed":1,"documents_skipped":0,"documents_removed":0,"documents_degraded":0}"#;

    /// Answers each connection with the next reply.
    fn server(home: &Home, replies: Vec<(u16, String)>) {
        std::fs::create_dir_all(home.run()).unwrap();
        let listener = UnixListener::bind(home.socket()).unwrap();
        thread::spawn(move || {
            for (status, body) in replies {
                let mut stream = BufReader::new(listener.accept().unwrap().0);
                let mut line = String::new();
                while stream.read_line(&mut line).unwrap() > 2 {
                    line.clear();
                }
                let length = body.len();
                let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n\r\n");
                stream.get_mut().write_all((head + &body).as_bytes()).unwrap();
            }
        });
    }

    fn run(replies: &[(u16, String)]) -> Result<ReindexOut, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let health = r#"{"status":"ok","name":"coffer","version":"0"}"#.to_owned();
        server(&home, [&[(200, health)], replies].concat());
        let client = find(&home, Versions::Any)?;
        reindex(&client, "/reindex")
    }

    fn job(state: &str, rest: &str) -> String {
        format!(r#"{JOB},"state":"{state}",{rest}}}"#)
    }

    #[test]
    fn a_job_is_followed_to_its_end() {
        let none = r#""result":null,"error":null"#;
        let started = (202, format!(r#"{{"job":{}}}"#, job("queued", none)));
        let running = (200, job("running", none));
        let done = (200, job("done", &format!(r#""result":{{"reindex":{REPORT}}},"error":null"#)));
        let failed = (200, job("failed", r#""result":null,"error":"the disk is full""#));
        let cancelled = (200, job("cancelled", none));

        let at_once = run(&[(200, REPORT.to_owned())]).unwrap();
        assert_eq!(run(&[started.clone(), running.clone(), done]).unwrap(), at_once);
        for (end, said) in [(failed, "the disk is full"), (cancelled, "cancelled")] {
            let error = run(&[started.clone(), running.clone(), end]).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}
