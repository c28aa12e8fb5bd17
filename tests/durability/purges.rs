//! Purges that are killed: each file is old or new, and whoever starts again finishes it.

use coffer_api::purge::PurgeOut;
use serde_json::json;

use super::operations::Ground;
use crate::support::attempt::Way;
use crate::support::chance::{Chance, is_long};
use crate::support::trace::{Point, Strace, WRITING, is_dead};
use crate::support::tree::{self, Files, eventually};
use crate::support::{TestServer, derived};

const PURGE: &str = "/api/v1/purge?wait=60";
/// So many calls are met in the quick set.
const QUICK: usize = 6;
/// What is purged: it stands in the texts, titles and names of facts, and in a scene.
const TEXT: &str = "the second fact";
const MORE: &str = "half way";

/// Files but for what an undisturbed purge and a second one may differ in.
fn known(files: Files) -> Files {
    files.into_iter().filter(|(path, _)| !path.contains("/.coffer-tmp-")).collect()
}

fn memory(server: &TestServer) -> Files {
    known(tree::files(&server.home().memory()))
}

fn holding(server: &TestServer) -> Vec<String> {
    let files = tree::files(server.home().root());
    let holds =
        |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    let found = files.into_iter().filter(|(path, bytes)| {
        [TEXT, "the-second-fact"].iter().any(|text| path.contains(text) || holds(bytes, text))
    });
    found.map(|(path, _)| path).collect()
}

/// The calls of an undisturbed purge, and what it makes.
fn undisturbed(ground: &Ground) -> (Vec<Point>, Files) {
    let server = ground.server();
    let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}")]);
    let reply = Way::port(&server).rest("POST", PURGE, Some(&json!({"match": TEXT}))).unwrap();
    let trace = strace.detach();
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.read_as::<PurgeOut>().remaining, 0);
    assert_eq!(holding(&server), [""; 0]);
    (trace.points(server.folder()), memory(&server))
}

/// Kills the server at a call of a purge; whether it was met.
fn meet(ground: &Ground, after: &Files, point: &Point) -> bool {
    let when = format!("purge, killed at {} {}", point.nth, point.call.text());
    let mut server = ground.server();
    let before = memory(&server);
    let trace = format!("trace={WRITING}");
    let inject = format!("inject={}:signal=KILL:when={}", point.name, point.nth);
    let strace = Strace::attach(&server, &["-e", &trace, "-e", &inject]);
    let reply = Way::port(&server).rest("POST", PURGE, Some(&json!({"match": TEXT})));
    strace.detach();
    let is_dead = is_dead(server.info.pid);
    server.kill();
    for (path, bytes) in memory(&server) {
        // A file may have its new name and its old text: the name goes first.
        let is_old = before.values().any(|old| *old == bytes);
        assert!(is_old || after.get(&path) == Some(&bytes), "{when}: `{path}`");
    }
    if reply.is_some_and(|reply| reply.status == 200) {
        assert_eq!(holding(&server), [""; 0], "{when}: acknowledged");
    }
    server.start_again();
    eventually(&when, || {
        let jobs = server.get("/api/v1/jobs").json();
        jobs["jobs"].as_array().unwrap().iter().all(|job| job["finished_at"].is_string())
    });
    let done: PurgeOut = server.post(PURGE, &json!({"match": TEXT})).read_as();
    assert_eq!(done.remaining, 0, "{when}: {done:?}");
    assert_eq!(holding(&server), [""; 0], "{when}");
    assert_eq!(memory(&server), *after, "{when}");
    eventually(&when, || tree::residue(&server.home()).is_empty());
    derived::assert_rebuildable(&server, &when);
    is_dead
}

#[test]
fn a_purge_is_finished_wherever_it_is_killed() {
    let mut chance = Chance::told("purge");
    let ground = Ground::new();
    let (points, after) = undisturbed(&ground);
    let all = points.len();
    assert!(all >= 20, "{points:?}");
    let chosen = if is_long() { points } else { chance.sample(points, QUICK) };
    let killed = chosen.iter().filter(|point| meet(&ground, &after, point)).count();
    println!("purge: {} of {all} calls met, {killed} kills", chosen.len());
    assert!(killed * 2 > chosen.len(), "most kills missed their call: {killed}");
}

#[test]
fn a_purge_that_was_acknowledged_as_a_job_survives_the_loss_of_the_database() {
    let ground = Ground::new();
    let mut server = ground.server();
    let purges = server.home().purges();
    let reply = server.post("/api/v1/purge?wait=0", &json!({"match": MORE}));
    assert!(matches!(reply.status, 200 | 202), "{}", reply.text());
    server.kill();
    let record = json!({"text": MORE, "pattern": null, "dry_run": false, "names": []});
    std::fs::create_dir_all(&purges).unwrap();
    let file = purges.join("01JXYZ01JXYZ01JXYZ01JXYZ01.json");
    std::fs::write(file, record.to_string()).unwrap();
    for end in ["", "-wal", "-shm"] {
        _ = std::fs::remove_file(format!("{}{end}", server.home().database().display()));
    }
    server.start_again();
    eventually("the purge ends", || tree::residue(&server.home()).is_empty());
    let files = tree::files(&server.home().memory());
    let text = MORE.as_bytes();
    assert!(files.values().all(|bytes| !bytes.windows(text.len()).any(|it| it == text)));
}
