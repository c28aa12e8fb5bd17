//! The protocol's own errors, for what is no message and for what the library refuses.

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcError};
use serde::de::IgnoredAny;

use crate::error::Failure;

/// The code by which clients know that their session is gone.
const NO_SESSION: ErrorCode = ErrorCode(-32001);
/// The longest refusal of the library that is passed on, in bytes.
const SAID: usize = 16 << 10;

/// Looks at a body; what is no JSON object gets the protocol's own error. What else a message has
/// to be is the library's to say.
pub(super) fn check_message(body: &[u8]) -> Result<(), Box<Response>> {
    let refusal = match serde_json::from_slice::<IgnoredAny>(body) {
        Ok(_) if body.trim_ascii_start().first() == Some(&b'{') => return Ok(()),
        Ok(_) => ErrorData::invalid_request("a body is one JSON-RPC message, an object", None),
        Err(error) => ErrorData::parse_error(format!("the body is no JSON: {error}"), None),
    };
    Err(Box::new(error(StatusCode::BAD_REQUEST, refusal)))
}

/// The library refuses in plain text; here it becomes the protocol's error, status kept. What it
/// calls an unsupported type is a message of the wrong shape: the guard has seen to the type.
pub(super) async fn translated(response: Response) -> Response {
    let status = response.status();
    let plain = response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "application/json");
    if !(plain && (status.is_client_error() || status.is_server_error())) {
        return response;
    }
    let said = axum::body::to_bytes(response.into_body(), SAID).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    match status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            error(StatusCode::BAD_REQUEST, ErrorData::invalid_request(said, None))
        }
        StatusCode::NOT_FOUND => error(status, ErrorData::new(NO_SESSION, said, None)),
        _ if status.is_client_error() => error(status, ErrorData::invalid_request(said, None)),
        _ => error(
            status,
            ErrorData::internal_error(Failure::internal(&said).into_wire().message, None),
        ),
    }
}

fn error(status: StatusCode, error: ErrorData) -> Response {
    let body = serde_json::to_string(&JsonRpcError::new(None, error)).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_one_message() {
        assert!(check_message(br#" {"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_ok());
        for bad in [&b"{"[..], b"", b"[]", b"1", b"\xff"] {
            assert_eq!(
                check_message(bad).unwrap_err().status(),
                StatusCode::BAD_REQUEST,
                "{bad:?}"
            );
        }
    }
}
