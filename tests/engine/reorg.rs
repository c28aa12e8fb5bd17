//! Reorg: a loop of four tools over the topics.

use serde_json::{Value, json};

use super::scripted::{Chat, calls, files, pass, said, served};
use crate::support::TestServer;

fn topic(server: &TestServer, slug: &str, body: &str) {
    let folder = server.home().memory().join("global/knowledge");
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("---\ntitle: {slug}\ndescription: About {slug}.\n---\n\n{body}\n");
    std::fs::write(folder.join(format!("{slug}.md")), text).unwrap();
}

fn results(chat: &Chat) -> Vec<String> {
    let tools = chat.messages.iter().filter(|message| message["role"] == "tool");
    tools.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

fn written(slug: &str, body: &str) -> (&'static str, Value) {
    let arguments = json!({"slug": slug, "title": slug, "description": "New.", "body": body});
    ("write_topic", arguments)
}

fn read(slug: &str) -> (&'static str, Value) {
    ("read_topic", json!({"slug": slug}))
}

fn supersede(slug: &str) -> (&'static str, Value) {
    ("supersede_topic", json!({"slug": slug, "reason": "joined"}))
}

fn store(server: &TestServer) {
    super::scripted::remember(server, "Makes the store.");
}

#[test]
fn topics_are_joined_and_what_goes_is_kept() {
    let (server, provider) = served(|chat| {
        assert_eq!(chat.tools, ["list_topics", "read_topic", "write_topic", "supersede_topic"]);
        match results(chat).len() {
            0 => calls(&[("list_topics", json!({}))]),
            1 => calls(&[read("ports"), read("net")]),
            3 => calls(&[written("ports", "Port 80 and port 443, in `net.rs`.")]),
            4 => calls(&[supersede("net")]),
            _ => said("Joined two."),
        }
    });
    store(&server);
    topic(&server, "ports", "Port 80.");
    topic(&server, "net", "Port 443, in `net.rs`.");
    let before = files(&server, "knowledge");
    let done = pass(&server, "reorg");
    assert_eq!(
        done,
        json!({"status": "reorganized", "topics_before": 2, "topics_after": 1,
            "topics_written": 1, "topics_superseded": 1, "lost": [], "problems": [],
            "model": "scripted"})
    );
    let last = given_back(&provider);
    assert!(last[0].contains("\"slug\":\"net\"") && last[1].contains("Port 80."), "{last:?}");
    let retired: Vec<String> =
        files(&server, "superseded").into_iter().map(|(_, text)| text).collect();
    for (name, text) in before.iter().filter(|(name, _)| !name.contains("inbox")) {
        assert!(retired.contains(text), "{name}");
    }
    let index = &files(&server, "knowledge")[0];
    assert_eq!(index.1, "# Topics\n\n- [ports](<ports.md>): New.\n");
    let audit = server.get("/api/v1/audit?event=memory_reorganized").json();
    assert_eq!(audit["events"][0]["counts"]["superseded"], 1, "{audit}");
}

/// What the tools gave, as the last request holds it.
fn given_back(provider: &coffer_corpus::provider::Provider) -> Vec<String> {
    let body: Value = serde_json::from_str(&provider.asked().last().unwrap().body).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let tools = messages.filter(|message| message["role"] == "tool");
    tools.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_lost_is_named_in_report_and_log() {
    let (server, _provider) = served(|chat| match results(chat).len() {
        0 => calls(&[read("ports")]),
        1 => calls(&[written("ports", "There are ports.")]),
        _ => said("done"),
    });
    store(&server);
    topic(&server, "ports", "Port 8080 of `net.rs`.");
    let done = pass(&server, "reorg");
    assert_eq!(done["lost"], json!(["8080", "net.rs"]), "{done}");
    let log = server.get("/api/v1/memory_stores/global/consolidation-log").json();
    assert!(log["text"].as_str().unwrap().contains("reorg lost `8080`, `net.rs`"), "{log}");
}

#[test]
fn a_model_that_misuses_its_tools_is_told_and_harms_nothing() {
    let (server, provider) = served(|chat| match results(chat).len() {
        0 => calls(&[
            ("delete_everything", json!({})),
            ("read_topic", json!({"slug": "../../config"})),
            ("read_topic", json!({"name": "ports"})),
            written("ports", "Overwritten unread."),
            supersede("ports"),
            written("../../evil", "Evil 1."),
            written("empty", " "),
            read("INDEX"),
        ]),
        _ => said("done"),
    });
    store(&server);
    topic(&server, "ports", "Port 8080.");
    let done = pass(&server, "reorg");
    assert_eq!(
        (&done["topics_written"], &done["topics_superseded"]),
        (&json!(1), &json!(0)),
        "{done}"
    );
    let told = given_back(&provider);
    let reasons = [
        "there is no tool",
        "there is no topic",
        "the arguments are wrong",
        "read `ports` first",
        "read `ports` first",
        "\"written\":\"evil\"",
        "`body`",
        "there is no topic",
    ];
    for (told, reason) in told.iter().zip(reasons) {
        assert!(told.contains(reason), "{reason}: {told}");
    }
    let topics = files(&server, "knowledge");
    assert!(topics.iter().any(|(name, text)| name == "ports.md" && text.contains("Port 8080.")));
    assert!(topics.iter().any(|(name, _)| name == "evil.md"));
}

#[test]
fn a_loop_without_an_end_is_ended() {
    let (server, provider) = served(|_| calls(&[("list_topics", json!({}))]));
    store(&server);
    topic(&server, "ports", "Port 8080.");
    let done = pass(&server, "reorg");
    assert_eq!((&done["status"], &done["topics_written"]), (&json!("reorganized"), &json!(0)));
    assert_eq!(provider.asked().len(), 40);
}

#[test]
fn a_topic_that_changed_meanwhile_is_left_alone() {
    let server = TestServer::start();
    let file = server.home().memory().join("global/knowledge/ports.md");
    let edited = file.clone();
    let provider = super::scripted::provider(move |chat| match results(chat).len() {
        0 => calls(&[read("ports")]),
        1 => {
            std::fs::write(&edited, "Mine now, port 9.\n").unwrap();
            calls(&[written("ports", "Port 8080."), supersede("ports")])
        }
        _ => said("done"),
    });
    super::scripted::configure(&server, &provider);
    store(&server);
    topic(&server, "ports", "Port 8080.");
    let done = pass(&server, "reorg");
    assert_eq!(
        (&done["topics_written"], &done["topics_superseded"]),
        (&json!(0), &json!(0)),
        "{done}"
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), "Mine now, port 9.\n");
    let told = given_back(&provider);
    assert!(told[1].contains("changed meanwhile") && told[2].contains("changed meanwhile"));
}

#[test]
fn a_topic_that_was_deleted_meanwhile_does_not_come_back() {
    let server = TestServer::start();
    let file = server.home().memory().join("global/knowledge/ports.md");
    let deleted = file.clone();
    let provider = super::scripted::provider(move |chat| match results(chat).len() {
        0 => calls(&[read("ports")]),
        1 => {
            std::fs::remove_file(&deleted).unwrap();
            calls(&[written("ports", "Port 8080.")])
        }
        _ => said("done"),
    });
    super::scripted::configure(&server, &provider);
    store(&server);
    topic(&server, "ports", "Port 8080.");
    let done = pass(&server, "reorg");
    assert!(given_back(&provider)[1].contains("taken away meanwhile"), "{done}");
    assert!(!file.exists() && done["topics_written"] == 0, "{done}");
}

#[test]
fn nothing_to_tidy_asks_nobody() {
    let (server, provider) = served(|_| said("?"));
    store(&server);
    assert_eq!(pass(&server, "reorg")["status"], "empty");
    assert!(provider.asked().is_empty());
    let none = TestServer::start();
    assert_eq!(pass(&none, "reorg")["status"], "no_model");
}
