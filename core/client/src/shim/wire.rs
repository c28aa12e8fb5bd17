//! JSON-RPC as far as the bridge has to understand it. The one place where JSON has no type,
//! because messages pass through whatever they hold.

use serde_json::{Value, json};

use crate::error::ClientError;

/// The tools that change nothing and may therefore be called twice.
const READS: [&str; 3] = ["coffer__recall", "coffer__list_memory", "coffer__resume"];
/// Where a message of the stateless generation names its protocol version.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const SERVER_ERROR: i32 = -32000;

/// A message from the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    /// As it came, without the line's end.
    pub(super) line: String,
    /// The id as JSON; only requests and responses have one.
    pub(super) id: Option<String>,
    /// What is asked or told; responses have none.
    pub(super) method: Option<String>,
    /// What the method is about: a tool's name, a resource's address.
    pub(super) subject: Option<String>,
    /// The protocol version of a message of the stateless generation.
    pub(super) version: Option<String>,
}

impl Message {
    /// Reads a line; what is no message comes back as the reply that says so.
    pub(super) fn parse(line: String) -> Result<Self, String> {
        let value: Value = serde_json::from_str(&line)
            .map_err(|e| error("null", PARSE_ERROR, &format!("no JSON: {e}"), Value::Null))?;
        let id = value.get("id").map(Value::to_string);
        let method = value.get("method").and_then(Value::as_str).map(str::to_owned);
        if method.is_none() && value.get("result").is_none() && value.get("error").is_none() {
            let reason = if value.is_array() { "batches are not served" } else { "no message" };
            let id = id.as_deref().unwrap_or("null");
            return Err(error(id, INVALID_REQUEST, reason, Value::Null));
        }
        let params = value.get("params");
        let text = |key: &str| params.and_then(|params| params.get(key)?.as_str());
        let subject = text("name").or_else(|| text("uri")).map(str::to_owned);
        let meta = params.and_then(|params| params.get("_meta")?.get(VERSION)?.as_str());
        let version = meta.map(str::to_owned);
        Ok(Self { id, method, subject, version, line })
    }

    /// Whether an answer is waited for.
    pub(super) fn is_request(&self) -> bool {
        self.method.is_some() && self.id.is_some()
    }

    /// Whether this is the handshake's message `method`.
    pub(super) fn is(&self, method: &str) -> bool {
        self.method.as_deref() == Some(method)
    }

    /// Whether it does no harm to send it twice: everything but calls of tools that write.
    pub(super) fn is_repeatable(&self) -> bool {
        !self.is("tools/call") || self.subject.as_deref().is_some_and(|name| READS.contains(&name))
    }

    /// The reply that says that the call failed.
    pub(super) fn failed(&self, error: &ClientError) -> String {
        let retryable = match error {
            ClientError::Api { status, .. } => matches!(status, 429 | 503),
            _ => true,
        };
        let code = match error {
            ClientError::Api { status: 400..=499, .. } if !retryable => INVALID_REQUEST,
            _ => SERVER_ERROR,
        };
        let word = error.code().map(|code| code.as_str());
        self.error(code, &error.to_string(), json!({ "code": word, "retryable": retryable }))
    }

    /// The reply that says that the server went away while the call ran.
    pub(super) fn lost(&self, reason: &str) -> String {
        let what = self.subject.as_deref().or(self.method.as_deref()).unwrap_or("the call");
        let message = format!(
            "Coffer stopped or restarted while `{what}` ran, so whether it was done is unknown; \
             look, then try again ({reason})"
        );
        self.error(SERVER_ERROR, &message, json!({ "code": Value::Null, "retryable": true }))
    }

    /// The reply that says that the bridge itself is at fault.
    pub(super) fn broken(&self) -> String {
        self.error(SERVER_ERROR, "the bridge to Coffer failed at this call", Value::Null)
    }

    fn error(&self, code: i32, message: &str, data: Value) -> String {
        error(self.id.as_deref().unwrap_or("null"), code, message, data)
    }
}

/// The reply to a line that is too long to be read.
pub(super) fn too_long() -> String {
    error("null", INVALID_REQUEST, "the message is too long", Value::Null)
}

/// The reply to a line that is not UTF-8.
pub(super) fn not_text() -> String {
    error("null", PARSE_ERROR, "the message is not UTF-8", Value::Null)
}

fn error(id: &str, code: i32, message: &str, data: Value) -> String {
    let mut error = json!({ "code": code, "message": message });
    if !data.is_null() {
        error["data"] = data;
    }
    let id: Value = serde_json::from_str(id).unwrap_or(Value::Null);
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// A message from the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FromServer {
    /// On one line.
    pub(super) line: String,
    /// The id of the request that it answers, as JSON; `None` when it is no answer.
    pub(super) answers: Option<String>,
}

impl FromServer {
    /// Reads a message; `None` for what is not JSON-RPC.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        value.get("jsonrpc")?;
        let is_answer = value.get("method").is_none();
        let answers = value.get("id").filter(|_| is_answer).map(Value::to_string);
        let line = if text.contains(['\n', '\r']) { value.to_string() } else { text.to_owned() };
        Some(Self { line, answers })
    }
}

/// The protocol version that an answer to `initialize` settles; `None` when it is an error.
pub(super) fn settled_version(answer: &str) -> Option<String> {
    let value: Value = serde_json::from_str(answer).ok()?;
    value.get("result")?.get("protocolVersion")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, true, true),
            (
                r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"coffer__recall"}}"#,
                true,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1152921504606846976,"method":"tools/call","params":{"name":"coffer__remember"}}"#,
                true,
                false,
            ),
            (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#, true, false),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, false, true),
            (r#"{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}"#, false, true),
        ];
        for (line, request, repeatable) in cases {
            let message = Message::parse(line.to_owned()).unwrap();
            assert_eq!(message.is_request(), request, "{line}");
            assert_eq!(message.is_repeatable(), repeatable, "{line}");
            assert_eq!(message.line, line);
        }
    }

    #[test]
    fn what_is_no_message_is_answered() {
        let deep = "[".repeat(10_000);
        let cases = [
            ("{nope", -32700, "null"),
            ("", -32700, "null"),
            (deep.as_str(), -32700, "null"),
            ("[]", -32600, "null"),
            ("42", -32600, "null"),
            (r#"{"id":5}"#, -32600, "5"),
            (r#"{"id":"x","method":3}"#, -32600, "\"x\""),
        ];
        for (line, code, id) in cases {
            let reply = Message::parse(line.to_owned()).unwrap_err();
            let reply: Value = serde_json::from_str(&reply).unwrap();
            assert_eq!(reply["error"]["code"], code, "{line}");
            assert_eq!(reply["id"].to_string(), id, "{line}");
        }
    }

    #[test]
    fn the_stateless_generation_names_its_version() {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let message = Message::parse(line.to_owned()).unwrap();
        assert_eq!(message.version.as_deref(), Some("2026-07-28"));
    }

    #[test]
    fn server_messages_become_one_line() {
        let answer = FromServer::parse("{\"jsonrpc\":\"2.0\",\n\"id\":3,\"result\":{}}").unwrap();
        assert_eq!(answer.answers.as_deref(), Some("3"));
        assert!(!answer.line.contains('\n'));
        let asked = r#"{"jsonrpc":"2.0","id":3,"method":"roots/list"}"#;
        assert_eq!(FromServer::parse(asked).unwrap().answers, None);
        assert_eq!(FromServer::parse("Not Found: Session not found"), None);
        assert_eq!(FromServer::parse(r#"{"error":{"code":"PAUSED"}}"#), None);
    }
}
