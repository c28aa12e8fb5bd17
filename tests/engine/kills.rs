//! A server that dies at any moment of a pass: the next pass goes on, and every fact is there once.

use std::time::Duration;

use serde_json::json;

use super::organize::faithful;
use super::rough::rule_of;
use super::scripted::{calls, files, pass, provider, remember, said};
use crate::support::TestServer;
use crate::support::attempt::Way;
use crate::support::chance::{Chance, count};

const ORGANIZE: &str = "/api/v1/memory_stores/global/organize?wait=60";
/// Facts of a pass.
const FACTS: usize = 12;

#[test]
fn a_pass_survives_any_kill() {
    let chance = &mut Chance::told("a pass and kills");
    let provider = provider(faithful);
    for round in 0..count(6, 60) {
        let mut server = TestServer::start();
        super::scripted::configure(&server, &provider);
        for number in 0..FACTS {
            remember(&server, &format!("Fact number f{number}f."));
        }
        let after = Duration::from_micros(chance.next() % 250_000);
        let way = Way::port(&server);
        // No whole reply comes where the server dies first.
        let asked = std::thread::spawn(move || way.rest("POST", ORGANIZE, None));
        std::thread::sleep(after);
        server.kill();
        drop(asked.join().unwrap());
        server.start_again();
        let left = files(&server, "knowledge/inbox").len();
        // The job that was cut off goes on by itself; a pass of ours waits for its turn.
        pass(&server, "organize");
        let knowledge = files(&server, "knowledge");
        let text: String = knowledge.iter().map(|(_, text)| text.as_str()).collect();
        for number in 0..FACTS {
            let fact = format!("Fact number f{number}f.");
            assert_eq!(
                text.matches(&fact).count(),
                1,
                "round {round}, {after:?}, {left} left: {text}"
            );
        }
        assert_eq!(files(&server, "knowledge/inbox").len(), 0, "round {round}");
        let retired = files(&server, "superseded");
        let items = retired.iter().filter(|(name, _)| name.starts_with("knowledge--inbox--"));
        assert_eq!(items.count(), FACTS, "round {round}");
        let waiting = server.home().curating();
        let waiting = std::fs::read_dir(waiting).map_or(0, Iterator::count);
        assert_eq!(waiting, 0, "round {round}");
        let doctor = server.get("/api/v1/doctor?deep=true").json();
        let rows = doctor["rows"].as_array().unwrap();
        let bad: Vec<_> = rows.iter().filter(|row| row["state"] == json!("error")).collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}

/// A rule is added once, even where the model says it in other words when it is asked again.
#[test]
fn a_rule_is_not_doubled_by_any_kill() {
    let chance = &mut Chance::told("rules and kills");
    let provider = provider(rule_of);
    for round in 0..count(6, 60) {
        let mut server = TestServer::start();
        super::scripted::configure(&server, &provider);
        for number in 0..FACTS {
            remember(&server, &format!("Always mind r{number}r."));
        }
        let after = Duration::from_micros(chance.next() % 250_000);
        let way = Way::port(&server);
        let asked = std::thread::spawn(move || way.rest("POST", ORGANIZE, None));
        std::thread::sleep(after);
        server.kill();
        drop(asked.join().unwrap());
        server.start_again();
        pass(&server, "organize");
        let rules: String = files(&server, "rules").into_iter().map(|(_, text)| text).collect();
        for number in 0..FACTS {
            let rule = format!("- Always mind r{number}r.");
            assert_eq!(rules.matches(&rule).count(), 1, "round {round}, {after:?}: {rules}");
        }
        assert_eq!(files(&server, "knowledge/inbox").len(), 0, "round {round}");
    }
}

/// What stood in `knowledge/` stands there still or in `superseded/`, whenever the server dies.
#[test]
fn a_reorg_loses_no_byte_at_any_kill() {
    let chance = &mut Chance::told("a reorg and kills");
    let provider = provider(|chat| {
        let tools = chat.messages.iter().filter(|message| message["role"] == "tool").count();
        let slug = |number: usize| format!("topic-{}", number % 6);
        match tools {
            0 => {
                calls(&(0..6).map(|n| ("read_topic", json!({"slug": slug(n)}))).collect::<Vec<_>>())
            }
            6..18 => {
                let body = format!("Fact t{0}t, told anew {tools}.", tools % 6);
                let text =
                    json!({"slug": slug(tools), "title": "T", "description": "D", "body": body});
                calls(&[("write_topic", text)])
            }
            18..22 => {
                calls(&[("supersede_topic", json!({"slug": slug(tools), "reason": "joined"}))])
            }
            _ => said("done"),
        }
    });
    for round in 0..count(6, 60) {
        let mut server = TestServer::start();
        super::scripted::configure(&server, &provider);
        remember(&server, "Makes the store.");
        let folder = server.home().memory().join("global/knowledge");
        for number in 0..6 {
            let text = format!("# T\n\nFact t{number}t.\n");
            std::fs::write(folder.join(format!("topic-{number}.md")), text).unwrap();
        }
        let before = files(&server, "knowledge");
        let after = Duration::from_micros(chance.next() % 200_000);
        let way = Way::port(&server);
        let path = ORGANIZE.replace("organize", "reorg");
        let asked = std::thread::spawn(move || way.rest("POST", &path, None));
        std::thread::sleep(after);
        server.kill();
        drop(asked.join().unwrap());
        let kept: Vec<String> = ["knowledge", "superseded"]
            .iter()
            .flat_map(|lane| files(&server, lane))
            .map(|(_, text)| text)
            .collect();
        for (name, text) in before {
            assert!(kept.contains(&text), "round {round}, {after:?}: {name} is lost");
        }
        server.start_again();
        assert_eq!(server.get("/api/v1/memory_stores/global/facts").status, 200);
    }
}
