//! A folder that is taken into a knowledge base while the server is killed again and again: every
//! document is wholly in or wholly out, nothing is left over, and the repeat goes on.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::chance::{Chance, count};
use crate::support::{TestServer, derived, tree};

/// So long the rest of a folder may take, on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_mins(2);
/// So many files the folder has.
const FILES: usize = 200;

/// Each document has its original, and neither is without the other.
#[track_caller]
fn assert_whole(server: &TestServer, when: &str) {
    let base = server.home().root().join("knowledge/guide");
    let stems = |folder: &str| -> Vec<String> {
        let files = tree::files(&base.join(folder));
        files.keys().map(|name| name.split('.').next().unwrap().to_owned()).collect()
    };
    let (docs, raw) = (stems("docs"), stems("raw"));
    assert_eq!(docs, raw, "{when}");
    for (name, bytes) in tree::files(&base.join("docs")) {
        let original = std::fs::read(base.join("raw").join(&name)).unwrap();
        let original = String::from_utf8(original).unwrap();
        assert_eq!(tree::body(&bytes), Some(original.trim_end()), "{when}: `{name}`");
    }
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
}

fn has_ended(server: &TestServer) -> bool {
    let jobs = server.get("/api/v1/jobs").json();
    let is_open = |state: &str| ["queued", "running"].contains(&state);
    jobs["jobs"].as_array().unwrap().iter().all(|job| !is_open(job["state"].as_str().unwrap()))
}

#[test]
fn a_folder_that_is_taken_in_survives_any_kill() {
    let mut chance = Chance::told("folders");
    let mut server = TestServer::start();
    let folder = server.folder().join("pages");
    for number in 0..FILES {
        let file = folder.join(format!("{}/{number}.md", number % 7));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, format!("# Page {number}\n\nwalnut {number}\n")).unwrap();
    }
    server.post("/api/v1/knowledge_bases", &json!({"name": "guide"}));
    let documents = "/api/v1/knowledge_bases/guide/documents";
    let mut seen = Vec::new();
    for round in 0..count(6, 50) {
        let started = server.post(
            &format!("{documents}?wait=0"),
            &json!({"path": folder.to_str().unwrap(), "replace": true}),
        );
        assert!([200, 202].contains(&started.status), "{}", started.text());
        std::thread::sleep(Duration::from_millis(chance.below(400) as u64));
        server.kill();
        server.start_again();
        // What was begun goes on by itself.
        let until = Instant::now() + PATIENCE;
        while !has_ended(&server) {
            assert!(Instant::now() < until, "round {round}: the job does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
        let when = format!("round {round}");
        assert_whole(&server, &when);
        let total = server.get(&format!("{documents}?limit=1")).json()["total"].clone();
        assert_eq!(total, FILES, "{when}");
        derived::assert_rebuildable(&server, &when);
        seen.push(total);
        // Something for the next round to do.
        for number in 0..30 {
            let number = (number * 7 + round) % FILES;
            let file = folder.join(format!("{}/{number}.md", number % 7));
            std::fs::write(file, format!("# Page {number}\n\nalmond {round}\n")).unwrap();
        }
    }
    println!("{} kills", seen.len());
}
