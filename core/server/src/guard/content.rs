//! What a request may carry: six methods, and bodies of JSON in UTF-8; files to a knowledge base also in
//! a form.
//!
//! A page elsewhere can send forms and plain text without asking first; JSON it cannot.

use coffer_api::error::ErrorCode;
use coffer_api::routes;
use http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, TRANSFER_ENCODING,
};
use http::{HeaderMap, Method};

use crate::error::Failure;

/// The methods that are served.
pub(crate) const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";

/// Refuses other methods and other bodies.
pub(super) fn check(method: &Method, path: &str, headers: &HeaderMap) -> Result<(), Failure> {
    if !METHODS.split(", ").any(|known| known == method.as_str()) {
        let message = format!("the method `{method}` is not served");
        return Err(Failure::new(ErrorCode::MethodNotAllowed, message));
    }
    let mut types = headers.get_all(CONTENT_TYPE).into_iter();
    let typed = match (types.next(), types.next()) {
        (None, _) => !has_body(headers),
        (Some(kind), None) => is_json(kind) || (takes_files(method, path) && is_form(headers)),
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

/// Whether a request may bring a file, as a form or by its path.
pub(super) fn takes_files(method: &Method, path: &str) -> bool {
    method == Method::POST && routes::is_of(routes::DOCUMENTS, path)
}

/// Whether a body is a form with files.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let name = kind.split(';').next().unwrap_or_default();
    name.trim().eq_ignore_ascii_case("multipart/form-data")
}

fn is_json(kind: &HeaderValue) -> bool {
    let Ok(kind) = kind.to_str() else { return false };
    let mut parts = kind.split(';').map(str::trim);
    let json = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("application/json"));
    json && parts.all(|parameter| {
        let Some((name, value)) = parameter.split_once('=') else { return parameter.is_empty() };
        !name.trim().eq_ignore_ascii_case("charset")
            || value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
    })
}
