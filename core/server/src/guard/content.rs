//! What a request may carry: six methods, and bodies of JSON in UTF-8.
//!
//! A page elsewhere can send forms and plain text without asking first; JSON it cannot.

use coffer_api::error::ErrorCode;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::{HeaderMap, Method};

use crate::error::Failure;

/// The methods that are served.
pub(crate) const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";

/// Refuses other methods and other bodies.
pub(super) fn check(method: &Method, headers: &HeaderMap) -> Result<(), Failure> {
    if !METHODS.split(", ").any(|known| known == method.as_str()) {
        let message = format!("the method `{method}` is not served");
        return Err(Failure::new(ErrorCode::MethodNotAllowed, message));
    }
    let mut types = headers.get_all(CONTENT_TYPE).into_iter();
    let typed = match (types.next(), types.next()) {
        (None, _) => !has_body(headers),
        (Some(kind), None) => kind.to_str().is_ok_and(is_json),
        (Some(_), Some(_)) => false,
    };
    if typed && !headers.contains_key(CONTENT_ENCODING) {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::UnsupportedMediaType, "a body must be `application/json` in UTF-8"))
}

/// Whether a body follows the head.
pub(crate) fn has_body(headers: &HeaderMap) -> bool {
    let length = headers.get(CONTENT_LENGTH).is_some_and(|length| length.as_bytes() != b"0");
    length || headers.contains_key(TRANSFER_ENCODING)
}

fn is_json(kind: &str) -> bool {
    let mut parts = kind.split(';').map(str::trim);
    let json = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("application/json"));
    json && parts.all(|parameter| {
        let Some((name, value)) = parameter.split_once('=') else { return parameter.is_empty() };
        !name.trim().eq_ignore_ascii_case("charset")
            || value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}
