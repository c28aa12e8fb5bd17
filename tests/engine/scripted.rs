//! A provider that writes: it is told what to answer by what it is asked.

use std::time::Duration;

use coffer_corpus::provider::{Answer, Asked, Provider};
use serde_json::{Value, json};

use crate::support::TestServer;

/// A request for a text.
pub struct Chat {
    /// Which request it is, from 0.
    pub number: usize,
    /// The last turn: the material, a demand for repair, or what a tool gave.
    pub last: String,
    /// All turns.
    pub messages: Vec<Value>,
    /// Names of the tools.
    pub tools: Vec<String>,
}

impl Chat {
    fn read(number: usize, asked: &Asked) -> Self {
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        let messages = body["messages"].as_array().unwrap().clone();
        let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
        let tools = body["tools"].as_array().into_iter().flatten();
        Self {
            number,
            last: text(messages.last().unwrap()),
            tools: tools.map(|it| it["function"]["name"].as_str().unwrap().to_owned()).collect(),
            messages,
        }
    }

    /// The material, as JSON.
    pub fn material(&self) -> Value {
        let user = self.messages.iter().find(|message| message["role"] == "user").unwrap();
        serde_json::from_str(user["content"].as_str().unwrap()).unwrap()
    }
}

/// A provider that answers chats by a script.
pub fn provider(script: impl Fn(&Chat) -> Answer + Send + Sync + 'static) -> Provider {
    Provider::start(move |number, asked| script(&Chat::read(number, asked)))
}

/// Lets a server use a provider.
pub fn configure(server: &TestServer, provider: &Provider) {
    let engine = json!({"provider": "lmstudio", "model": "scripted", "base_url": provider.url()});
    let set = server.put("/api/v1/settings/engine", &engine);
    assert_eq!(set.status, 200, "{}", set.text());
}

/// A server with a provider.
pub fn served(script: impl Fn(&Chat) -> Answer + Send + Sync + 'static) -> (TestServer, Provider) {
    let server = TestServer::start();
    let provider = provider(script);
    configure(&server, &provider);
    (server, provider)
}

/// An answer of a text.
pub fn said(text: &str) -> Answer {
    chat(&json!({"role": "assistant", "content": text}))
}

/// An answer of JSON.
pub fn answered(value: &Value) -> Answer {
    said(&value.to_string())
}

/// Calls of tools: names and arguments.
pub fn calls(calls: &[(&str, Value)]) -> Answer {
    let call = |(number, (name, arguments)): (usize, &(&str, Value))| {
        json!({"id": format!("c{number}"), "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()}})
    };
    let calls: Vec<Value> = calls.iter().enumerate().map(call).collect();
    chat(&json!({"role": "assistant", "content": null, "tool_calls": calls}))
}

fn chat(message: &Value) -> Answer {
    let usage = json!({"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100});
    let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
    Answer::json(200, &json!({"choices": choices, "usage": usage}).to_string())
}

/// The same, later.
pub fn late(answer: Answer, after: Duration) -> Answer {
    std::thread::sleep(after);
    answer
}

/// A fact of the global store; its id.
pub fn remember(server: &TestServer, text: &str) -> String {
    let made = server.post("/api/v1/memory_stores/global/facts", &json!({"text": text}));
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()["id"].as_str().unwrap().to_owned()
}

/// What a route of the global store answers to a POST, waited for.
pub fn pass(server: &TestServer, what: &str) -> Value {
    let mut done = server.trigger(&format!("/api/v1/memory_stores/global/{what}?wait=20"));
    if done.status == 200 {
        return done.json();
    }
    assert_eq!(done.status, 202, "{}", done.text());
    let job = done.json()["job"]["id"].as_str().unwrap().to_owned();
    loop {
        std::thread::sleep(Duration::from_millis(200));
        done = server.get(&format!("/api/v1/jobs/{job}"));
        let told = done.json();
        match told["state"].as_str() {
            Some("queued" | "running") => {}
            state => {
                assert_eq!(state, Some("done"), "{told}");
                return told["result"][what].clone();
            }
        }
    }
}

/// The files below a folder of the global store, by their names, with their texts.
pub fn files(server: &TestServer, folder: &str) -> Vec<(String, String)> {
    let root = server.home().memory().join("global").join(folder);
    let mut found = Vec::new();
    collect(&root, "", &mut found);
    found.sort();
    found
}

fn collect(folder: &std::path::Path, prefix: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), found),
            false => found.push((name, std::fs::read_to_string(entry.path()).unwrap())),
        }
    }
}
