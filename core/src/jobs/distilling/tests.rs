//! The queue and the sweep over a whole Coffer, with moments that are given.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use coffer_corpus::provider::{Answer, Provider as Scripted};
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::{Home, clock};

use super::*;
use crate::Coffer;
use crate::agents::{AgentType, By, NewAgent};
use crate::config::{DistillPatch, EngineConfig, ModelSource, PreferencesPatch, Provider};
use crate::hooks::Ended;
use crate::jobs::{JobRequest, JobState};

struct Ground {
    temp: tempfile::TempDir,
    coffer: Coffer,
    provider: Scripted,
}

fn answer(text: &str) -> Answer {
    let text = serde_json::to_string(text).unwrap();
    Answer::json(
        200,
        &format!(
            r#"{{"choices": [{{"message": {{"content": {text}}}, "finish_reason": "stop"}}]}}"#
        ),
    )
}

impl Ground {
    fn over(script: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let coffer = Coffer::open(&Home::at(temp.path().join("home")), |_| {}).unwrap();
        let provider = Scripted::start(move |count, _| script(count));
        let source = ModelSource {
            provider: Provider::LmStudio,
            model: "writer".to_owned(),
            base_url: Some(provider.url()),
            credential_ref: None,
        };
        coffer.settings.set_engine(Some(&EngineConfig { source })).unwrap();
        for name in ["app", "loose", "agent"] {
            fs::create_dir(temp.path().join(name)).unwrap();
        }
        let app = temp.path().join("app");
        let git = Command::new("git").args(["init", "-q"]).current_dir(app).status();
        assert!(git.unwrap().success());
        let agent = NewAgent {
            kind: AgentType::ClaudeCode,
            name: Some("claude-code".to_owned()),
            folder: Some(temp.path().join("agent")),
            connect: false,
        };
        coffer.agents.register(&agent, By::Program, false, clock::now()).unwrap();
        Self { temp, coffer, provider }
    }

    fn wants(&self, sweep_enabled: bool, on_session_end: bool) {
        let distill = DistillPatch {
            sweep_enabled: Some(sweep_enabled),
            on_session_end: Some(on_session_end),
        };
        let patch = PreferencesPatch { distill, ..PreferencesPatch::default() };
        self.coffer.settings.change(&patch).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn session(&self, id: &str, folder: &str, minute: u32) {
        let path = self.path("agent/projects/p").join(format!("{id}.jsonl"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let cwd = self.path(folder);
        let line = format!(
            "{{\"type\":\"user\",\"uuid\":\"{id}\",\"cwd\":{cwd:?},\"timestamp\":\"2026-01-01T10:{minute:02}:00Z\",\"message\":{{\"content\":\"words of {id}\"}}}}\n"
        );
        fs::write(path, line).unwrap();
    }

    fn end(&self, id: &str) -> Ended {
        let app = self.path("app");
        self.coffer.hooks.session_ended("claude-code", id, &app, clock::now()).unwrap()
    }

    fn desk(&self) -> Desk {
        let Coffer { distill, agents, sessions, settings, jobs, .. } = self.coffer.clone();
        Desk { distill, agents, sessions, settings, jobs }
    }

    /// Waits for all jobs; gives the sessions of those that were there, oldest first.
    fn worked(&self) -> Vec<(String, JobState)> {
        let jobs = || {
            let mut jobs = self.coffer.jobs.list().unwrap();
            jobs.reverse();
            jobs
        };
        for job in jobs() {
            self.coffer.jobs.wait(&job.id, Duration::from_secs(60)).unwrap();
        }
        let of = |job: crate::Job| match job.request {
            JobRequest::Distill(request) => Some((request.session, job.state)),
            _ => None,
        };
        jobs().into_iter().filter_map(of).collect()
    }
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    Timestamp::from_micros(now.micros() + seconds * 1_000_000)
}

#[test]
fn a_session_that_ended_is_read_once_it_is_still_and_leaves_the_queue() {
    let ground = Ground::over(|_| answer("[]"));
    ground.wants(false, true);
    ground.session("s", "app", 0);
    assert_eq!(ground.end("s"), Ended::Queued);
    // The thread was told, and does it by itself.
    let until = clock::instant() + Duration::from_secs(30);
    while !ground.coffer.distill.waiting().unwrap().is_empty() {
        assert!(clock::instant() < until, "{:?}", ground.coffer.jobs.list());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(ground.worked(), [("s".to_owned(), JobState::Done)]);
    assert_eq!(ground.provider.asked().len(), 1);
    assert_eq!(ground.end("s"), Ended::AlreadyDistilled);
    ground.session("s", "app", 1);
    assert_eq!(ground.end("s"), Ended::Queued);
    ground.coffer.close();
}

#[test]
fn a_clock_that_was_put_back_keeps_nothing_waiting() {
    let ground = Ground::over(|_| answer("[]"));
    ground.wants(false, true);
    ground.session("s", "app", 0);
    let tomorrow = later(clock::now(), 86_400);
    let app = ground.path("app");
    ground.coffer.hooks.session_ended("claude-code", "s", &app, tomorrow).unwrap();
    let until = clock::instant() + Duration::from_secs(30);
    while !ground.coffer.distill.waiting().unwrap().is_empty() {
        assert!(clock::instant() < until, "{:?}", ground.coffer.jobs.list());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(ground.provider.asked().len(), 1);
    ground.coffer.close();
}

#[test]
fn what_is_not_still_or_not_wanted_waits() {
    let ground = Ground::over(|_| answer("[]"));
    ground.wants(false, true);
    ground.session("s", "app", 0);
    // From here on only this test looks.
    ground.coffer.close();
    let (desk, now, at) = (ground.desk(), clock::now(), clock::instant());
    assert_eq!(ground.end("s"), Ended::Queued);
    assert_eq!(ground.end("missing"), Ended::Queued);
    let mut queue = Queue::default();
    let started = |queue: &mut Queue, seconds| {
        let wait = queue.start_due(&desk, later(now, seconds), at);
        (wait.as_secs(), ground.coffer.jobs.list().unwrap().len())
    };
    assert_eq!(started(&mut queue, 1), (1, 0));
    ground.wants(false, false);
    assert_eq!(started(&mut queue, 10), (3_600, 0));
    ground.wants(false, true);
    assert_eq!(started(&mut queue, 10), (1, 1));
    // One that is missing is given a minute; what was started is left alone for a while.
    assert_eq!(started(&mut queue, 70), (60, 2));
    let week = started(&mut queue, 8 * 24 * 3_600);
    assert_eq!((week.1, desk.distill.waiting().unwrap().len()), (2, 0));
}

#[test]
fn what_comes_to_nothing_is_tried_again_later_and_what_a_person_ends_is_not() {
    let ground = Ground::over(|count| match count {
        0..=3 => Answer::json(500, "{}"),
        _ => answer("[]"),
    });
    ground.wants(false, false);
    ground.session("s", "app", 0);
    let (desk, now, at) = (ground.desk(), clock::now(), clock::instant());
    ground.wants(false, true);
    // The thread would do the same, later: what is given here is due now.
    assert_eq!(ground.end("s"), Ended::Queued);
    let mut queue = Queue::default();
    let wait = queue.start_due(&desk, later(now, 10), at);
    assert_eq!(wait, Duration::from_mins(1));
    ground.worked();
    assert_eq!(desk.distill.waiting().unwrap().len(), 1);
    assert!(queue.start_due(&desk, later(now, 11), at) <= Duration::from_mins(1));
    let wait = queue.start_due(&desk, later(now, 75), at + Duration::from_secs(61));
    assert_eq!(wait, Duration::from_mins(2));
    ground.worked();
    queue.forgive();
    let mut asked = ground.provider.asked().len();
    while !desk.distill.waiting().unwrap().is_empty() {
        queue.forgive();
        queue.start_due(&desk, later(now, 80), at);
        ground.worked();
        assert!(ground.provider.asked().len() >= asked && asked < 20);
        asked = ground.provider.asked().len();
    }
    ground.coffer.close();
}

#[test]
fn a_sweep_takes_the_newest_of_projects_a_few_at_a_time() {
    let ground = Ground::over(|_| answer("[]"));
    for minute in 0..14 {
        ground.session(&format!("s{minute:02}"), "app", minute);
    }
    ground.session("loose", "loose", 59);
    let (desk, now, at) = (ground.desk(), clock::now(), clock::instant());
    let mut sweep = Sweep::new(at);
    // Not wanted, or not yet.
    let soon = at + Duration::from_mins(4);
    assert_eq!(sweep.start_due(&desk, now, at), Duration::from_mins(3));
    assert_eq!(sweep.start_due(&desk, now, soon), Duration::from_mins(30));
    ground.wants(true, false);
    let next = soon + Duration::from_mins(31);
    assert_eq!(sweep.start_due(&desk, now, next), Duration::from_mins(30));
    let sessions =
        |jobs: Vec<(String, JobState)>| jobs.into_iter().map(|job| job.0).collect::<Vec<_>>();
    let first = sessions(ground.worked());
    let newest: Vec<String> = (4..14).rev().map(|minute| format!("s{minute:02}")).collect();
    assert_eq!(first, newest);
    sweep.sweep(&desk, now, next);
    let all = sessions(ground.worked());
    assert_eq!(all[10..], ["s03", "s02", "s01", "s00"]);
    sweep.sweep(&desk, now, next);
    assert_eq!(ground.worked().len(), 14);
    assert_eq!(ground.provider.asked().len(), 14);
    // One that was active lately is not over.
    ground.session("s00", "app", 0);
    let lately = Timestamp::parse("2026-01-01T10:25:00Z").unwrap();
    Sweep::new(at).sweep(&desk, lately, next);
    assert_eq!(ground.worked().len(), 14);
    ground.coffer.close();
}

#[test]
fn one_that_came_to_nothing_lets_others_have_their_turn() {
    let ground = Ground::over(|_| answer("no list at all"));
    ground.session("s", "app", 0);
    let (desk, now, at) = (ground.desk(), clock::now(), clock::instant());
    let mut sweep = Sweep::new(at);
    sweep.sweep(&desk, now, at);
    sweep.sweep(&desk, now, at);
    assert_eq!(ground.worked().len(), 1);
    sweep.sweep(&desk, now, at + Duration::from_hours(25));
    assert_eq!(ground.worked().len(), 2);
    ground.coffer.close();
}

#[test]
fn a_store_that_cannot_be_looked_at_ends_no_sweep() {
    let ground = Ground::over(|_| answer("[]"));
    let damaged = ground.path("damaged");
    let git = Command::new("git").args(["init", "-q"]).arg(&damaged).status();
    assert!(git.unwrap().success());
    let StoreName::Project(id) = ground.coffer.memory.scope(&damaged).unwrap().store else {
        panic!("it is a project");
    };
    let store = ground.path("home/memory/projects").join(id.as_str());
    fs::create_dir_all(store.join("store.yaml")).unwrap();
    assert!(ground.desk().distill.is_in_project(&damaged).is_err());
    ground.session("s", "app", 0);
    ground.session("newer", "damaged", 1);
    let (now, at) = (clock::now(), clock::instant());
    Sweep::new(at).sweep(&ground.desk(), now, at);
    assert_eq!(ground.worked(), [("s".to_owned(), JobState::Done)]);
    ground.coffer.close();
}
