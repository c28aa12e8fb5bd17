//! Files as people leave them, and people who work on while a pass runs: nothing is lost, nothing is held up,
//! and the report says what stays.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use coffer_domain::id::sha256;
use serde_json::{Value, json};

use super::organize::faithful;
use super::scripted::{Chat, answered, calls, files, pass, remember, said, served};
use crate::support::TestServer;

fn store(server: &TestServer) -> PathBuf {
    server.home().memory().join("global")
}

/// What a report says of an item.
fn reason<'r>(report: &'r Value, item: &str) -> &'r str {
    let problems = report["problems"].as_array().unwrap();
    let of = problems.iter().find(|it| it["item"].as_str().unwrap().ends_with(item));
    of.unwrap_or_else(|| panic!("{item}: {report}"))["reason"].as_str().unwrap()
}

const KEY: &str = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5";

#[test]
fn what_no_model_can_file_is_reported_and_holds_nothing_up() {
    let (server, provider) = served(faithful);
    remember(&server, "Deploy with make.");
    let inbox = store(&server).join("knowledge/inbox");
    std::fs::write(inbox.join("0-long.md"), "word ".repeat(10_000)).unwrap();
    std::fs::write(inbox.join("0-huge.md"), "x".repeat(17 << 20)).unwrap();
    std::fs::write(inbox.join("0-secret.md"), format!("The token is {KEY}.")).unwrap();
    std::fs::write(inbox.join(format!("{}.md", "n".repeat(240))), "Deploy by name.").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", inbox.join("0-link.md")).unwrap();
    for _ in 0..2 {
        let done = pass(&server, "organize");
        assert_eq!((&done["status"], &done["skipped"]), (&json!("organized"), &json!(5)), "{done}");
        for (item, wanted) in [
            ("0-long.md", "too long"),
            ("0-huge.md", "larger than 16 MiB"),
            ("0-secret.md", "secret"),
            ("nnn.md", "name too long"),
            ("0-link.md", "link"),
        ] {
            let said = reason(&done, item);
            assert!(said.contains(wanted), "{item}: {said}");
        }
        assert!(!done.to_string().contains(KEY), "{done}");
    }
    assert_eq!(std::fs::read_dir(&inbox).unwrap().count(), 5);
    let topics: Vec<String> = files(&server, "knowledge")
        .into_iter()
        .filter(|(name, _)| !name.contains('/') && name != "INDEX.md")
        .map(|(_, text)| text)
        .collect();
    assert_eq!(topics.len(), 1, "{topics:?}");
    assert!(topics[0].contains("Deploy with make.") && !topics[0].contains("by name"));
    assert!(provider.asked().iter().all(|asked| !asked.body.contains(KEY)));
}

#[test]
fn a_topic_that_could_not_come_back_whole_is_not_offered() {
    let (server, _provider) = served(|chat| {
        let material = chat.material();
        assert_eq!(material["topics"], json!([]), "{material}");
        faithful(chat)
    });
    remember(&server, "Makes the store.");
    let lane = store(&server).join("knowledge");
    std::fs::write(lane.join("a-bytes.md"), b"Deploy \xff zebras.").unwrap();
    std::fs::write(lane.join("b-header.md"), "---\ntitle: [a\n---\nDeploy zebras.").unwrap();
    std::fs::write(lane.join("c-long.md"), format!("Deploy zebras. {}", "word ".repeat(9_000)))
        .unwrap();
    std::fs::write(lane.join("d-secret.md"), format!("Deploy zebras with {KEY}.")).unwrap();
    std::fs::create_dir(lane.join("deploying.md")).unwrap();
    remember(&server, "Deploy zebras by hand.");
    let done = pass(&server, "organize");
    assert_eq!((&done["topics_created"], &done["skipped"]), (&json!(2), &json!(0)), "{done}");
    assert!(lane.join("deploying-2.md").is_file() && lane.join("deploying.md").is_dir());
}

/// The title of a note may be all that says it.
#[test]
fn what_only_a_title_says_is_not_dropped() {
    let (server, provider) = served(faithful);
    remember(&server, "Makes the store.");
    pass(&server, "organize");
    let note = "---\ntitle: Deploy to port 8443\n---\nSee the title.\n";
    std::fs::write(store(&server).join("knowledge/inbox/note.md"), note).unwrap();
    let done = pass(&server, "organize");
    assert!(reason(&done, "note.md").contains("`8443`"), "{done}");
    // A title that is only the file's name says nothing.
    std::fs::write(store(&server).join("knowledge/inbox/note.md"), "Deploy.\n").unwrap();
    std::fs::rename(
        store(&server).join("knowledge/inbox/note.md"),
        store(&server).join("knowledge/inbox/note-2026.md"),
    )
    .unwrap();
    let before = provider.asked().len();
    assert_eq!(pass(&server, "organize")["items_processed"], 1);
    assert_eq!(provider.asked().len(), before + 1);
}

#[test]
fn what_cannot_be_written_beside_the_topics_hides_nothing_of_the_report() {
    let (server, _provider) = served(faithful);
    remember(&server, "Deploy with make.");
    for blocked in ["knowledge/INDEX.md", "consolidation-log.md"] {
        std::fs::create_dir(store(&server).join(blocked)).unwrap();
    }
    let done = pass(&server, "organize");
    assert_eq!((&done["topics_created"], &done["skipped"]), (&json!(1), &json!(0)), "{done}");
    assert!(reason(&done, "knowledge/INDEX.md").contains("folder"), "{done}");
}

/// Somebody who edits item after item as they are filed: no word of it is retired before it found a place.
#[test]
fn no_edit_of_the_last_moment_is_retired_unfiled() {
    let (server, _provider) = served(faithful);
    for number in 0..24 {
        remember(&server, &format!("Deploy zebra z{number}z."));
    }
    let inbox = store(&server).join("knowledge/inbox");
    let is_over = Arc::new(AtomicBool::new(false));
    let editor = std::thread::spawn({
        let (inbox, is_over) = (inbox, Arc::clone(&is_over));
        move || {
            let mut added = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                for entry in std::fs::read_dir(&inbox).unwrap().flatten() {
                    let hidden = entry.file_name().to_string_lossy().starts_with('.');
                    let file = std::fs::OpenOptions::new().append(true).open(entry.path());
                    let Some(mut file) = file.ok().filter(|_| !hidden) else { continue };
                    let word = format!("e{}e", added.len());
                    std::io::Write::write_all(&mut file, format!("\n{word}\n").as_bytes()).unwrap();
                    added.push(word);
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            added
        }
    });
    for _ in 0..2 {
        pass(&server, "organize");
    }
    is_over.store(true, Ordering::Relaxed);
    let added = editor.join().unwrap();
    let knowledge: String = files(&server, "knowledge").into_iter().map(|(_, text)| text).collect();
    let lost: Vec<_> = added.iter().filter(|word| !knowledge.contains(word.as_str())).collect();
    assert!(lost.is_empty() && added.len() > 20, "{lost:?} of {}", added.len());
}

/// A dead process had written the topics of two items; one of these was edited since.
#[test]
fn only_what_found_its_place_is_retired_at_the_next_start() {
    let mut server = TestServer::start();
    let texts = ["Filed as it is.", "Filed, then edited."];
    let ids = texts.map(|text| remember(&server, text));
    let root = store(&server);
    let topic = "# Both\n\nFiled as it is. Filed, then edited.\n";
    std::fs::write(root.join("knowledge/both.md"), topic).unwrap();
    server.kill();
    let curating = server.home().curating();
    std::fs::create_dir_all(&curating).unwrap();
    for (number, id) in ids.iter().enumerate() {
        let tail = id[id.len() - 6..].to_lowercase();
        let inbox = std::fs::read_dir(root.join("knowledge/inbox")).unwrap().flatten();
        let path =
            inbox.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains(&tail));
        let path = path.unwrap();
        let record = json!({"root": root, "path": "knowledge/both.md", "sha256": sha256(topic),
            "item": format!("knowledge/inbox/{}", path.file_name().unwrap().to_str().unwrap()),
            "item_sha256": sha256(std::fs::read(&path).unwrap()), "at_micros": 1_780_000_000_000_000_i64});
        std::fs::write(curating.join(format!("{number}.json")), record.to_string()).unwrap();
        if number == 1 {
            std::fs::write(&path, "Edited since.").unwrap();
        }
    }
    server.start_again();
    let left = files(&server, "knowledge/inbox");
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0].1, "Edited since.");
    assert_eq!(std::fs::read_dir(&curating).unwrap().count(), 0);
}

#[test]
fn a_model_that_refuses_every_item_ends_the_pass() {
    let (server, provider) = served(|_| {
        coffer_corpus::provider::Answer::json(401, r#"{"error": {"message": "who are you"}}"#)
    });
    for number in 0..14 {
        remember(&server, &format!("Fact {number}."));
    }
    let done = pass(&server, "organize");
    assert_eq!((&done["status"], &done["skipped"]), (&json!("unavailable"), &json!(10)), "{done}");
    assert_eq!(provider.asked().len(), 10);
}

/// The same question costs nothing twice; another text, another topic or another model makes another one.
#[test]
fn what_the_model_keeps_is_asked_about_again_only_where_something_changed() {
    let (server, provider) = served(|_| answered(&json!({"action": "keep"})));
    let id = remember(&server, "Deploy zebras.");
    let asked = || {
        let before = provider.asked().len();
        let done = pass(&server, "organize");
        assert_eq!(done["items_processed"], 1, "{done}");
        provider.asked().len() - before
    };
    assert_eq!((asked(), asked()), (1, 0));
    let would = server.trigger("/api/v1/memory_stores/global/organize?dry_run=true").json();
    assert_eq!(would["would_send"], json!([]), "{would}");
    std::fs::write(store(&server).join("knowledge/zebras.md"), "# Zebras\n\nDeploy them.\n")
        .unwrap();
    assert_eq!((asked(), asked()), (1, 0));
    let fact = format!("/api/v1/memory_stores/global/facts/{id}");
    assert_eq!(server.patch(&fact, &json!({"text": "Deploy zebras twice."})).status, 200);
    assert_eq!((asked(), asked()), (1, 0));
    let engine = json!({"provider": "lmstudio", "model": "other", "base_url": provider.url()});
    assert_eq!(server.put("/api/v1/settings/engine", &engine).status, 200);
    assert_eq!((asked(), asked()), (1, 0));
}

/// What a model would not get whole, or not give back whole, it does not get.
#[test]
fn a_reorg_keeps_its_hands_off_secrets_and_long_texts() {
    let results = |chat: &Chat| {
        let tools = chat.messages.iter().filter(|message| message["role"] == "tool");
        tools.map(|it| it["content"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (server, provider) = served(move |chat| {
        let write = |slug: &str| {
            let text = json!({"slug": slug, "title": "T", "description": "", "body": "Less."});
            ("write_topic", text)
        };
        let read = |slug: &str| ("read_topic", json!({"slug": slug}));
        match results(chat).len() {
            0 => calls(&[read("secret"), read("long")]),
            2 => calls(&[write("secret"), write("long")]),
            _ => {
                let told = results(chat);
                assert!(told.iter().all(|it| it.starts_with("error: ")), "{told:?}");
                assert!(told[0].contains("secret") && told[1].contains("too long"), "{told:?}");
                said("Nothing to do.")
            }
        }
    });
    remember(&server, "Makes the store.");
    let lane = store(&server).join("knowledge");
    let texts = [("secret", format!("Log in with {KEY}.")), ("long", "word ".repeat(9_000))];
    for (slug, text) in &texts {
        std::fs::write(lane.join(format!("{slug}.md")), text).unwrap();
    }
    let done = pass(&server, "reorg");
    assert_eq!(
        (&done["status"], &done["topics_written"]),
        (&json!("reorganized"), &json!(0)),
        "{done}"
    );
    for (slug, text) in &texts {
        assert_eq!(std::fs::read_to_string(lane.join(format!("{slug}.md"))).unwrap(), *text);
    }
    assert!(provider.asked().iter().all(|asked| !asked.body.contains(KEY)));
}

/// A rule in other words each time that it is asked for, as models have it.
pub fn rule_of(chat: &Chat) -> coffer_corpus::provider::Answer {
    let text = chat.material()["item"]["text"].as_str().unwrap().to_owned();
    let rule = format!("{text} (asked {})", chat.number);
    answered(&json!({"action": "rule", "topic": "style", "rule": rule}))
}
