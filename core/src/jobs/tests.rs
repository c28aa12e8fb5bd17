//! Jobs over a real database.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use coffer_domain::store::StoreName;

use super::*;
use crate::distill::{Asked, DistillRequest};
use crate::memory::ReindexReport;

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
fn what_waits_for_a_model_holds_up_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    let long = [JobRequest::Embed, JobRequest::Organize(StoreName::Global)];
    let takes_long = long.clone();
    let run = move |request: &JobRequest, progress: &Progress| {
        let is_long = takes_long.contains(request);
        while is_long && !progress.is_cancelled() {
            std::thread::yield_now();
        }
        if is_long { Err(Error::Cancelled) } else { Ok(NOTHING) }
    };
    let jobs = Jobs::open(index(&temp), run, |_| {}).unwrap();
    let long = long.map(|request| jobs.start(request, NOW).unwrap().id);
    let (agent, session) = ("codex".to_owned(), "s1".to_owned());
    let session = DistillRequest { agent, session, asked: Asked::Ended, preview: false };
    for quick in [all(), JobRequest::Distill(session)] {
        let quick = jobs.start(quick, NOW).unwrap();
        let done = jobs.wait(&quick.id, Duration::from_secs(10)).unwrap();
        assert_eq!(done.state, JobState::Done);
    }
    for id in long {
        assert!(!jobs.get(&id).unwrap().state.has_ended());
        jobs.cancel(&id).unwrap();
        let ended = jobs.wait(&id, Duration::from_secs(10)).unwrap();
        assert_eq!(ended.state, JobState::Cancelled);
    }
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

const NOTHING: JobOutput = JobOutput::Reindexed(ReindexReport {
    scanned: 0,
    reindexed: 0,
    skipped: 0,
    removed: 0,
    degraded: 0,
});

/// What a killed program leaves behind.
#[test]
fn jobs_that_a_crash_interrupted_run_again_in_their_order() {
    let temp = tempfile::tempdir().unwrap();
    let index = index(&temp);
    let later = Timestamp::from_micros(NOW.micros() + 1);
    let mut first = Job::new(clock::new_id(NOW), global(), NOW);
    (first.state, first.done, first.total) = (JobState::Running, 7, Some(9));
    let second = Job::new(clock::new_id(later), all(), later);
    let mut unknown = second.row();
    (unknown.id, unknown.kind) = (clock::new_id(later).to_string(), "of-a-newer-version".into());
    index
        .write(|tx| {
            [second.row(), first.row(), unknown].iter().try_for_each(|row| index::put_job(tx, row))
        })
        .unwrap();
    let (sender, ran) = std::sync::mpsc::channel();
    let run = move |request: &JobRequest, _: &Progress| {
        sender.send(request.clone()).unwrap();
        Ok(NOTHING)
    };
    let jobs = Jobs::open(index, run, |_| {}).unwrap();
    for job in [&first, &second] {
        let ended = jobs.wait(&job.id, Duration::from_secs(10)).unwrap();
        assert_eq!((ended.state, ended.done), (JobState::Done, 0));
        assert_eq!(ran.recv().unwrap(), job.request);
    }
    assert_eq!(jobs.list().unwrap().len(), 2);
}

#[test]
fn changes_are_told_in_order_and_progress_not_too_often() {
    let temp = tempfile::tempdir().unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let teller = Arc::clone(&told);
    let run = |_: &JobRequest, progress: &Progress| {
        for done in 0..=10_000 {
            progress.report(done, Some(10_000));
        }
        Err(Error::Internal("why".to_owned()))
    };
    let listener = move |job: Job| teller.lock().unwrap().push((job.state, job.done));
    let jobs = Jobs::open(index(&temp), run, listener).unwrap();
    let started = Instant::now();
    let job = jobs.start(all(), NOW).unwrap();
    let ended = jobs.wait(&job.id, Duration::from_secs(30)).unwrap();
    assert_eq!(ended.error.as_deref(), Some("internal error: why"));
    jobs.stop();
    let told = told.lock().unwrap();
    assert_eq!(told[..3], [(JobState::Queued, 0), (JobState::Running, 0), (JobState::Running, 0)]);
    assert_eq!(told[told.len() - 2..], [(JobState::Running, 10_000), (JobState::Failed, 10_000)]);
    assert!(told.is_sorted_by_key(|(_, done)| *done), "{told:?}");
    let most = 5 + started.elapsed().as_millis() / 100;
    assert!(told.len() as u128 <= most, "{told:?}");
}

#[test]
fn the_newest_200_are_kept_and_those_that_have_not_ended() {
    let temp = tempfile::tempdir().unwrap();
    let index = index(&temp);
    let at = |number| Timestamp::from_micros(NOW.micros() + number);
    index
        .write(|tx| {
            (0..300).try_for_each(|number| {
                let mut job = Job::new(clock::new_id(at(number)), global(), at(number));
                (job.state, job.finished_at) = (JobState::Done, Some(at(number)));
                index::put_job(tx, &job.row())
            })
        })
        .unwrap();
    let jobs = Jobs::open(Arc::clone(&index), |_, _| Ok(NOTHING), |_| {}).unwrap();
    let job = jobs.start(all(), at(300)).unwrap();
    jobs.wait(&job.id, Duration::from_secs(10)).unwrap();
    let rows = index.read(|db| db.query_row("SELECT count(*) FROM jobs", [], |row| row.get(0)));
    assert_eq!(rows, Ok(200));
    let kept = jobs.list().unwrap();
    assert_eq!((kept[0].created_at, kept[199].created_at), (at(300), at(101)));
}

#[test]
fn a_lost_database_loses_no_live_job() {
    let temp = tempfile::tempdir().unwrap();
    let index = index(&temp);
    let go = Arc::new(AtomicBool::new(false));
    let gate = Arc::clone(&go);
    let run = move |_: &JobRequest, _: &Progress| {
        while !gate.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        Ok(NOTHING)
    };
    let jobs = Jobs::open(Arc::clone(&index), run, |_| {}).unwrap();
    let (first, second) = (jobs.start(all(), NOW).unwrap(), jobs.start(global(), NOW).unwrap());
    index.empty(crate::index::Harm::File);
    assert_eq!(jobs.list().unwrap().len(), 2);
    go.store(true, Ordering::SeqCst);
    for job in [first, second] {
        let ended = jobs.wait(&job.id, Duration::from_secs(10)).unwrap();
        assert_eq!(ended.state, JobState::Done);
        let row = index.read(|db| index::job(db, job.id.as_str())).unwrap().unwrap();
        assert_eq!(Job::of_row(row), Some(ended));
    }
}

#[test]
fn stopping_does_not_wait_for_a_job_that_does_not_listen() {
    let temp = tempfile::tempdir().unwrap();
    let run = |_: &JobRequest, _: &Progress| {
        std::thread::sleep(Duration::from_secs(20));
        Ok(NOTHING)
    };
    let jobs = Jobs::open(index(&temp), run, |_| {}).unwrap();
    let job = jobs.start(all(), NOW).unwrap();
    let waiter = jobs.clone();
    let waiting = std::thread::spawn(move || waiter.wait(&job.id, Duration::from_secs(60)));
    std::thread::sleep(Duration::from_millis(50));
    let started = Instant::now();
    jobs.stop();
    assert!(!waiting.join().unwrap().unwrap().state.has_ended());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}
