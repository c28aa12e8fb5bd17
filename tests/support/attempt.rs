//! Requests to a server that may die at any moment: a reply counts only when it came whole.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Place, Reply, Request, Stream};
use super::mcp::{STATELESS, message_of};
use super::server::TestServer;

/// A client's way to a server: the loopback port as programs and agents have it, or the owner's
/// socket as the command line has it.
#[derive(Debug, Clone)]
pub struct Way {
    place: Place,
    headers: [(&'static str, String); 2],
}

impl Way {
    /// Over the port.
    pub fn port(server: &TestServer) -> Self {
        let host = format!("127.0.0.1:{}", server.info.port);
        let token = format!("Bearer {}", server.info.token);
        Self { place: server.port(), headers: [("host", host), ("authorization", token)] }
    }

    /// Over the socket, where nobody asks for a token.
    pub fn socket(server: &TestServer) -> Self {
        let headers = [("host", "localhost".to_owned()), ("x-unused", String::new())];
        Self { place: server.socket(), headers }
    }

    /// A REST call.
    pub fn rest(&self, method: &str, path: &str, body: Option<&Value>) -> Option<Reply> {
        let base = self.request(method, path);
        let request = match body {
            Some(body) => base.json(body),
            None => base,
        };
        attempt(&self.place, &request)
    }

    /// A tool call without a session, from a folder: its result, or the protocol's error.
    pub fn tool(&self, name: &str, arguments: &Value, cwd: &Path) -> Option<Value> {
        let call = tool_call(&self.request("POST", "/mcp"), name, arguments, cwd);
        let reply = attempt(&self.place, &call)?;
        (reply.status == 200).then(|| message_of(&reply, 1)["result"].clone())
    }

    fn request(&self, method: &str, path: &str) -> Request {
        let new = Request::new(method, path);
        self.headers.iter().fold(new, |request, (name, value)| request.header(name, value))
    }
}

/// A tool call in the revision that needs no session.
pub fn tool_call(base: &Request, name: &str, arguments: &Value, cwd: &Path) -> Request {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": name, "arguments": arguments,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientInfo": {"name": "test-agent", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    base.clone()
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", STATELESS)
        .header("mcp-method", "tools/call")
        .header("mcp-name", name)
        .header("x-coffer-cwd", cwd.to_str().unwrap())
        .json(&message)
}

/// Sends a request; `None` when no whole reply came back.
pub fn attempt(place: &Place, request: &Request) -> Option<Reply> {
    let mut stream = connect(place)?;
    // A server may answer, and close, before it read everything.
    _ = stream.write_all(&request.bytes());
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let reply = Reply::read(&bytes);
    let length: Option<usize> = reply.header("content-length").and_then(|text| text.parse().ok());
    let is_whole = match length {
        Some(length) => reply.body.len() == length,
        None => reply.status == 204 || bytes.ends_with(b"0\r\n\r\n"),
    };
    (reply.status != 0 && is_whole).then_some(reply)
}

fn connect(place: &Place) -> Option<Box<dyn Stream>> {
    let patience = Some(Duration::from_secs(30));
    match place {
        Place::Port(port) => {
            let stream = TcpStream::connect(("127.0.0.1", *port)).ok()?;
            stream.set_read_timeout(patience).ok()?;
            Some(Box::new(stream))
        }
        Place::Socket(path) => {
            let stream = UnixStream::connect(path).ok()?;
            stream.set_read_timeout(patience).ok()?;
            Some(Box::new(stream))
        }
    }
}
