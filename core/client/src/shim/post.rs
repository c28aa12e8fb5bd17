//! One message as one HTTP request, with the headers that the protocol wants.

use std::time::Duration;

use coffer_api::routes;
use ureq::http::Method;

use super::Options;
use super::reply::{self, Broken};
use super::wire::Message;
use crate::client::Client;

/// How long nothing at all may arrive. Event streams carry a sign of life every 15 seconds.
const SILENCE: Duration = Duration::from_secs(300);

/// A header and its value.
pub(super) type Header = (&'static str, String);

/// A session of the older protocol generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    /// The server's name for it; a server may do without.
    pub(super) id: Option<String>,
    /// The protocol version that the handshake settled.
    pub(super) version: String,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Posted {
    /// The answer, when one was waited for.
    pub(super) answer: Option<String>,
    /// The session that the server opened with it.
    pub(super) session: Option<String>,
}

/// Sends a message and hands each message of the reply to `pass`.
pub(super) fn post(
    client: &Client,
    options: &Options,
    session: Option<&Session>,
    message: &Message,
    pass: &mut dyn FnMut(&str),
) -> Result<Posted, Broken> {
    // A message of the stateless generation, and the handshake itself, belong to no session.
    let session = session.filter(|_| message.version.is_none() && !message.is("initialize"));
    let headers = headers(options, session, message);
    let response = client.exchange(Method::POST, routes::MCP, &headers, &message.line, SILENCE)?;
    let opened = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok());
    let opened = opened.map(str::to_owned);
    let id = message.id.as_deref().filter(|_| message.is_request());
    let had_session = session.is_some_and(|session| session.id.is_some());
    let answer = reply::read(response, id, had_session, pass)?;
    Ok(Posted { answer, session: opened })
}

/// The headers of every request that belongs to `session`.
pub(super) fn session_headers(options: &Options, session: Option<&Session>) -> Vec<Header> {
    let mut headers = Vec::with_capacity(8);
    let cwd = options.cwd.as_ref().and_then(|cwd| cwd.to_str());
    headers.extend(cwd.map(|cwd| ("x-coffer-cwd", encoded(cwd))));
    headers.extend(options.agent.as_ref().map(|agent| ("x-coffer-agent", encoded(agent))));
    if let Some(session) = session {
        headers.push(("mcp-protocol-version", session.version.clone()));
        headers.extend(session.id.clone().map(|id| ("mcp-session-id", id)));
    }
    headers
}

fn headers(options: &Options, session: Option<&Session>, message: &Message) -> Vec<Header> {
    let mut headers = session_headers(options, session);
    headers.push(("accept", "application/json, text/event-stream".to_owned()));
    // The stateless generation wants these; the older one ignores the last two.
    for (name, value) in [
        ("mcp-protocol-version", &message.version),
        ("mcp-method", &message.method),
        ("mcp-name", &message.subject),
    ] {
        headers.extend(plain(value.as_ref()).map(|value| (name, value.to_owned())));
    }
    headers
}

/// A value that can be a header as it is.
fn plain(value: Option<&String>) -> Option<&String> {
    value.filter(|value| value.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// A value that may hold anything, as the server reads it.
fn encoded(value: &str) -> String {
    let mut into = String::with_capacity(value.len());
    routes::encode(value, &mut into);
    into
}
