//! The crash sweep: each writing operation is killed at each call that changes the disk, once. Then
//! the files are as before or as asked for, whole, and the index is what they give.
//!
//! A first run is watched, which gives the calls; each is met again in a run of its own. The quick
//! set takes a sample of them.

use super::FACTS;
use super::operations::{self, Ground, Operation, Outcome};
use crate::support::attempt::Way;
use crate::support::chance::{Chance, is_long};
use crate::support::trace::{Point, Strace, WRITING, is_dead};
use crate::support::{TestServer, derived, tree};
use serde_json::json;

/// So many calls on files, and on the database, are met in the quick set.
const QUICK: (usize, usize) = (4, 1);

/// What a sweep saw.
#[derive(Debug, Default)]
struct Seen {
    killed: usize,
    survived: usize,
    old: usize,
    new: usize,
}

fn sweep(operation: &Operation) {
    let mut chance = Chance::told(operation.name);
    let ground = Ground::new();
    let points = points(operation, &ground);
    let all = points.len();
    assert!(all >= 5, "{}: {points:?}", operation.name);
    let chosen = if is_long() { points } else { sample(points, &mut chance) };
    let mut seen = Seen::default();
    for point in &chosen {
        meet(operation, &ground, point, &mut seen);
    }
    println!("{}: {} of {all} calls met: {seen:?}", operation.name, chosen.len());
    assert!(seen.killed * 2 > chosen.len(), "most kills missed their call: {seen:?}");
}

/// The calls of an undisturbed run.
fn points(operation: &Operation, ground: &Ground) -> Vec<Point> {
    let server = ground.server();
    let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}")]);
    let reply = operation.act(ground, &Way::port(&server)).expect("nobody disturbs it");
    let trace = strace.detach();
    assert!((200..300).contains(&reply.status), "{}: {}", operation.name, reply.text());
    assert_eq!(operation.outcome(ground, &server.home()), Outcome::New, "{}", operation.name);
    trace.points(server.folder())
}

fn sample(points: Vec<Point>, chance: &mut Chance) -> Vec<Point> {
    let of_database = |point: &Point| point.call.arguments.contains("coffer.db");
    let (database, files): (Vec<_>, Vec<_>) = points.into_iter().partition(of_database);
    let mut chosen = chance.sample(files, QUICK.0);
    chosen.extend(chance.sample(database, QUICK.1));
    chosen
}

/// Runs the operation and kills the server at a call, right before it takes place.
fn meet(operation: &Operation, ground: &Ground, point: &Point, seen: &mut Seen) {
    let mut server = ground.server();
    let trace = format!("trace={WRITING}");
    let inject = format!("inject={}:signal=KILL:when={}", point.name, point.nth);
    let strace = Strace::attach(&server, &["-e", &trace, "-e", &inject]);
    let reply = operation.act(ground, &Way::port(&server));
    strace.detach();
    let is_dead = is_dead(server.info.pid);
    server.kill();
    server.start_again();
    let when = format!("{}, killed at {} {}", operation.name, point.nth, point.call.text());
    match (is_dead, operation.outcome(ground, &server.home())) {
        (_, Outcome::New) => seen.new += 1,
        (_, Outcome::Old) => {
            assert!(reply.is_none_or(|reply| reply.status >= 300), "{when}: acknowledged and lost");
            seen.old += 1;
        }
    }
    if is_dead {
        seen.killed += 1;
    } else {
        seen.survived += 1;
    }
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
    derived::assert_rebuildable(&server, &when);
    goes_on(&server, &when);
}

/// Nothing of the dead stands in the way of the living.
fn goes_on(server: &TestServer, when: &str) {
    let reply = server.post(FACTS, &json!({"text": "life goes on", "title": "the new text"}));
    assert_eq!(reply.status, 201, "{when}: {}", reply.text());
    let path = format!("{FACTS}/{}", reply.json()["id"].as_str().unwrap());
    assert_eq!(server.get(&path).json()["text"], "life goes on", "{when}");
}

#[test]
fn remember_in_a_new_store_is_whole_or_absent() {
    sweep(&operations::REMEMBER_IN_A_NEW_STORE);
}

#[test]
fn remember_is_whole_or_absent() {
    sweep(&operations::REMEMBER);
}

#[test]
fn an_edit_is_whole_or_absent() {
    sweep(&operations::EDIT);
}

#[test]
fn a_delete_is_whole_or_absent() {
    sweep(&operations::DELETE);
}

#[test]
fn a_clear_is_whole_or_absent() {
    sweep(&operations::CLEAR);
}

#[test]
fn a_handoff_is_whole_or_absent() {
    sweep(&operations::HAND_OVER);
}

#[test]
fn a_label_is_whole_or_absent() {
    sweep(&operations::LABEL);
}

#[test]
fn a_configuration_is_whole_or_absent() {
    sweep(&operations::CONFIGURE);
}

#[test]
fn a_switch_is_whole_or_absent() {
    sweep(&operations::DISABLE);
}

#[test]
fn a_setting_is_whole_or_absent() {
    sweep(&operations::SETTINGS);
}

#[test]
fn a_deleted_store_is_gone_or_whole() {
    sweep(&operations::DELETE_STORE);
}

#[test]
fn merged_stores_are_two_or_one() {
    sweep(&operations::MERGE);
}

#[test]
fn an_added_document_is_whole_or_absent() {
    sweep(&operations::ADD_DOCUMENT);
}

#[test]
fn a_replaced_document_is_whole_or_as_before() {
    sweep(&operations::REPLACE_DOCUMENT);
}

#[test]
fn an_edited_document_is_whole_or_as_before() {
    sweep(&operations::EDIT_DOCUMENT);
}

#[test]
fn a_deleted_document_is_gone_or_whole() {
    sweep(&operations::DELETE_DOCUMENT);
}

#[test]
fn a_deleted_knowledge_base_is_gone_or_whole() {
    sweep(&operations::DELETE_BASE);
}
