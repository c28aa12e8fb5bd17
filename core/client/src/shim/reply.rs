//! Reading what the server answers: one JSON document, or server-sent events until the answer.

use std::io::{BufRead as _, BufReader, Read};

use ureq::Body;
use ureq::http::{Response, StatusCode, header};

use super::wire::FromServer;
use crate::client::refused;
use crate::error::ClientError;

/// The largest answer in one document.
const LIMIT: u64 = 64 * 1024 * 1024;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Broken {
    /// The message never reached the server.
    NotSent(ClientError),
    /// The server does not know the session, so it did nothing.
    UnknownSession,
    /// The connection broke after the message was sent.
    Lost(String),
    /// The server refuses it.
    Refused(ClientError),
}

impl Broken {
    /// The same, where nothing depends on whether something was done.
    pub(super) fn into_error(self) -> ClientError {
        match self {
            Self::NotSent(error) | Self::Refused(error) => error,
            Self::UnknownSession => ClientError::NotRunning,
            Self::Lost(reason) => ClientError::Transport(reason),
        }
    }
}

impl From<ClientError> for Broken {
    fn from(error: ClientError) -> Self {
        match error {
            error if error.was_not_sent() => Self::NotSent(error),
            ClientError::Transport(reason) => Self::Lost(reason),
            error => Self::Refused(error),
        }
    }
}

/// Hands each message of a reply to `pass`; gives the answer to request `id` when one is waited
/// for.
pub(super) fn read(
    response: Response<Body>,
    id: Option<&str>,
    had_session: bool,
    pass: &mut dyn FnMut(&str),
) -> Result<Option<String>, Broken> {
    if response.status().is_success() && is_event_stream(&response) {
        let answer = events(response.into_body().into_reader(), id, pass)?;
        return if id.is_some() && answer.is_none() {
            Err(Broken::Lost("the stream ended before the answer".to_owned()))
        } else {
            Ok(answer)
        };
    }
    document(response, id, had_session, pass)
}

/// Whether a reply is a stream of events.
pub(super) fn is_event_stream(response: &Response<Body>) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

fn document(
    mut response: Response<Body>,
    id: Option<&str>,
    had_session: bool,
    pass: &mut dyn FnMut(&str),
) -> Result<Option<String>, Broken> {
    let status = response.status();
    let body = response.body_mut().with_config().limit(LIMIT).read_to_vec();
    let body = body.map_err(|error| Broken::Lost(error.to_string()))?;
    let message = str::from_utf8(&body).ok().and_then(FromServer::parse);
    match (message, id) {
        // Errors of the protocol come with a status of their own, and with a JSON-RPC body.
        (Some(message), Some(id)) if message.answers.as_deref() == Some(id) => {
            pass(&message.line);
            Ok(Some(message.line))
        }
        (_, None) if status.is_success() => Ok(None),
        _ if status == StatusCode::NOT_FOUND && had_session => Err(Broken::UnknownSession),
        // The token was changed meanwhile: it is read anew with the next connection.
        _ if status == StatusCode::UNAUTHORIZED => Err(Broken::NotSent(refused(status, &body))),
        _ => Err(Broken::Refused(refused(status, &body))),
    }
}

/// Reads events until the answer to `id`, or to the stream's end when none is waited for.
pub(super) fn events(
    stream: impl Read,
    id: Option<&str>,
    pass: &mut dyn FnMut(&str),
) -> Result<Option<String>, Broken> {
    let mut stream = BufReader::new(stream);
    let mut data = String::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        let count = stream.read_until(b'\n', &mut line);
        if count.map_err(|error| Broken::Lost(error.to_string()))? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if let Some(more) = text.strip_prefix("data:") {
            if !data.is_empty() {
                data.push('\n');
            }
            data.push_str(more.strip_prefix(' ').unwrap_or(more));
        } else if text.is_empty()
            && let Some(message) = FromServer::parse(&std::mem::take(&mut data))
        {
            pass(&message.line);
            if id.is_some() && message.answers.as_deref() == id {
                return Ok(Some(message.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_end_with_the_answer() {
        let stream = "retry: 3000\nid: 0\ndata: \n\n: ping\n\n\
            data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\n\
            data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":\"a\",\"result\":{}}\n\n\
            data: {\"jsonrpc\":\"2.0\",\"method\":\"never/read\"}\n\n";
        let mut seen = Vec::new();
        let answer =
            events(stream.as_bytes(), Some("\"a\""), &mut |line| seen.push(line.to_owned()));
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert_eq!(answer.unwrap().as_deref(), Some(seen[1].as_str()));
    }

    #[test]
    fn a_stream_may_end_without_one() {
        let stream = "data: {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n\ndata: {\"jsonrpc\":";
        assert_eq!(events(stream.as_bytes(), Some("1"), &mut |_| {}).unwrap(), None);
    }
}
