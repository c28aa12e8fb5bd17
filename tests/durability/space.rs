//! A full disk, and a limit on the size of files: old bytes stay, callers learn why, reads go on, and
//! once there is room everything works without a restart.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::FACTS;
use crate::support::mcp::Mcp;
use crate::support::mount::SmallDisk;
use crate::support::{Reply, TestServer, derived, project, tree};

/// No refusal may take longer.
const SOON: Duration = Duration::from_secs(3);

/// A server on a disk of its own; `None` where there can be none.
fn on_small_disk() -> Option<(TestServer, SmallDisk)> {
    let mut disk = None;
    let server = TestServer::start_with(|home| disk = SmallDisk::mount(home.root(), 4096));
    disk.map(|disk| (server, disk))
}

/// Takes all room that is left; removing the file gives it back.
fn fill(disk: &SmallDisk) -> PathBuf {
    let path = disk.place().join("filler");
    let mut file = File::create(&path).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    while file.write_all(&[0]).is_ok() {}
    path
}

#[track_caller]
fn no_space(reply: &Reply, what: &str) {
    assert_eq!(reply.refusal(), (507, "NO_SPACE".to_owned()), "{what}: {}", reply.text());
    let error = reply.json()["error"].clone();
    let path = error["details"]["path"].as_str().unwrap();
    assert!(path.starts_with('/') && error["message"].as_str().unwrap().contains(path), "{error}");
}

fn hits(server: &TestServer, query: &str) -> usize {
    let recalled = server.post("/api/v1/memory_stores/global/recall", &json!({"query": query}));
    assert_eq!(recalled.status, 200, "{}", recalled.text());
    recalled.json()["hits"].as_array().unwrap().len()
}

#[test]
fn a_full_disk_refuses_writes_and_serves_reads() {
    let Some((server, disk)) = on_small_disk() else { return };
    let app = project::repository(server.folder(), "app");
    let long = "胡桃 walnut ".repeat(700);
    let added = server.post(FACTS, &json!({"text": long})).json();
    let fact = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    let scene = json!({"cwd": app, "body": "half way"});
    assert_eq!(server.post("/api/v1/handoff", &scene).status, 200);
    derived::read_all(&server);
    let before = tree::files(&server.home().memory());
    let filler = fill(&disk);

    let began = Instant::now();
    no_space(&server.post(FACTS, &json!({"text": long})), "remember");
    no_space(&server.patch(&fact, &json!({"text": long.replace("walnut", "almond")})), "edit");
    let more = json!({"cwd": app, "body": long.repeat(5)});
    no_space(&server.post("/api/v1/handoff", &more), "hand over");
    let label = json!({"label": "x".repeat(200)});
    no_space(&server.patch("/api/v1/memory_stores/global/label", &label), "label");
    no_space(&server.put("/api/v1/settings", &json!({"daily_token_cap": 5})), "settings");
    let mut agent = Mcp::connect(&server, Some(&app));
    let failed = agent.failed("coffer__remember", &json!({"text": long}));
    assert_eq!(failed["code"], "NO_SPACE", "{failed}");
    let typed =
        server.command("coffer").args(["memory", "add", "--global", &long]).output().unwrap();
    let said = String::from_utf8_lossy(&typed.stderr).into_owned();
    assert!(typed.status.code() == Some(5) && said.contains("no space"), "{said}");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());

    assert!(tree::files(&server.home().memory()) == before, "a refusal changed the files");
    assert_eq!(server.get(&fact).json()["text"], long.trim_end());
    assert_eq!(hits(&server, "walnut"), 5.min(hits(&server, "胡桃")));
    for path in [FACTS, "/api/v1/memory_stores", "/api/v1/status", "/api/v1/doctor"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let resumed = server.get(&format!("/api/v1/resume?cwd={}", app.display())).json();
    assert_eq!(resumed["body"], "half way");

    std::fs::remove_file(filler).unwrap();
    let after = server.post(FACTS, &json!({"text": "an almond, once there is room"}));
    assert_eq!(after.status, 201, "{}", after.text());
    assert_eq!(hits(&server, "almond"), 1);
    derived::assert_rebuildable(&server, "after there was room");
}

#[test]
fn what_was_acknowledged_while_the_disk_filled_is_there() {
    let Some((server, disk)) = on_small_disk() else { return };
    // Leaves some room, which text and index then share.
    let filler = fill(&disk);
    File::options().write(true).open(&filler).unwrap().set_len(1 << 20).unwrap();
    let mut acknowledged = Vec::new();
    let mut refused = 0;
    for number in 0.. {
        let text = format!("fact {number}: {}", "walnut ".repeat(number % 600));
        let began = Instant::now();
        let reply = server.post(FACTS, &json!({"text": text}));
        assert!(began.elapsed() < SOON, "{number}: {:?}", began.elapsed());
        match reply.status {
            201 => acknowledged.push((reply.json()["id"].clone(), text.trim_end().to_owned())),
            _ => {
                no_space(&reply, &format!("fact {number}"));
                refused += 1;
            }
        }
        if refused == 20 {
            break;
        }
    }
    assert!(acknowledged.len() > 20, "{}", acknowledged.len());
    assert_eq!(tree::residue(&server.home()), [""; 0]);
    std::fs::remove_file(filler).unwrap();
    for (id, text) in &acknowledged {
        let found: Value = server.get(&format!("{FACTS}/{}", id.as_str().unwrap())).json();
        assert_eq!(found["text"], *text);
    }
    assert_eq!(server.get(FACTS).json()["total"], acknowledged.len());
    assert_eq!(hits(&server, "fact 7"), 5);
    derived::assert_rebuildable(&server, "after there was room");
    println!("{} acknowledged, {refused} refused", acknowledged.len());
}

#[test]
fn a_limit_on_the_size_of_files_ends_no_server() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    assert_eq!(server.post("/api/v1/handoff", &json!({"cwd": app, "body": "before"})).status, 200);
    limit(&server, "100000:");
    let long = "胡桃".repeat(30_000);
    no_space(&server.post("/api/v1/handoff", &json!({"cwd": app, "body": long})), "hand over");
    for number in 0..20 {
        let reply = server.post(FACTS, &json!({"text": format!("walnut {number}")}));
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    let resumed = server.get(&format!("/api/v1/resume?cwd={}", app.display())).json();
    assert_eq!(resumed["body"], "before");
    assert_eq!(tree::residue(&server.home()), [""; 0]);
    limit(&server, "unlimited:");
    assert_eq!(server.post("/api/v1/handoff", &json!({"cwd": app, "body": long})).status, 200);
    assert_eq!(hits(&server, "walnut"), 5);
    derived::assert_rebuildable(&server, "after the limit was lifted");
}

/// Sets the soft limit on file sizes of a running server.
fn limit(server: &TestServer, size: &str) {
    let pid = server.info.pid.to_string();
    let size = format!("--fsize={size}");
    let set = Command::new("prlimit").args(["--pid", &pid, &size]).status().unwrap();
    assert!(set.success());
}
