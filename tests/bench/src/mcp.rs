//! A minimal MCP client over streamable HTTP.

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::server::Server;

/// A session with the server's MCP endpoint.
pub(crate) struct Mcp<'a> {
    server: &'a Server,
    session: Option<String>,
}

impl<'a> Mcp<'a> {
    /// Opens a session.
    pub(crate) fn open(server: &'a Server) -> anyhow::Result<Self> {
        let mut mcp = Self { server, session: None };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}});
        mcp.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}))?;
        mcp.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(mcp)
    }

    /// Calls a tool and wants success.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<()> {
        let params = json!({"name": tool, "arguments": arguments});
        let text = self
            .send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))?;
        let mut events = text.lines().filter_map(|line| line.strip_prefix("data:"));
        // A stream begins with an empty event, from which a lost client could go on.
        let json = events.rfind(|line| !line.trim().is_empty()).unwrap_or(&text);
        let reply: Value = serde_json::from_str(json.trim()).context(text.clone())?;
        match &reply["result"]["isError"] {
            Value::Bool(true) => bail!("{tool}: {reply}"),
            _ if reply["result"].is_null() => bail!("{tool}: {reply}"),
            _ => Ok(()),
        }
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<String> {
        let mut headers = vec![("Accept", "application/json, text/event-stream")];
        if let Some(session) = &self.session {
            headers.push(("Mcp-Session-Id", session));
            headers.push(("MCP-Protocol-Version", "2025-06-18"));
        }
        let (status, session, text) = self.server.send("/mcp", message, &headers)?;
        if !(200..300).contains(&status) {
            bail!("/mcp: HTTP {status}: {text}");
        }
        self.session = session.or(self.session.take());
        Ok(text)
    }
}
