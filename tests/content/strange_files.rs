//! What may stand in a store's folders beside notes: pipes, sockets, devices, links, giants, and the
//! trees of other programs. Nothing of it hangs a read, leads outside, or becomes a memory.

use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{FACTS, doctor_on, hits, id_of, put};
use crate::support::{TestServer, derived};

fn make(program: &str, arguments: &[&str]) {
    assert!(Command::new(program).args(arguments).status().unwrap().success(), "{program}");
}

#[test]
fn what_is_no_file_is_passed_over_and_listed() {
    let mut server = TestServer::start();
    put(&server, "note.md", "a walnut among strange things\n");
    id_of(&server, "walnut", "note.md");
    let secret = server.folder().join("secret.md");
    std::fs::write(&secret, "the hazelnut secret\n").unwrap();
    let knowledge = server.home().memory().join("global/knowledge");
    let at = |name: &str| knowledge.join(name);
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    make("mkfifo", &[&text("pipe.md")]);
    make("mknod", &[&text("device.md"), "c", "1", "3"]);
    let _socket = std::os::unix::net::UnixListener::bind(at("socket.md")).unwrap();
    symlink("/nowhere/at/all.md", at("dangling.md")).unwrap();
    symlink(&secret, at("leaving.md")).unwrap();
    symlink(server.folder(), at("folder-link")).unwrap();
    symlink(".", at("loop")).unwrap();
    make("truncate", &["-s", "1T", &text("sparse.md")]);
    // Written elsewhere first, since a part of it would be small enough.
    std::fs::write(server.folder().join("large.md"), vec![b'x'; 20 << 20]).unwrap();
    std::fs::rename(server.folder().join("large.md"), at("large.md")).unwrap();
    std::fs::create_dir(at("folder.md")).unwrap();
    std::fs::write(at("folder.md/inner.md"), "an almond in a folder\n").unwrap();
    let strange =
        ["pipe.md", "device.md", "socket.md", "dangling.md", "leaving.md", "sparse.md", "large.md"];
    for when in ["at once", "after a start"] {
        let began = Instant::now();
        id_of(&server, "walnut", "note.md");
        id_of(&server, "almond", "folder.md/inner.md");
        assert!(began.elapsed() < Duration::from_secs(5), "{when}: {:?}", began.elapsed());
        assert_eq!(server.get(FACTS).json()["total"], 2, "{when}");
        assert!(hits(&server, "hazelnut secret").is_empty(), "{when}: a link was followed");
        for name in strange.iter().chain(&["folder-link", "loop"]) {
            let row = doctor_on(&server, &at(name));
            assert!(row.is_some(), "{when}: nobody is told of `{name}`");
        }
        derived::read_all(&server);
        server.kill();
        server.start_again();
    }
    let reindexed = server.trigger("/api/v1/reindex").json();
    assert_eq!(reindexed["documents_removed"], 0, "{reindexed}");
    // A note whose place is taken by a pipe is not deleted, and holds up nobody.
    std::fs::remove_file(at("note.md")).unwrap();
    make("mkfifo", &[&text("note.md")]);
    let began = Instant::now();
    assert_eq!(server.get(FACTS).status, 200);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(doctor_on(&server, &at("note.md")).is_some());
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), "the hazelnut secret\n");
}

#[test]
fn trees_of_other_programs_are_no_memories() {
    let server = TestServer::start();
    put(&server, "note.md", "a walnut of my own\n");
    for name in [
        ".obsidian/walnut.md",
        ".git/walnut.md",
        ".trash/walnut.md",
        "node_modules/walnut/README.md",
        ".DS_Store",
        "Thumbs.db",
        "walnut.md.tmp",
        "walnut.md~",
        ".#walnut.md",
        "#walnut.md#",
        "4913",
        ".walnut.md.swp",
        "walnut.txt",
        ".coffer-tmp-0123456789abcdef",
        "INDEX.md",
    ] {
        put(&server, name, "a walnut of somebody else\n");
    }
    let found = hits(&server, "walnut");
    let sources: Vec<&str> = found.iter().map(|hit| hit["source"].as_str().unwrap()).collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(sources[0].ends_with("note.md"), "{sources:?}");
    derived::assert_rebuildable(&server, "among foreign trees");
}

#[test]
fn a_store_whose_settings_cannot_be_read_keeps_its_facts() {
    for (name, harm) in [
        ("no YAML", "label: [open\n"),
        ("a list", "- a\n- b\n"),
        ("a bomb", &format!("a: {}", "[".repeat(50_000))),
        ("empty", ""),
    ] {
        let mut server = TestServer::start();
        let added = super::remember(&server, &serde_json::json!({"text": "a walnut"}));
        let file = server.home().memory().join("global/store.yaml");
        std::fs::write(&file, harm).unwrap();
        for _ in 0..2 {
            assert_eq!(hits(&server, "walnut")[0]["id"], added["id"], "{name}");
            let stores = server.get("/api/v1/memory_stores").json();
            assert_eq!(stores["memory_stores"][0]["fact_count"], 1, "{name}: {stores}");
            server.kill();
            server.start_again();
        }
        let label = serde_json::json!({"label": "x"});
        let reply = server.patch("/api/v1/memory_stores/global/label", &label);
        let refused = reply.refusal() == (409, "NOT_EDITABLE".to_owned());
        assert!(refused || (name == "empty" && reply.status == 200), "{name}: {}", reply.text());
        if refused {
            assert_eq!(std::fs::read_to_string(&file).unwrap(), harm, "{name}");
        }
    }
}
