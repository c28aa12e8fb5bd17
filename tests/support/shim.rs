//! An MCP client over the real shim's standard streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::mcp::SESSIONS;
use super::server::TestServer;

/// A shim and its streams; it ends when it is dropped.
pub struct Shim {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Shim {
    /// Starts the shim in a folder, as an agent would.
    pub fn start(server: &TestServer, cwd: &Path, agent: &str) -> Self {
        let mut process = server
            .command("coffer-mcp-shim")
            .args(["--agent", agent])
            .current_dir(cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut shim = Self { process, input, output, last: 0 };
        let hello = json!({"protocolVersion": SESSIONS, "capabilities": {},
            "clientInfo": {"name": agent, "version": "1"}});
        shim.call("initialize", &hello);
        shim.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        shim
    }

    /// Writes one line.
    pub fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Asks, and gives the whole JSON-RPC reply. Every line must be JSON-RPC.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the shim ended: {method}");
            let message: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["id"] == self.last && message["method"].is_null() {
                return message;
            }
        }
    }

    /// Asks for what must succeed.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null() && !answer["result"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must succeed: its structured result.
    #[track_caller]
    pub fn done(&mut self, name: &str, arguments: &Value) -> Value {
        let result = self.call("tools/call", &json!({"name": name, "arguments": arguments}));
        assert_ne!(result["isError"], true, "{result}");
        result["structuredContent"].clone()
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        drop(self.input.take());
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
