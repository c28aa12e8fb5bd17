//! Meaning beside words, with a model over real HTTP: turned on, used, failing, changed, turned off.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::meaning::{EMBEDDING, Meaning, is_embedded};
use crate::support::tree::eventually;

const GLOBAL: &str = "/api/v1/memory_stores/global";

fn remember(server: &TestServer, text: &str) {
    assert_eq!(server.post(&format!("{GLOBAL}/facts"), &json!({"text": text})).status, 201);
}

fn recall(server: &TestServer, body: &Value) -> Value {
    server.post(&format!("{GLOBAL}/recall"), body).json()
}

fn first(answer: &Value) -> &str {
    answer["hits"][0]["text"].as_str().unwrap_or_default()
}

#[test]
fn what_means_the_same_is_found_once_a_model_is_set() {
    let (server, meaning) = (TestServer::start(), Meaning::start());
    remember(&server, "the automobile is red");
    remember(&server, "a physician of ships");
    let asked = json!({"query": "car"});
    assert_eq!(recall(&server, &asked)["hits"], json!([]));
    assert_eq!(server.put(EMBEDDING, &meaning.settings("small")).status, 200);
    eventually("embedded", || is_embedded(&server));
    let answer = recall(&server, &asked);
    assert_eq!((first(&answer), &answer["mode"]), ("the automobile is red", &json!("hybrid")));
    assert_eq!(answer["fallback"], false);
    let answer = recall(&server, &json!({"query": "doctor", "mode": "vector"}));
    assert_eq!((first(&answer), &answer["mode"]), ("a physician of ships", &json!("vector")));
    // What is remembered from now on is embedded by itself.
    remember(&server, "the river is wide");
    eventually("embedded", || is_embedded(&server));
    assert_eq!(first(&recall(&server, &json!({"query": "stream"}))), "the river is wide");
    let status = server.get("/api/v1/status").json();
    assert_eq!(status["embedding"]["configured"], true);
    assert_eq!(status["degraded"], json!([]));
    // Turned off, words alone answer, and nothing waits.
    server.put(EMBEDDING, &Value::Null);
    let answer = recall(&server, &asked);
    assert_eq!((&answer["hits"], &answer["mode"]), (&json!([]), &json!("keyword")));
    let modes = || server.get(&format!("{GLOBAL}/metrics")).json()["indexed_modes"].clone();
    eventually("the vectors are gone", || modes() == json!(["grep", "keyword"]));
}

#[test]
fn a_provider_that_fails_costs_nothing_but_the_meaning() {
    let (server, meaning) = (TestServer::start(), Meaning::start());
    meaning.down.store(true, Ordering::SeqCst);
    remember(&server, "the automobile is red");
    // Its width has to be asked for, which fails too; the settings stand all the same.
    assert_eq!(server.put(EMBEDDING, &meaning.settings("small")).status, 200);
    let answer = recall(&server, &json!({"query": "automobile"}));
    assert_eq!((first(&answer), &answer["mode"]), ("the automobile is red", &json!("keyword")));
    assert_eq!(answer["fallback"], true);
    let degraded = || server.get("/api/v1/status").json()["degraded"].to_string();
    eventually("the status says so", || degraded().contains("wait for vectors"));
    let doctor = server.get("/api/v1/doctor").json();
    let rows = doctor["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["check"] == "vectors").unwrap();
    assert_eq!(row["state"], "warning", "{row}");
    assert!(row["fix"].is_string(), "{row}");
    meaning.down.store(false, Ordering::SeqCst);
    // A while, or the settings once more, have it tried again.
    server.put(EMBEDDING, &meaning.settings("small"));
    eventually("embedded", || is_embedded(&server));
    assert_eq!(first(&recall(&server, &json!({"query": "car"}))), "the automobile is red");
    // A model that thinks for too long does not hold the answer up.
    meaning.slow.store(4_000, Ordering::SeqCst);
    let began = std::time::Instant::now();
    let answer = recall(&server, &json!({"query": "automobile"}));
    assert_eq!((first(&answer), &answer["fallback"]), ("the automobile is red", &json!(true)));
    assert!(began.elapsed().as_millis() < 3_500, "{:?}", began.elapsed());
}

#[test]
fn no_secret_leaves_for_a_model() {
    let (server, meaning) = (TestServer::start(), Meaning::start());
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5");
    remember(&server, "the automobile is red");
    // By hand, since what is remembered is scrubbed before it is written.
    let inbox = server.home().memory().join("global/knowledge/inbox");
    std::fs::write(inbox.join("hand.md"), format!("a physician whose key is {token}\n")).unwrap();
    server.put(EMBEDDING, &meaning.settings("small"));
    recall(&server, &json!({"query": "physician"}));
    eventually("embedded", || is_embedded(&server));
    let answer = recall(&server, &json!({"query": format!("doctor {token}")}));
    assert_eq!(answer["mode"], "hybrid");
    assert!(first(&answer).contains(&token), "the file is the person's own");
    let asked = meaning.asked();
    assert!(asked.len() >= 2);
    for asked in asked {
        assert!(!asked.whole().contains(&token), "{}", asked.whole());
    }
}
