//! A change of the model, killed again and again: the old vectors answer or the new ones do, and the
//! next start finishes it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use super::FACTS;
use crate::support::chance::{Chance, count};
use crate::support::meaning::{EMBEDDING, Meaning, is_embedded};
use crate::support::tree::eventually;
use crate::support::{TestServer, derived};

const RECALL: &str = "/api/v1/memory_stores/global/recall";
/// Some batches of passages, each of which is a moment to be killed in.
const DOCUMENTS: usize = 300;

fn ask(server: &TestServer) -> Value {
    server.post(RECALL, &json!({"query": "car", "mode": "vector", "top_k": 1})).json()
}

#[test]
fn a_change_of_the_model_is_old_or_new_wherever_it_is_killed() {
    let kills = count(6, 40);
    let mut chance = Chance::told("model change");
    let (mut server, meaning) = (TestServer::start(), Meaning::start());
    let inbox = server.home().memory().join("global/knowledge/inbox");
    server.post(FACTS, &json!({"text": "the automobile is red"}));
    for number in 0..DOCUMENTS {
        std::fs::write(inbox.join(format!("{number}.md")), format!("a stream, {number}")).unwrap();
    }
    server.put(EMBEDDING, &meaning.settings("small"));
    server.post(RECALL, &json!({"query": "stream"}));
    eventually("embedded", || is_embedded(&server));
    for kill in 0..kills {
        let wanted = if kill % 2 == 0 { "large" } else { "small" };
        let when = format!("kill {kill}, to `{wanted}`");
        meaning.slow.store(30, Ordering::SeqCst);
        server.put(EMBEDDING, &meaning.settings(wanted));
        std::thread::sleep(Duration::from_millis(chance.below(500) as u64));
        server.kill();
        server.start_again();
        assert_eq!(server.get(EMBEDDING).json()["model"], wanted, "{when}: acknowledged");
        let answer = ask(&server);
        assert_eq!(answer["mode"], "vector", "{when}: {answer}");
        assert_eq!(answer["hits"][0]["text"], "the automobile is red", "{when}");
        meaning.slow.store(0, Ordering::SeqCst);
        let is_finished = || {
            ask(&server);
            is_embedded(&server) && meaning.last_model() == wanted
        };
        eventually(&when, is_finished);
        assert_eq!(ask(&server)["hits"][0]["text"], "the automobile is red", "{when}");
        let degraded = server.get("/api/v1/status").json()["degraded"].clone();
        assert_eq!(degraded, json!([]), "{when}");
    }
    let doctor = server.get("/api/v1/doctor").json();
    let rows = doctor["rows"].as_array().unwrap();
    let bad: Vec<&Value> = rows.iter().filter(|row| row["state"] == "error").collect();
    assert!(bad.is_empty(), "{bad:?}");
    server.put(EMBEDDING, &Value::Null);
    derived::assert_rebuildable(&server, "after the last kill");
}
