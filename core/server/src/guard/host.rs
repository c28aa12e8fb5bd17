//! Under which name the server was asked: a page of another name (DNS rebinding) gets nothing.

use coffer_api::error::ErrorCode;
use http::header::HOST;
use http::request::Parts;

use crate::error::Failure;

/// The names of this machine that are ours; nothing that merely resolves to it.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The name and port that the request is for. Forwarded headers are never looked at.
pub(super) fn asked(head: &Parts, port: u16) -> Result<&str, Failure> {
    let mut hosts = head.headers.get_all(HOST).into_iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(refused());
    };
    let host = host.to_str().map_err(|_| refused())?;
    let target = head.uri.authority().map_or(host, |authority| authority.as_str());
    if is_ours(host, port) && is_ours(target, port) { Ok(host) } else { Err(refused()) }
}

fn is_ours(host: &str, port: u16) -> bool {
    let Some((name, digits)) = host.rsplit_once(':') else { return false };
    digits == port.to_string() && NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn refused() -> Failure {
    Failure::new(ErrorCode::ForbiddenHost, "the `Host` header does not name this server")
}
