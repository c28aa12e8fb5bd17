//! Jobs over a real database.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;

const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);

fn index(temp: &tempfile::TempDir) -> Arc<Index> {
    Arc::new(Index::open(&temp.path().join("coffer.db"), NOW).unwrap())
}

fn all() -> JobRequest {
    JobRequest::Reindex { store: None }
}

fn global() -> JobRequest {
    JobRequest::Reindex { store: Some(StoreName::Global) }
}

#[test]
fn a_job_runs_once_and_tells_how_it_went() {
    let temp = tempfile::tempdir().unwrap();
    let runs = Arc::new(AtomicUsize::new(0));
    let go = Arc::new(AtomicBool::new(false));
    let (counted, gate) = (Arc::clone(&runs), Arc::clone(&go));
    let run = move |_: &JobRequest, progress: &Progress| {
        counted.fetch_add(1, Ordering::SeqCst);
        while !gate.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        progress.report(3, Some(3));
        Ok(JobOutput::Reindexed(ReindexReport { scanned: 3, ..ReindexReport::default() }))
    };
    let jobs = Jobs::open(index(&temp), run, |_| {}).unwrap();
    let first = jobs.start(all(), NOW).unwrap();
    assert_eq!(jobs.start(all(), NOW).unwrap().id, first.id);
    assert!(!jobs.wait(&first.id, Duration::from_millis(20)).unwrap().state.has_ended());
    go.store(true, Ordering::SeqCst);
    let done = jobs.wait(&first.id, Duration::from_secs(10)).unwrap();
    assert_eq!((done.state, done.done, done.total), (JobState::Done, 3, Some(3)));
    assert!(matches!(done.output, Some(JobOutput::Reindexed(report)) if report.scanned == 3));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    assert_eq!(jobs.list().unwrap(), [done]);
    assert!(matches!(jobs.get(&clock::new_id(NOW)), Err(Error::JobNotFound(_))));
    jobs.stop();
}

#[test]
fn waiting_and_running_jobs_can_be_cancelled() {
    let temp = tempfile::tempdir().unwrap();
    let run = |_: &JobRequest, progress: &Progress| {
        while !progress.is_cancelled() {
            std::thread::yield_now();
        }
        Err(Error::Cancelled)
    };
    let jobs = Jobs::open(index(&temp), run, |_| {}).unwrap();
    let running = jobs.start(all(), NOW).unwrap();
    let waiting = jobs.start(global(), NOW).unwrap();
    while jobs.get(&running.id).unwrap().state == JobState::Queued {
        std::thread::yield_now();
    }
    assert_eq!(jobs.cancel(&waiting.id).unwrap().state, JobState::Cancelled);
    jobs.cancel(&running.id).unwrap();
    let ended = jobs.wait(&running.id, Duration::from_secs(10)).unwrap();
    assert_eq!(ended.state, JobState::Cancelled);
    jobs.stop();
}

#[test]
fn an_interrupted_job_runs_again_and_a_fault_is_a_failure() {
    let temp = tempfile::tempdir().unwrap();
    let index = index(&temp);
    let stuck = |_: &JobRequest, progress: &Progress| {
        while !progress.is_cancelled() {
            std::thread::yield_now();
        }
        Err(Error::Cancelled)
    };
    let jobs = Jobs::open(Arc::clone(&index), stuck, |_| {}).unwrap();
    let job = jobs.start(global(), NOW).unwrap();
    jobs.stop();
    drop(jobs);
    let faulty = |_: &JobRequest, _: &Progress| panic!("a fault");
    let jobs = Jobs::open(index, faulty, |_| {}).unwrap();
    let ended = jobs.wait(&job.id, Duration::from_secs(10)).unwrap();
    assert_eq!(ended.state, JobState::Failed);
    assert!(ended.error.is_some());
    jobs.stop();
}
