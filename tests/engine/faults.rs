//! A disk that fails while a pass runs: what it could not file stays in the inbox and in no other place, and the
//! next pass files it.

use serde_json::json;

use super::organize::faithful;
use super::rough::rule_of;
use super::scripted::{answered, files, pass, provider, remember};
use crate::support::TestServer;
use crate::support::chance::{Chance, count};
use crate::support::trace::Strace;

/// Facts of a pass.
const FACTS: usize = 9;

#[test]
fn every_fact_stands_in_one_place_whichever_call_fails() {
    let chance = &mut Chance::told("a pass and faults");
    // New topics, topics that take in, and rules.
    let provider = provider(|chat| {
        let text = chat.material()["item"]["text"].as_str().unwrap().to_owned();
        match text.bytes().find(u8::is_ascii_digit).unwrap() % 3 {
            0 => answered(&json!({"action": "create", "topic": "one", "title": "One",
                "description": "", "body": text})),
            1 => rule_of(chat),
            _ => faithful(chat),
        }
    });
    for round in 0..count(8, 60) {
        let server = TestServer::start();
        super::scripted::configure(&server, &provider);
        for number in 0..FACTS {
            remember(&server, &format!("Fact f{number}f."));
        }
        let call = ["renameat2", "fsync"][round % 2];
        let error = ["EIO", "EACCES", "ENOSPC"][round % 3];
        let (first, step) = (1 + chance.next() % 12, 3 + chance.next() % 5);
        let fault = format!("inject={call}:error={error}:when={first}+{step}");
        let strace = Strace::attach(&server, &["-e", &format!("trace={call}"), "-e", &fault]);
        server.trigger("/api/v1/memory_stores/global/organize?wait=60");
        strace.detach();
        let check = |when: &str, most: usize| {
            let lanes = ["knowledge", "rules"].map(|lane| files(&server, lane)).concat();
            for number in 0..FACTS {
                let fact = format!("Fact f{number}f.");
                let places: Vec<&str> = lanes
                    .iter()
                    // What a write that failed left behind is hidden, and swept at the next start.
                    .filter(|(name, text)| !name.contains(".coffer-tmp-") && text.contains(&fact))
                    .map(|(name, _)| name.as_str())
                    .collect();
                let is_so = (1..=most).contains(&places.len());
                assert!(is_so, "{when} of round {round}, {fault}: {fact} {places:?}");
            }
        };
        // Where taking a text back failed, too, the record of it stands for the next pass.
        check("at the end", 2);
        pass(&server, "organize");
        check("after the next pass", 1);
        assert_eq!(files(&server, "knowledge/inbox").len(), 0, "round {round}, {fault}");
    }
}
