//! Edits by other programs, while the server runs and while it does not: the next read sees them, ids
//! stay, nothing is doubled, and what did not change is not indexed again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{FACTS, remember};
use crate::support::chance::count;
use crate::support::{TestServer, derived, tree};

fn hits(server: &TestServer, query: &str) -> Vec<Value> {
    let reply = server.post("/api/v1/memory_stores/global/recall", &json!({"query": query}));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["hits"].as_array().unwrap().clone()
}

fn total(server: &TestServer) -> u64 {
    server.get(FACTS).json()["total"].as_u64().unwrap()
}

/// A way in which an editor saves: its name, and what it does to a file that is to hold a text.
type Save = (&'static str, fn(&Path, &str));

const SAVES: &[Save] = &[
    ("write in place", |path, text| fs::write(path, text).unwrap()),
    ("truncate, then write in pieces", |path, text| {
        use std::io::Write as _;
        let mut file = fs::File::create(path).unwrap();
        for piece in text.as_bytes().chunks(text.len() / 3 + 1) {
            file.write_all(piece).unwrap();
            file.flush().unwrap();
        }
    }),
    ("write beside it, rename over it", |path, text| {
        let beside = path.with_extension("md.tmp");
        fs::write(&beside, text).unwrap();
        fs::rename(&beside, path).unwrap();
    }),
    ("write hidden beside it, rename over it", |path, text| {
        let beside = path.with_file_name(".#note.swp");
        fs::write(&beside, text).unwrap();
        fs::rename(&beside, path).unwrap();
    }),
    ("as vim does: keep the old one, write a new one, remove the old one", |path, text| {
        let folder = path.parent().unwrap();
        fs::write(folder.join("4913"), "").unwrap();
        fs::remove_file(folder.join("4913")).unwrap();
        let old = path.with_extension("md~");
        fs::rename(path, &old).unwrap();
        fs::write(path, text).unwrap();
        fs::remove_file(old).unwrap();
    }),
    ("as emacs does: a copy of the old one stays", |path, text| {
        fs::copy(path, path.with_extension("md~")).unwrap();
        fs::write(path, text).unwrap();
    }),
    ("remove it, then write it", |path, text| {
        fs::remove_file(path).unwrap();
        fs::write(path, text).unwrap();
    }),
    ("sed -i", |path, text| {
        let whole = path.with_extension("new");
        fs::write(&whole, text).unwrap();
        // Reads the new text at the first line, and deletes every line of the old one.
        let script = format!("1r {}", whole.display());
        let sed = Command::new("sed").args(["-i", "-e", &script, "-e", "d"]).arg(path).status();
        assert!(sed.unwrap().success());
        fs::remove_file(whole).unwrap();
    }),
];

#[test]
fn every_way_to_save_is_seen_by_the_next_read() {
    let server = TestServer::start();
    for (at, (name, save)) in SAVES.iter().enumerate() {
        let added = remember(&server, &format!("the old text {at}: walnut{at}"));
        let fact = format!("{FACTS}/{}", added["id"].as_str().unwrap());
        let path = PathBuf::from(added["path"].as_str().unwrap());
        let before = total(&server);
        let text = fs::read_to_string(&path).unwrap();
        for round in 0..3 {
            let word = format!("almond{at}x{round}");
            save(&path, &text.replace(&format!("walnut{at}"), &word));
            let found = hits(&server, &word);
            assert_eq!(found[0]["id"], added["id"], "{name}, round {round}");
            assert!(server.get(&fact).json()["text"].as_str().unwrap().contains(&word), "{name}");
            assert_eq!(total(&server), before, "{name}, round {round}");
            // The same again changes nothing.
            let now = fs::read_to_string(&path).unwrap();
            save(&path, &now);
            assert_eq!(hits(&server, &word)[0]["id"], added["id"], "{name}, round {round}, again");
        }
        assert!(hits(&server, &format!("walnut{at}")).is_empty(), "{name}: the old text is found");
    }
    derived::assert_rebuildable(&server, "after all ways to save");
}

/// Changes a file and gives it its times back.
fn edit_unseen(path: &Path, from: &str, to: &str) {
    let times = fs::metadata(path).unwrap();
    let times = fs::FileTimes::new()
        .set_modified(times.modified().unwrap())
        .set_accessed(times.accessed().unwrap());
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from) && from.len() == to.len());
    fs::write(path, text.replace(from, to)).unwrap();
    fs::File::options().write(true).open(path).unwrap().set_times(times).unwrap();
}

#[test]
fn an_edit_of_the_same_size_and_time_is_seen() {
    let mut server = TestServer::start();
    let added = remember(&server, "deploy with walnut");
    let path = PathBuf::from(added["path"].as_str().unwrap());
    assert_eq!(hits(&server, "walnut").len(), 1);
    edit_unseen(&path, "walnut", "almond");
    assert_eq!(hits(&server, "almond").len(), 1);
    server.kill();
    edit_unseen(&path, "almond", "cashew");
    server.start_again();
    assert_eq!(hits(&server, "cashew").len(), 1);
    assert_eq!(hits(&server, "almond").len(), 0);
    derived::assert_rebuildable(&server, "after edits nobody sees");
}

#[test]
fn touched_files_are_not_indexed_again() {
    let server = TestServer::start();
    let many = count(200, 2000);
    let folder = server.home().memory().join("global/knowledge");
    fs::create_dir_all(&folder).unwrap();
    for number in 0..many {
        fs::write(folder.join(format!("n{number}.md")), format!("walnut {number}\n")).unwrap();
    }
    assert_eq!(total(&server), many as u64);
    let now = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        let file = fs::File::options().write(true).open(entry.path()).unwrap();
        file.set_modified(now).unwrap();
    }
    let second = server.trigger("/api/v1/reindex?wait=120").json();
    let counts = (&second["documents_scanned"], &second["documents_reindexed"]);
    assert_eq!(counts, (&json!(many), &json!(0)), "{second}");
    derived::assert_rebuildable(&server, "after a touch");
}

#[test]
fn what_was_done_while_the_server_was_down_is_seen_by_the_first_read() {
    let each = count(40, 100);
    let mut server = TestServer::start();
    let facts: Vec<Value> =
        (0..each * 3).map(|number| remember(&server, &format!("old walnut {number}"))).collect();
    derived::read_all(&server);
    server.kill();
    let path = |fact: &Value| PathBuf::from(fact["path"].as_str().unwrap());
    for fact in &facts[..each] {
        fs::remove_file(path(fact)).unwrap();
    }
    for fact in &facts[each..2 * each] {
        let text = fs::read_to_string(path(fact)).unwrap();
        fs::write(path(fact), text.replace("old walnut", "new almond")).unwrap();
    }
    for number in 0..each {
        let file = format!("global/knowledge/added-{number}.md");
        fs::write(server.home().memory().join(file), format!("added cashew {number}\n")).unwrap();
    }
    server.start_again();
    assert_eq!(hits(&server, "cashew").len(), 5);
    assert_eq!(hits(&server, "almond").len(), 5);
    assert_eq!(total(&server), 3 * each as u64);
    let gone = format!("{FACTS}/{}", facts[0]["id"].as_str().unwrap());
    assert_eq!(server.get(&gone).status, 404);
    derived::assert_rebuildable(&server, "after a time without a server");
}

#[test]
fn files_that_are_moved_keep_their_ids() {
    let server = TestServer::start();
    let facts: Vec<Value> =
        (0..80).map(|number| remember(&server, &format!("walnut number {number}"))).collect();
    derived::read_all(&server);
    let knowledge = server.home().memory().join("global/knowledge");
    let first = PathBuf::from(facts[0]["path"].as_str().unwrap());
    fs::rename(&first, knowledge.join("a-topic.md")).unwrap();
    let fact = format!("{FACTS}/{}", facts[0]["id"].as_str().unwrap());
    let moved = server.get(&fact).json();
    assert!(moved["path"].as_str().unwrap().ends_with("knowledge/a-topic.md"), "{moved}");
    assert_eq!(total(&server), 80);

    // All of them at once: more than are taken for deleted, and none of them is.
    fs::rename(knowledge.join("inbox"), knowledge.join("older")).unwrap();
    assert_eq!(total(&server), 80, "{}", server.get("/api/v1/status").text());
    for fact in facts.iter().step_by(9) {
        let read = server.get(&format!("{FACTS}/{}", fact["id"].as_str().unwrap()));
        assert_eq!(read.json()["text"], fact["text"], "{}", read.text());
    }
    assert_eq!(server.get("/api/v1/status").json()["degraded"], json!([]));
    derived::assert_rebuildable(&server, "after everything moved");
}

#[test]
fn a_copy_of_a_file_is_a_fact_of_its_own() {
    let server = TestServer::start();
    let added = remember(&server, "a walnut that somebody copies");
    let path = PathBuf::from(added["path"].as_str().unwrap());
    let copy = path.with_file_name("z-copy.md");
    fs::copy(&path, &copy).unwrap();
    let found = hits(&server, "walnut");
    assert_eq!(found.len(), 2);
    let others: Vec<&Value> = found.iter().filter(|hit| hit["id"] != added["id"]).collect();
    assert_eq!(others.len(), 1, "two facts of one id");
    assert!(others[0]["source"].as_str().unwrap().ends_with("z-copy.md"), "{found:?}");
    assert_eq!(fs::read(&path).unwrap(), fs::read(&copy).unwrap(), "a file was changed for it");
    let doctor = server.get("/api/v1/doctor").text();
    assert!(doctor.contains("z-copy.md"), "{doctor}");
    // The copy is deleted by its own id, and the fact stays.
    let other = format!("{FACTS}/{}", others[0]["id"].as_str().unwrap());
    assert_eq!(server.delete(&other).status, 204);
    assert!(path.exists() && !copy.exists());
    derived::assert_rebuildable(&server, "after the copy went");
}

#[test]
fn marks_of_a_merge_are_text() {
    let server = TestServer::start();
    let added = remember(&server, "deploy with walnut");
    let path = PathBuf::from(added["path"].as_str().unwrap());
    let text = fs::read_to_string(&path).unwrap();
    let body = "<<<<<<< HEAD\ndeploy with almond\n=======\ndeploy with cashew\n>>>>>>> theirs\n";
    fs::write(&path, text.replace("\n\ndeploy with walnut\n", &format!("\n\n{body}"))).unwrap();
    assert_eq!(hits(&server, "cashew")[0]["id"], added["id"]);
    // In the header they make it unreadable, and the text is found all the same.
    let header =
        text.replace("metadata:\n", "<<<<<<< HEAD\ntitle: a\n=======\n>>>>>>> theirs\nmetadata:\n");
    fs::write(&path, &header).unwrap();
    assert_eq!(hits(&server, "deploy walnut").len(), 1);
    let doctor = server.get("/api/v1/doctor").text();
    assert!(doctor.contains(path.to_str().unwrap()), "{doctor}");
    assert_eq!(fs::read_to_string(&path).unwrap(), header);
    derived::assert_rebuildable(&server, "between two versions");
    assert_eq!(tree::residue(&server.home()), [""; 0]);
}
