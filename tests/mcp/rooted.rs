//! A client that is asked for its roots while its own call is under way.

use std::io::{Read as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use crate::support::http::{Reply, connect};
use crate::support::{Request, TestServer};

/// A session of it.
pub struct Rooted<'a> {
    server: &'a TestServer,
    base: Request,
}

impl<'a> Rooted<'a> {
    pub fn connect(server: &'a TestServer) -> Self {
        let base =
            server.request("POST", "/mcp").header("accept", "application/json, text/event-stream");
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {"roots": {"listChanged": true}},
            "clientInfo": {"name": "rooted", "version": "1"}}});
        let reply = base.clone().json(&hello).send(&server.port());
        let base = base.header("mcp-session-id", reply.header("mcp-session-id").unwrap());
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        base.clone().json(&ready).send(&server.port());
        Self { server, base }
    }

    /// Recalls in the project; each question for the roots goes to `on_question` by its id.
    pub fn recall(&self, query: &str, mut on_question: impl FnMut(&Value)) -> Value {
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params":
            {"name": "coffer__recall", "arguments": {"query": query, "scope": "project"}}});
        let mut stream = connect(&self.server.port());
        stream.write_all(&self.base.clone().json(&call).bytes()).unwrap();
        let (mut bytes, mut seen) = (Vec::new(), 0);
        loop {
            let mut buffer = [0; 4096];
            let length = stream.read(&mut buffer).unwrap();
            assert_ne!(length, 0, "no result: {}", String::from_utf8_lossy(&bytes));
            bytes.extend_from_slice(&buffer[..length]);
            let messages = messages(&bytes);
            for message in messages.iter().skip(seen) {
                if message["method"] == "roots/list" {
                    on_question(&message["id"]);
                }
                if message["id"] == 2 && !message["result"].is_null() {
                    return message["result"].clone();
                }
            }
            seen = messages.len();
        }
    }

    /// Answers a question with one folder.
    pub fn answer(&self, question: &Value, root: &Path) {
        let uri = format!("file://{}", root.to_str().unwrap());
        let roots = json!({"jsonrpc": "2.0", "id": question, "result": {"roots": [{"uri": uri}]}});
        self.base.clone().json(&roots).send(&self.server.port());
    }
}

fn messages(bytes: &[u8]) -> Vec<Value> {
    let text = Reply::read(bytes).text();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
}
