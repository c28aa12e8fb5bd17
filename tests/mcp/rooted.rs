//! A client that answers `roots/list` while its own call is under way.

use std::io::{Read as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use crate::support::http::{Reply, connect};
use crate::support::{Request, TestServer};

pub fn recall(server: &TestServer, root: &Path, query: &str) -> Value {
    let base =
        server.request("POST", "/mcp").header("accept", "application/json, text/event-stream");
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {"roots": {"listChanged": true}},
        "clientInfo": {"name": "rooted", "version": "1"}}});
    let reply = base.clone().json(&hello).send(&server.port());
    let base = base.header("mcp-session-id", reply.header("mcp-session-id").unwrap());
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    base.clone().json(&ready).send(&server.port());

    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "coffer__recall", "arguments": {"query": query, "scope": "project"}}});
    let mut stream = connect(&server.port());
    stream.write_all(&base.clone().json(&call).bytes()).unwrap();
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).unwrap();
        assert_ne!(length, 0, "no result: {}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&buffer[..length]);
        for message in messages(&bytes) {
            if message["method"] == "roots/list" && !bytes.ends_with(b"answered") {
                answer(server, &base, &message["id"], root);
            }
            if message["id"] == 2 && !message["result"].is_null() {
                return message["result"]["structuredContent"].clone();
            }
        }
    }
}

fn messages(bytes: &[u8]) -> Vec<Value> {
    let text = Reply::read(bytes).text();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
}

fn answer(server: &TestServer, base: &Request, id: &Value, root: &Path) {
    let uri = format!("file://{}", root.to_str().unwrap());
    let roots = json!({"jsonrpc": "2.0", "id": id, "result": {"roots": [{"uri": uri}]}});
    base.clone().json(&roots).send(&server.port());
}
