//! What a person does in Codex's `/hooks`: approving hooks, by Codex itself. It says what each hook's
//! hash is, and writes that it is trusted. Coffer never does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::codex;
use super::household::Household;

/// Codex, as an editor talks to it.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

/// Approves all hooks, and gives what Codex warned of.
#[track_caller]
pub fn approve(household: &Household) -> Vec<Value> {
    let mut server = Server::start(household);
    let listed = server.ask("hooks/list", &json!({"cwds": [household.project]}));
    let edits: Vec<Value> = hooks(&listed)
        .map(|hook| {
            let state =
                json!({hook["key"].as_str().unwrap(): {"trusted_hash": hook["currentHash"]}});
            json!({"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"})
        })
        .collect();
    server.ask("config/batchWrite", &json!({"edits": edits}));
    let listed = server.ask("hooks/list", &json!({"cwds": [household.project]}));
    assert!(hooks(&listed).all(|hook| hook["trustStatus"] == "trusted"), "{listed}");
    listed["data"][0]["warnings"].as_array().unwrap().clone()
}

fn hooks(listed: &Value) -> impl Iterator<Item = &Value> {
    listed["data"][0]["hooks"].as_array().unwrap().iter()
}

impl Server {
    fn start(household: &Household) -> Self {
        let mut command = household.command(&codex::AGENT);
        let command = command.arg("app-server").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn().unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut server = Self { process, input, output, last: 0 };
        server.ask("initialize", &json!({"clientInfo": {"name": "coffer-tests", "version": "1"}}));
        server.send(&json!({"method": "initialized"}));
        server
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    #[track_caller]
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.send(&json!({"id": self.last, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "Codex ended: {method}");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == self.last && message["method"].is_null() {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Without input it ends.
        drop(self.input.take());
        _ = self.process.wait();
    }
}
