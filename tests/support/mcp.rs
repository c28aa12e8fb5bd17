//! A small MCP client over HTTP: sessions of the older revisions, calls of the newer ones.

use std::path::Path;

use serde_json::{Value, json};

use super::http::{Place, Reply, Request};
use super::server::TestServer;

/// A client with a session.
pub struct Mcp {
    place: Place,
    base: Request,
    session: Option<String>,
    last: u64,
}

/// The revision that [`Mcp`] speaks.
pub const SESSIONS: &str = "2025-06-18";
/// The revision without sessions.
pub const STATELESS: &str = "2026-07-28";

impl Mcp {
    /// Opens a session over the loopback port.
    pub fn connect(server: &TestServer, cwd: Option<&Path>) -> Self {
        Self::open(server.port(), &server.request("POST", "/mcp"), cwd, "test-agent")
    }

    /// Opens a session over a place, with the headers of a request.
    pub fn open(place: Place, base: &Request, cwd: Option<&Path>, agent: &str) -> Self {
        let mut base = base.clone().header("accept", "application/json, text/event-stream");
        if let Some(cwd) = cwd {
            base = base.header("x-coffer-cwd", cwd.to_str().unwrap());
        }
        let mut client = Self { place, base, session: None, last: 0 };
        client.call("initialize", &hello(SESSIONS, agent));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    /// The session's id.
    pub fn session(&self) -> &str {
        self.session.as_deref().unwrap()
    }

    /// Pretends to have another session.
    pub fn with_session(mut self, session: &str) -> Self {
        self.session = Some(session.to_owned());
        self
    }

    /// Sends one message.
    pub fn send(&mut self, message: &Value) -> Reply {
        let mut request = self.base.clone().json(message);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
            request = request.header("mcp-protocol-version", SESSIONS);
        }
        let reply = request.send(&self.place);
        if let Some(session) = reply.header("mcp-session-id") {
            self.session = Some(session.to_owned());
        }
        reply
    }

    /// Asks, and gives the whole JSON-RPC reply.
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        let reply = self.send(&message);
        message_of(&reply, self.last)
    }

    /// Asks for what must succeed.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null() && !answer["result"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool: its whole result.
    #[track_caller]
    pub fn tool(&mut self, name: &str, arguments: &Value) -> Value {
        self.call("tools/call", &json!({"name": name, "arguments": arguments}))
    }

    /// Calls a tool that must succeed: its structured result.
    #[track_caller]
    pub fn done(&mut self, name: &str, arguments: &Value) -> Value {
        let result = self.tool(name, arguments);
        assert_ne!(result["isError"], true, "{result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must fail: its error, as in REST.
    #[track_caller]
    pub fn failed(&mut self, name: &str, arguments: &Value) -> Value {
        let result = self.tool(name, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        serde_json::from_str::<Value>(text).unwrap()["error"].clone()
    }
}

/// The parameters of a session's first request.
pub fn hello(version: &str, agent: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {},
        "clientInfo": {"name": agent, "version": "1"}})
}

/// What a server says of itself to a client of a revision.
pub fn greeting(server: &TestServer, version: &str) -> Value {
    let request =
        server.request("POST", "/mcp").header("accept", "application/json, text/event-stream");
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello(version, "x")});
    message_of(&request.json(&message).send(&server.port()), 1)["result"].clone()
}

/// One call without a session, in the newest revision.
pub fn stateless(server: &TestServer, method: &str, params: &Value, cwd: Option<&Path>) -> Reply {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": {"name": "new-agent", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut request = server
        .request("POST", "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", STATELESS)
        .header("mcp-method", method);
    if let Some(name) = params["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    if let Some(cwd) = cwd {
        request = request.header("x-coffer-cwd", cwd.to_str().unwrap());
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    request.json(&message).send(&server.port())
}

/// The reply to a request, out of plain JSON or a stream of events.
#[track_caller]
pub fn message_of(reply: &Reply, id: u64) -> Value {
    let streamed = reply.header("content-type").is_some_and(|kind| kind.contains("event-stream"));
    if !streamed {
        return reply.json();
    }
    let text = reply.text();
    text.lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok())
        .find(|message| message["id"] == id && message["method"].is_null())
        .unwrap_or_else(|| panic!("no reply to {id}: {} {text}", reply.status))
}
