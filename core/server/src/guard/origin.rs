//! From which page a request comes: only the server's own page may ask through a browser.

use coffer_api::error::ErrorCode;
use http::header::{CONNECTION, HeaderName, ORIGIN, REFERER, UPGRADE};
use http::{HeaderMap, HeaderValue};

use crate::error::Failure;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses what another page started; `host` is the name that the request is for.
pub(super) fn check(headers: &HeaderMap, host: &str) -> Result<(), Failure> {
    let own = format!("http://{host}");
    let is_own_origin = |value: &str| value.eq_ignore_ascii_case(&own);
    let is_own_page = |value: &str| {
        let start = value.get(..own.len());
        start.is_some_and(is_own_origin)
            && matches!(&value[own.len()..], rest if rest.is_empty() || rest.starts_with('/'))
    };
    let is_own_site = |value: &str| value == "same-origin" || value == "none";
    all(headers, &ORIGIN, is_own_origin)?;
    all(headers, &REFERER, is_own_page)?;
    all(headers, &FETCH_SITE, is_own_site)
}

/// Refuses a change of protocol, which would leave the guarded one.
pub(super) fn refuse_upgrade(headers: &HeaderMap) -> Result<(), Failure> {
    let names_upgrade = |value: &HeaderValue| {
        value.to_str().is_ok_and(|value| {
            value.split(',').any(|token| token.trim().eq_ignore_ascii_case("upgrade"))
        })
    };
    if headers.contains_key(UPGRADE) || headers.get_all(CONNECTION).iter().any(names_upgrade) {
        return Err(Failure::new(ErrorCode::ForbiddenOrigin, "no other protocol is spoken here"));
    }
    Ok(())
}

/// Absent, or once and right.
fn all(headers: &HeaderMap, name: &HeaderName, good: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let mut values = headers.get_all(name).into_iter();
    let first = values.next().is_none_or(|value| value.to_str().is_ok_and(good));
    if first && values.next().is_none() {
        return Ok(());
    }
    let message = format!("the `{name}` header names another page");
    Err(Failure::new(ErrorCode::ForbiddenOrigin, message))
}
