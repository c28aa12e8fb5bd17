//! Calls of the system that fail: the caller learns which kind of failure it was and where, what
//! stood there before still stands, nothing is left over, reads go on, and the next write works.

use serde_json::json;

use super::FACTS;
use super::operations::{self, Ground, Operation, Outcome};
use crate::support::attempt::Way;
use crate::support::chance::{Chance, count};
use crate::support::trace::{Call, Point, Strace, WRITING};
use crate::support::{Reply, TestServer, derived, tree};

/// What a failure has to lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// As if nothing had happened.
    Done,
    /// 503, and everything as before.
    Unavailable,
    /// 507, and everything as before.
    NoSpace,
    /// 503 after the new version was put in place: it may stay, it is not promised.
    Unsure,
}

/// Which calls fail: their name, whether they are about a temporary file, the error.
type Fault = (&'static str, bool, &'static str, Answer);

const WRITES: &[Fault] = &[
    ("openat", true, "EACCES", Answer::Unavailable),
    ("openat", true, "EMFILE", Answer::Unavailable),
    ("openat", true, "EROFS", Answer::Unavailable),
    ("openat", true, "ENOSPC", Answer::NoSpace),
    ("openat", true, "EINTR", Answer::Done),
    ("write", true, "ENOSPC", Answer::NoSpace),
    ("write", true, "EFBIG", Answer::NoSpace),
    ("write", true, "EIO", Answer::Unavailable),
    ("write", true, "EINTR", Answer::Done),
    ("fsync", true, "EIO", Answer::Unavailable),
    ("fsync", true, "ENOSPC", Answer::NoSpace),
    ("fsync", true, "EDQUOT", Answer::NoSpace),
    ("fsync", true, "EINTR", Answer::Done),
    ("renameat2", true, "EIO", Answer::Unavailable),
    ("renameat2", true, "EACCES", Answer::Unavailable),
    ("renameat2", true, "EBUSY", Answer::Unavailable),
    ("renameat2", true, "EINTR", Answer::Done),
    ("fsync", false, "EIO", Answer::Unsure),
    ("fsync", false, "EINVAL", Answer::Done),
    ("fsync", false, "EINTR", Answer::Done),
];

const MOVES: &[Fault] = &[
    ("renameat2", false, "EIO", Answer::Unavailable),
    ("renameat2", false, "EACCES", Answer::Unavailable),
    ("renameat2", false, "ENOSPC", Answer::NoSpace),
    ("renameat2", false, "EINTR", Answer::Done),
    ("fsync", false, "EIO", Answer::Unsure),
    ("fsync", false, "EINVAL", Answer::Done),
];

const REMOVALS: &[Fault] = &[
    ("unlinkat", false, "EIO", Answer::Unsure),
    ("unlinkat", false, "EACCES", Answer::Unsure),
    ("unlinkat", false, "EINTR", Answer::Done),
    ("fsync", false, "EINVAL", Answer::Done),
];

fn meet_all(operation: &Operation, faults: &[Fault], quick: usize) {
    let mut chance = Chance::told(operation.name);
    let ground = Ground::new();
    let points = points(operation, &ground);
    let chosen = chance.sample(faults.to_vec(), count(quick, faults.len()));
    let mut met = 0;
    for fault in &chosen {
        let here: Vec<&Point> = points.iter().filter(|point| is_met(&point.call, fault)).collect();
        assert!(!here.is_empty(), "{}: {fault:?} is never met: {points:?}", operation.name);
        let taken = chance.sample(here, count(1, usize::MAX));
        met += taken.len();
        taken.iter().for_each(|point| meet(operation, &ground, point, fault));
    }
    println!("{}: {met} faults of {} kinds", operation.name, chosen.len());
}

fn is_met(call: &Call, (name, temporary, ..): &Fault) -> bool {
    let path = call.paths()[0].to_string_lossy().into_owned();
    let is_temporary = path.contains(".coffer-tmp-");
    // A record of what is done may stay: the next start takes it away.
    let is_record = call.name == "unlinkat" && path.contains("run/intents/");
    call.name == *name && is_temporary == *temporary && !is_record
}

fn points(operation: &Operation, ground: &Ground) -> Vec<Point> {
    let server = ground.server();
    let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}")]);
    operation.act(ground, &Way::port(&server)).expect("nobody disturbs it");
    strace.detach().points(server.home().root())
}

fn meet(operation: &Operation, ground: &Ground, point: &Point, fault: &Fault) {
    let (name, _, error, answer) = *fault;
    let when = format!("{}, {error} at {} {}", operation.name, point.nth, point.call.text());
    let mut server = ground.server();
    let inject = format!("inject={name}:error={error}:when={}", point.nth);
    let trace = format!("trace={WRITING}");
    let strace = Strace::attach(&server, &["-e", &trace, "-e", &inject]);
    let reply = operation.act(ground, &Way::port(&server)).expect(&when);
    let trace = strace.detach();
    let injected = |call: &&Call| call.result.contains("INJECTED") && is_met(call, fault);
    assert!(trace.calls.iter().any(|call| injected(&call)), "{when}: it did not fail there");
    let outcome = operation.outcome(ground, &server.home());
    match answer {
        Answer::Done => {
            assert!((200..300).contains(&reply.status), "{when}: {}", reply.text());
            assert_eq!(outcome, Outcome::New, "{when}");
        }
        Answer::Unavailable => refused(&server, &reply, (503, "STORE_UNAVAILABLE"), &when),
        Answer::NoSpace => refused(&server, &reply, (507, "NO_SPACE"), &when),
        Answer::Unsure => {
            let is_refused = reply.refusal() == (503, "STORE_UNAVAILABLE".to_owned());
            // What comes after the last rename is told, what is flushed for the caller's sake not.
            assert!(is_refused || outcome == Outcome::New, "{when}: {}", reply.text());
        }
    }
    if matches!(answer, Answer::Unavailable | Answer::NoSpace) {
        assert_eq!(outcome, Outcome::Old, "{when}");
    }
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
    reads_go_on(&server, &when);
    derived::assert_rebuildable(&server, &when);
    if outcome == Outcome::Old {
        let again = operation.act(ground, &Way::port(&server)).expect(&when);
        assert!((200..300).contains(&again.status), "{when}, again: {}", again.text());
        assert_eq!(operation.outcome(ground, &server.home()), Outcome::New, "{when}, again");
    }
    let settled = operations::state(&server.home());
    server.kill();
    server.start_again();
    assert!(operations::state(&server.home()) == settled, "{when}: a start changed the files");
}

#[track_caller]
fn refused(server: &TestServer, reply: &Reply, (status, code): (u16, &str), when: &str) {
    assert_eq!(reply.refusal(), (status, code.to_owned()), "{when}: {}", reply.text());
    let error = &reply.json()["error"];
    let path = error["details"]["path"].as_str().unwrap_or_default();
    assert!(path.starts_with(server.home().root().to_str().unwrap()), "{when}: {error}");
    assert!(error["message"].as_str().unwrap().contains(path), "{when}: {error}");
}

fn reads_go_on(server: &TestServer, when: &str) {
    assert_eq!(server.get(FACTS).status, 200, "{when}");
    let asked = json!({"query": "third fact"});
    let recalled = server.post("/api/v1/search", &asked);
    assert_eq!(recalled.status, 200, "{when}: {}", recalled.text());
}

#[test]
fn a_fact_that_cannot_be_written_is_refused() {
    meet_all(&operations::REMEMBER, WRITES, 20);
}

#[test]
fn an_edit_that_cannot_be_written_changes_nothing() {
    meet_all(&operations::EDIT, WRITES, 10);
}

#[test]
fn a_scene_that_cannot_be_written_changes_nothing() {
    meet_all(&operations::HAND_OVER, WRITES, 5);
}

#[test]
fn a_label_that_cannot_be_written_changes_nothing() {
    meet_all(&operations::LABEL, WRITES, 5);
}

#[test]
fn a_setting_that_cannot_be_written_changes_nothing() {
    meet_all(&operations::SETTINGS, WRITES, 5);
}

#[test]
fn a_fact_that_cannot_be_moved_stays() {
    meet_all(&operations::DELETE, MOVES, 6);
}

#[test]
fn facts_that_cannot_all_be_moved_all_stay() {
    meet_all(&operations::CLEAR, MOVES, 6);
}

#[test]
fn stores_that_cannot_be_merged_stay_two() {
    meet_all(&operations::MERGE, WRITES, 5);
}

#[test]
fn stores_whose_files_cannot_all_be_moved_stay_two() {
    meet_all(&operations::MERGE, MOVES, 6);
}

/// A database that cannot be written holds up neither writes nor reads, and catches up by itself.
#[test]
fn an_index_that_cannot_be_written_lags_and_says_so() {
    for error in ["ENOSPC", "EIO"] {
        let server = TestServer::start();
        let first = server.post(FACTS, &json!({"text": "the first walnut"}));
        assert_eq!(first.status, 201);
        derived::read_all(&server);
        let inject = format!("inject=pwrite64:error={error}");
        let strace = Strace::attach(&server, &["-e", "trace=pwrite64", "-e", &inject]);
        let lagging = server.post(FACTS, &json!({"text": "the second walnut"}));
        let reply = (lagging.status, &lagging.json()["indexed"]);
        assert_eq!(reply, (201, &json!(false)), "{error}: {}", lagging.text());
        let asked = json!({"query": "walnut"});
        let recalled = server.post("/api/v1/memory_stores/global/recall", &asked);
        let hits = recalled.json()["hits"].as_array().map_or(0, Vec::len);
        assert!(recalled.status == 200 && hits > 0, "{error}: {}", recalled.text());
        assert_eq!(server.get(FACTS).status, 200, "{error}");
        strace.detach();
        let recalled = server.post("/api/v1/memory_stores/global/recall", &asked).json();
        assert_eq!(recalled["hits"].as_array().unwrap().len(), 2, "{error}: {recalled}");
        derived::assert_rebuildable(&server, error);
    }
}

/// A file that cannot be read is no deleted one.
#[test]
fn a_fact_that_cannot_be_read_is_not_forgotten() {
    let server = TestServer::start();
    let added = server.post(FACTS, &json!({"text": "a walnut"})).json();
    let path = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    derived::read_all(&server);
    let file = added["path"].as_str().unwrap();
    let mut text = std::fs::read_to_string(file).unwrap();
    text.push_str("edited\n");
    std::fs::write(file, text).unwrap();
    let inject = "inject=openat:error=EIO";
    // The file is opened by its name in its folder.
    let parent = std::path::Path::new(file).parent().unwrap().to_str().unwrap();
    let strace = Strace::attach(&server, &["-P", parent, "-e", "trace=openat", "-e", inject]);
    let read = server.get(&path);
    assert_eq!(read.refusal(), (503, "STORE_UNAVAILABLE".to_owned()), "{}", read.text());
    let asked = json!({"query": "walnut"});
    let recalled = server.post("/api/v1/memory_stores/global/recall", &asked);
    assert_eq!(recalled.status, 200, "{}", recalled.text());
    assert_eq!(recalled.json()["hits"][0]["id"], added["id"], "{}", recalled.text());
    assert!(server.get("/api/v1/doctor").text().contains(file), "nobody is told");
    strace.detach();
    assert!(server.get(&path).json()["text"].as_str().unwrap().ends_with("edited"));
    derived::assert_rebuildable(&server, "after the disk came back");
}

#[test]
fn a_document_that_cannot_be_written_is_refused_with_its_original() {
    meet_all(&operations::ADD_DOCUMENT, WRITES, 6);
}

#[test]
fn a_document_that_cannot_be_replaced_stays_with_its_original() {
    meet_all(&operations::REPLACE_DOCUMENT, WRITES, 6);
}

#[test]
fn a_document_that_cannot_be_edited_stays() {
    meet_all(&operations::EDIT_DOCUMENT, WRITES, 5);
}

#[test]
fn a_document_that_cannot_be_deleted_is_whole_or_gone() {
    meet_all(&operations::DELETE_DOCUMENT, REMOVALS, 3);
}

#[test]
fn a_knowledge_base_that_cannot_be_deleted_is_whole_or_gone() {
    meet_all(&operations::DELETE_BASE, MOVES, 4);
    meet_all(&operations::DELETE_BASE, REMOVALS, 2);
}
