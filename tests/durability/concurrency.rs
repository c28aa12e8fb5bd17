//! Many writers at once, over every surface: nothing is lost, nothing is doubled, nobody hears of a
//! lock, and readers do not wait.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use coffer_domain::id::sha256;
use serde_json::json;

use super::FACTS;
use crate::support::attempt::Way;
use crate::support::chance::count;
use crate::support::mcp::Mcp;
use crate::support::shim::Shim;
use crate::support::{TestServer, derived, project, tree};

/// Nothing that a server said or logged speaks of a lock of the database.
fn assert_no_lock_was_met(server: &TestServer) {
    let mut said = std::fs::read_to_string(server.folder().join("server.log")).unwrap();
    for bytes in tree::files(&server.home().logs()).values() {
        said.push_str(&String::from_utf8_lossy(bytes));
    }
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("locked") || line.contains("another program holds"))
        .collect();
    assert_eq!(lines, [""; 0]);
}

fn by_rest(way: &Way, writer: usize, each: usize) {
    for number in 0..each {
        let body = json!({"text": text(writer, number)});
        let reply = way.rest("POST", FACTS, Some(&body)).unwrap();
        assert_eq!(
            (reply.status, &reply.json()["indexed"]),
            (201, &json!(true)),
            "{}",
            reply.text()
        );
    }
}

fn by_mcp(server: &TestServer, app: &Path, writer: usize, each: usize) {
    let mut agent = Mcp::connect(server, Some(app));
    for number in 0..each {
        let arguments = json!({"text": text(writer, number), "scope": "global"});
        agent.done("coffer__remember", &arguments);
    }
}

fn by_shim(server: &TestServer, app: &Path, writer: usize, each: usize) {
    let mut agent = Shim::start(server, app, "shim-agent");
    for number in 0..each {
        let arguments = json!({"text": text(writer, number), "scope": "global"});
        agent.done("coffer__remember", &arguments);
    }
}

fn by_command_line(server: &TestServer, writer: usize, each: usize) {
    for number in 0..each {
        let text = text(writer, number);
        let typed = server.command("coffer").args(["memory", "add", "--global", &text]).output();
        let typed = typed.unwrap();
        let said = String::from_utf8_lossy(&typed.stderr).into_owned();
        assert!(typed.status.success() && said.is_empty(), "{said}");
    }
}

fn text(writer: usize, number: usize) -> String {
    format!("writer {writer} says walnut number {number}")
}

#[test]
fn eight_writers_lose_nothing() {
    let each = count(40, 200);
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let began = Instant::now();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (server, app) = (&server, &app);
            scope.spawn(move || match writer {
                0 | 1 => by_mcp(server, app, writer, each),
                2 => by_shim(server, app, writer, each),
                3 | 4 => by_rest(&Way::port(server), writer, each),
                5 => by_rest(&Way::socket(server), writer, each),
                _ => by_command_line(server, writer, each),
            });
        }
    });
    println!("8 × {each} writes in {:?}", began.elapsed());
    let bodies: HashSet<String> = tree::files(&server.home().memory().join("global/knowledge"))
        .values()
        .map(|bytes| tree::body(bytes).unwrap().to_owned())
        .collect();
    let sent: HashSet<String> =
        (0..8).flat_map(|writer| (0..each).map(move |number| text(writer, number))).collect();
    assert!(bodies == sent, "{:?}", sent.difference(&bodies).next());
    assert_eq!(server.get(FACTS).json()["total"], 8 * each);
    assert_eq!(derived::rows(&server.home(), "documents"), 8 * each as u64);
    assert_no_lock_was_met(&server);
    derived::assert_rebuildable(&server, "after eight writers");
}

#[test]
fn of_eight_edits_of_one_version_one_wins() {
    let rounds = count(10, 100);
    let server = TestServer::start();
    let added = server.post(FACTS, &json!({"text": "the base"})).json();
    let fact = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    let file = added["path"].as_str().unwrap().to_owned();
    let mut retired = vec!["the base".to_owned()];
    for round in 0..rounds {
        let base = server.get(&fact).json()["content_sha256"].clone();
        let start = Barrier::new(8);
        let replies: Vec<_> = std::thread::scope(|scope| {
            let editors: Vec<_> = (0..8)
                .map(|editor| {
                    let (server, fact, base, start) = (&server, &fact, &base, &start);
                    scope.spawn(move || {
                        let text = format!("round {round} belongs to editor {editor}");
                        start.wait();
                        server.patch(fact, &json!({"text": text, "if_sha256": base}))
                    })
                })
                .collect();
            editors.into_iter().map(|editor| editor.join().unwrap()).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 7), "round {round}");
        let current = sha256(std::fs::read(&file).unwrap());
        assert_eq!(won[0].json()["content_sha256"], current, "round {round}");
        for reply in lost {
            assert_eq!(reply.refusal(), (409, "VERSION_CONFLICT".to_owned()), "round {round}");
            let told = &reply.json()["error"]["details"]["current_sha256"];
            assert_eq!(*told, current, "round {round}: {}", reply.text());
        }
        retired.push(won[0].json()["text"].as_str().unwrap().to_owned());
    }
    retired.pop();
    let mut kept: Vec<String> = tree::files(&server.home().memory().join("global/superseded"))
        .values()
        .map(|bytes| tree::body(bytes).unwrap().to_owned())
        .collect();
    kept.sort();
    retired.sort();
    assert_eq!(kept, retired, "each version that was replaced is kept once");
    derived::assert_rebuildable(&server, "after the edits");
}

#[test]
fn edits_that_name_no_version_follow_one_another() {
    let each = count(5, 25);
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let added = server.post(FACTS, &json!({"text": "the base"})).json();
    let fact = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    std::thread::scope(|scope| {
        for editor in 0..8 {
            let (server, fact, app) = (&server, &fact, &app);
            scope.spawn(move || {
                for number in 0..each {
                    let text = format!("editor {editor}, number {number}");
                    let edited = server.patch(fact, &json!({"text": text}));
                    assert_eq!(edited.status, 200, "{}", edited.text());
                    let scene = json!({"cwd": app, "body": text});
                    let saved = server.post("/api/v1/handoff", &scene);
                    assert_eq!(saved.status, 200, "{}", saved.text());
                }
            });
        }
    });
    // All versions but the last one are kept, of the fact and of the scene.
    let memory = tree::files(&server.home().memory());
    let kept = memory.keys().filter(|path| path.contains("superseded/")).count();
    assert_eq!(kept, 8 * each + 8 * each - 1);
    assert_no_lock_was_met(&server);
    derived::assert_rebuildable(&server, "after the edits");
}

#[test]
fn readers_do_not_wait_for_writers() {
    let server = TestServer::start();
    for number in 0..50 {
        let reply = server.post(FACTS, &json!({"text": format!("walnut number {number}")}));
        assert_eq!(reply.status, 201);
    }
    let stop = AtomicBool::new(false);
    let written = AtomicUsize::new(0);
    let mut took: Vec<Duration> = Vec::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (server, stop, written) = (&server, &stop, &written);
            scope.spawn(move || {
                let way = Way::port(server);
                while !stop.load(Ordering::Relaxed) {
                    by_rest(&way, writer, 1);
                    written.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..count(60, 600) {
            let began = Instant::now();
            let asked = json!({"query": "walnut number 7"});
            let recalled = server.post("/api/v1/memory_stores/global/recall", &asked);
            took.push(began.elapsed());
            let found = recalled.json()["hits"].as_array().map_or(0, Vec::len);
            assert!(recalled.status == 200 && found > 0, "{}", recalled.text());
        }
        stop.store(true, Ordering::Relaxed);
    });
    took.sort();
    let slow = took[took.len() * 95 / 100];
    println!("p95 {slow:?} of {} recalls beside {written:?} writes", took.len());
    assert!(slow < Duration::from_secs(2), "{slow:?}");
    assert_no_lock_was_met(&server);
}
