//! Killed in each phase: the next start goes on, and what a session taught stands in the journal once.

use std::time::Duration;

use coffer_corpus::provider::{Answer, Provider};
use serde_json::json;

use super::{DISTILL, end, eventually, journal, served, talk};
use crate::engine::scripted::{Chat, answered, late};
use crate::support::attempt::Way;
use crate::support::chance::{Chance, count, is_long};
use crate::support::trace::{Point, Strace, WRITING, is_dead};
use crate::support::{TestServer, tree};

/// An answer that tells which request it was for.
fn numbered(chat: &Chat) -> Answer {
    let insight = |name: &str| {
        json!({"name": format!("{name} of {}", chat.number), "description": format!("{name} {}", chat.number),
            "body": ""})
    };
    answered(&json!([insight("first"), insight("second")]))
}

fn ground(script: impl Fn(&Chat) -> Answer + Send + Sync + 'static) -> (TestServer, Provider) {
    let (server, provider) = served(script);
    talk(&server, "s", &["plant the walnut", "A planted"]);
    (server, provider)
}

fn start(server: &TestServer) -> u16 {
    server.post(&format!("{DISTILL}?wait=0"), &json!({"session_id": "s"})).status
}

/// After a kill: both insights of one answer, once, whatever is asked for again.
fn holds_once(server: &TestServer, when: &str) {
    let done = server.post(&format!("{DISTILL}?wait=60"), &json!({"session_id": "s"}));
    assert_eq!(done.status, 200, "{when}: {}", done.text());
    eventually("all work is done", || {
        let jobs = server.get("/api/v1/jobs").json();
        jobs["jobs"].as_array().unwrap().iter().all(|job| job["finished_at"].is_string())
    });
    let text = journal(server);
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(titles.len(), 2, "{when}: {text}");
    let number = |title: &str| title.rsplit(' ').next().unwrap().to_owned();
    assert_eq!(number(titles[0]), number(titles[1]), "{when}: {text}");
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
    let again = server.post(&format!("{DISTILL}?wait=60"), &json!({"session_id": "s"})).json();
    assert_eq!(again["status"], "already_distilled", "{when}");
}

#[test]
fn killed_while_the_model_is_asked_it_is_asked_again() {
    let (mut server, provider) = ground(|chat| match chat.number {
        0 => late(numbered(chat), Duration::from_secs(3)),
        _ => numbered(chat),
    });
    assert_eq!(start(&server), 202);
    eventually("asked", || !provider.asked().is_empty());
    server.kill();
    server.start_again();
    // The job goes on by itself.
    eventually("written", || !journal(&server).is_empty());
    assert_eq!(provider.asked().len(), 2);
    holds_once(&server, "while the model was asked");
    assert_eq!(provider.asked().len(), 2);
}

#[test]
fn killed_at_any_moment_it_is_written_once() {
    let mut chance = Chance::told("distill kills");
    for _ in 0..count(6, 60) {
        let (mut server, _provider) = ground(numbered);
        let wanted = json!({"distill": {"on_session_end": true}});
        assert_eq!(server.put("/api/v1/settings", &wanted).status, 200);
        assert_eq!(end(&server, "s").status, 202);
        assert!(start(&server) < 300);
        let moment = Duration::from_micros(chance.below(60_000) as u64);
        std::thread::sleep(moment);
        server.kill();
        server.start_again();
        holds_once(&server, &format!("killed after {moment:?}"));
        eventually("out of the queue", || end(&server, "s").status == 200);
    }
}

/// Each call of an undisturbed run that changes the disk, met in a run of its own; a sample of them in
/// the quick set.
#[test]
fn killed_at_each_write_it_is_written_once() {
    let mut chance = Chance::told("distill writes");
    let points = points();
    let all = points.len();
    assert!(all >= 5, "{points:?}");
    let chosen = if is_long() { points } else { chance.sample(points, 6) };
    let mut killed = 0;
    for point in &chosen {
        let (mut server, _provider) = ground(numbered);
        let inject = format!("inject={}:signal=KILL:when={}", point.name, point.nth);
        let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}"), "-e", &inject]);
        let body = json!({"session_id": "s"});
        drop(Way::port(&server).rest("POST", &format!("{DISTILL}?wait=20"), Some(&body)));
        strace.detach();
        killed += usize::from(is_dead(server.info.pid));
        server.kill();
        server.start_again();
        holds_once(&server, &format!("killed at {} {}", point.nth, point.call.text()));
    }
    println!("{} of {all} calls met, {killed} killed", chosen.len());
    assert!(killed * 2 > chosen.len(), "most kills missed their call");
}

fn points() -> Vec<Point> {
    let (server, _provider) = ground(numbered);
    let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}")]);
    let done = server.post(&format!("{DISTILL}?wait=20"), &json!({"session_id": "s"}));
    let trace = strace.detach();
    assert_eq!(done.status, 200, "{}", done.text());
    trace.points(server.folder())
}
