//! Which models are used, and trying them against a provider that answers by a script.

use coffer_corpus::provider::{Answer, Asked, Provider};
use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::meaning::is_embedded;
use crate::support::tree::eventually;

const EMBEDDING: &str = "/api/v1/settings/embedding";
const ENGINE: &str = "/api/v1/settings/engine";
const TRY_EMBEDDING: &str = "/api/v1/embedding/test";
const TRY_ENGINE: &str = "/api/v1/engine/test";
const KEY: &str = "test-key-of-the-only-host";

/// Answers vectors of three numbers, and a text.
fn answer(_number: usize, asked: &Asked) -> Answer {
    if asked.line.ends_with("/chat/completions") {
        return Answer::json(200, r#"{"choices": [{"message": {"content": "ok"}}]}"#);
    }
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let count = body["input"].as_array().unwrap().len();
    let rows: Vec<Value> =
        (0..count).map(|index| json!({"index": index, "embedding": [1, 2, 3]})).collect();
    Answer::json(200, &json!({"data": rows}).to_string())
}

fn settings(url: &str) -> Value {
    json!({"provider": "openai", "model": "m", "base_url": url, "credential_ref": "key"})
}

#[test]
fn models_are_set_shown_and_cleared() {
    let server = TestServer::start();
    assert_eq!(server.get(EMBEDDING).json(), Value::Null);
    assert_eq!(server.get(ENGINE).json(), Value::Null);
    let embedding = json!({"provider": "ollama", "model": "nomic-embed-text", "base_url": null,
        "credential_ref": null, "dimensions": 768});
    assert_eq!(server.put(EMBEDDING, &embedding).json(), embedding);
    let engine = json!({"provider": "openai", "model": "gpt", "base_url": null,
        "credential_ref": "key"});
    assert_eq!(server.put(ENGINE, &engine).json(), engine);
    let status = server.get("/api/v1/status").json();
    assert_eq!(
        status["embedding"],
        json!({"configured": true, "model": "nomic-embed-text", "dimensions": 768})
    );
    assert_eq!(
        status["engine"],
        json!({"configured": true, "model": "gpt", "tokens_today": 0, "daily_token_cap": 200_000})
    );
    let text = std::fs::read_to_string(server.home().config_file()).unwrap();
    assert!(text.contains("[embedding]") && text.contains("[engine]"), "{text}");
    for path in [EMBEDDING, ENGINE] {
        assert_eq!(server.put(path, &Value::Null).json(), Value::Null);
        assert_eq!(server.get(path).json(), Value::Null);
    }
    assert_eq!(server.get("/api/v1/status").json()["engine"]["configured"], false);
}

#[test]
fn what_is_refused_names_its_field() {
    let server = TestServer::start();
    let base = json!({"provider": "openai", "model": "m"});
    for (path, change, field) in [
        (EMBEDDING, json!({"provider": "nobody"}), "provider"),
        (EMBEDDING, json!({"model": ""}), "model"),
        (EMBEDDING, json!({"base_url": "http://169.254.169.254/latest"}), "base_url"),
        (EMBEDDING, json!({"base_url": "http://example.com"}), "base_url"),
        (EMBEDDING, json!({"credential_ref": "A b"}), "credential_ref"),
        (EMBEDDING, json!({"dimensions": 8193}), "dimensions"),
        (EMBEDDING, json!({"extra": 1}), "extra"),
        (ENGINE, json!({"provider": "local"}), "provider"),
        (ENGINE, json!({"provider": "azure"}), "base_url"),
        (ENGINE, json!({"dimensions": 3}), "dimensions"),
        (TRY_EMBEDDING, json!({"base_url": "http://0x7f.1.2.3.4"}), "base_url"),
        (TRY_ENGINE, json!({"base_url": "https://[fd00:ec2::254]"}), "base_url"),
    ] {
        let mut body = base.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let is_trial = path == TRY_EMBEDDING || path == TRY_ENGINE;
        let refused = if is_trial { server.post(path, &body) } else { server.put(path, &body) };
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}");
        assert_eq!(refused.fields(), [field], "{body}");
    }
    assert!(!server.home().config_file().exists());
    let empty = server.request("PUT", EMBEDDING).header("content-type", "application/json");
    assert_eq!(empty.send(&server.port()).refusal(), (400, "BAD_REQUEST".to_owned()));
}

#[test]
fn a_trial_asks_the_model_and_stores_nothing() {
    let server = TestServer::start();
    let provider = Provider::start(answer);
    for path in [TRY_EMBEDDING, TRY_ENGINE] {
        let none = server.trigger(path);
        assert_eq!(none.refusal(), (409, "NO_MODEL_CONFIGURED".to_owned()), "{path}");
    }
    let body = settings(&provider.url());
    let keyless = server.post(TRY_EMBEDDING, &body).json();
    assert_eq!((&keyless["ok"], keyless.get("dimension")), (&json!(false), None));
    assert!(keyless["message"].as_str().unwrap().contains("no credential `key`"), "{keyless}");
    assert!(provider.asked().is_empty());

    // A key that was used nowhere yet goes to no address that only this request names.
    server.put("/api/v1/credentials/key", &json!({"value": KEY}));
    for path in [TRY_EMBEDDING, TRY_ENGINE] {
        let refused = server.post(path, &body).json();
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains("save these settings first"), "{path}: {refused}");
    }
    assert!(provider.asked().is_empty());

    server.put(ENGINE, &body);
    let tried = server.post(TRY_EMBEDDING, &body).json();
    let message = "`m` answers vectors of 3 numbers";
    assert_eq!(tried, json!({"ok": true, "message": message, "dimension": 3}));
    assert_eq!(
        server.post(TRY_ENGINE, &body).json(),
        json!({"ok": true, "message": "`m` answers"})
    );
    assert_eq!(server.get(EMBEDDING).json(), Value::Null);

    server.put(EMBEDDING, &body);
    assert_eq!(server.trigger(TRY_EMBEDDING).json()["ok"], true);
    assert_eq!(server.trigger(TRY_ENGINE).json()["ok"], true);
    let bearer = format!("Bearer {KEY}");
    assert!(provider.asked().iter().all(|asked| asked.header("authorization") == Some(&bearer)));
}

#[test]
fn a_trial_binds_a_key_to_no_host() {
    let server = TestServer::start();
    server.put("/api/v1/credentials/key", &json!({"value": KEY}));
    for provider in [Provider::start(answer), Provider::start(answer)] {
        server.put(ENGINE, &settings(&provider.url()));
        assert_eq!(server.trigger(TRY_ENGINE).json()["ok"], true);
        assert_eq!(provider.asked().len(), 1);
    }
}

#[test]
fn a_key_is_not_sent_to_another_host_and_no_error_holds_it() {
    let server = TestServer::start();
    let (first, second) = (Provider::start(answer), Provider::start(answer));
    server.put("/api/v1/credentials/key", &json!({"value": KEY}));
    server.put(EMBEDDING, &settings(&first.url()));
    server.post("/api/v1/memory_stores/global/facts", &json!({"text": "the car is red"}));
    eventually("embedded", || is_embedded(&server));
    // It may be set so, and is not used so.
    assert_eq!(server.put(EMBEDDING, &settings(&second.url())).status, 200);
    let refused = server.trigger(TRY_EMBEDDING).json();
    assert_eq!(refused["ok"], false);
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("set the credential again") && !message.contains(KEY), "{message}");
    assert!(second.asked().is_empty());
    server.put("/api/v1/credentials/key", &json!({"value": KEY}));
    assert_eq!(server.trigger(TRY_EMBEDDING).json()["ok"], true);
    assert!(!second.asked().is_empty());

    let angry = Provider::start(|_, asked| {
        let body = json!({"error": {"message": asked.header("authorization")}});
        Answer::json(401, &body.to_string())
    });
    server.put("/api/v1/credentials/other", &json!({"value": KEY}));
    let mut other = settings(&angry.url());
    other["credential_ref"] = json!("other");
    server.put(ENGINE, &other);
    let refused = server.trigger(TRY_ENGINE).json();
    assert!(refused["message"].as_str().unwrap().contains("401: Bearer [redacted]"), "{refused}");
    assert!(!server.said().contains(KEY));
}
