//! The one gate before routing: who asks, under which name, from which page, with which key.
//!
//! It looks at the head of a request only and changes nothing. Deliberately absent: any CORS
//! header, any look at the body, any way to switch a check off.

mod content;
mod host;
mod origin;

use std::net::SocketAddr;
use std::sync::Arc;

use coffer_api::error::ErrorCode;
use coffer_api::routes;
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, Method};

use crate::auth::Auth;
use crate::error::Failure;

pub(crate) use content::{METHODS, has_body, is_form};

/// The header for clients that cannot set `Authorization`.
const TOKEN_HEADER: &str = "x-coffer-token";

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Peer {
    /// Somebody on the loopback port: any program and any user of this machine.
    Tcp(SocketAddr),
    /// Our own user, by the socket whose peer the kernel vouches for.
    Owner,
}

/// The gate of one server.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    /// The port that names in `Host` must carry.
    pub(crate) port: u16,
    /// The keys.
    pub(crate) auth: Arc<Auth>,
}

impl Guard {
    /// Lets a request pass, or says why not.
    pub(crate) fn check(&self, peer: Peer, head: &Parts) -> Result<(), Failure> {
        if let Peer::Tcp(address) = peer {
            self.check_site(address, head)?;
        }
        origin::refuse_upgrade(&head.headers)?;
        content::check(&head.method, head.uri.path(), &head.headers)?;
        match peer {
            Peer::Tcp(_) if !is_open(&head.method, head.uri.path()) => self.check_token(head),
            Peer::Tcp(_) | Peer::Owner => Ok(()),
        }
    }

    fn check_site(&self, address: SocketAddr, head: &Parts) -> Result<(), Failure> {
        if !address.ip().is_loopback() {
            return Err(Failure::new(ErrorCode::ForbiddenHost, "only this machine may connect"));
        }
        let host = host::asked(head, self.port)?;
        origin::check(&head.headers, host)
    }

    fn check_token(&self, head: &Parts) -> Result<(), Failure> {
        if is_owners(&head.method, head.uri.path()) {
            if tokens(&head.headers).any(|token| self.auth.admits_owner(token)) {
                return Ok(());
            }
            let message = "the server's own token is needed and was missing or wrong";
            return Err(Failure::new(ErrorCode::Unauthorized, message));
        }
        if tokens(&head.headers).any(|token| self.auth.admits(token)) {
            return self.check_place(head);
        }
        Err(Failure::new(ErrorCode::Unauthorized, "a token is needed and was missing or wrong"))
    }

    /// A page may bring a file, but name none of this machine.
    fn check_place(&self, head: &Parts) -> Result<(), Failure> {
        let names_files = content::takes_files(&head.method, head.uri.path());
        let is_page = !tokens(&head.headers).any(|token| self.auth.admits_owner(token));
        if names_files && is_page && !is_form(&head.headers) {
            let message = "only Coffer's own programs may name files of this machine";
            return Err(Failure::new(ErrorCode::PathNotAllowed, message));
        }
        Ok(())
    }
}

fn tokens(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer = headers.get_all(AUTHORIZATION).into_iter().filter_map(|value| {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    bearer.chain(headers.get_all(TOKEN_HEADER).into_iter().filter_map(|value| value.to_str().ok()))
}

/// What names files of the whole machine, other machines, or destroys what was kept: no page
/// may ask for it, whatever runs in it.
fn is_owners(method: &Method, path: &str) -> bool {
    match path {
        routes::EXPORT | routes::IMPORT | routes::PURGE | routes::MODELS_PULL => true,
        routes::MODELS => method == Method::POST,
        _ => method != Method::GET && is_agents_own(path),
    }
}

/// Whether a path is about an agent's registration or its files.
fn is_agents_own(path: &str) -> bool {
    let Some(below) = path.strip_prefix(routes::AGENTS) else { return false };
    let mut parts = below.split('/').skip(2);
    match (parts.next(), parts.next()) {
        (None, _) => true,
        (Some(part), None) => matches!(part, "mcp-install" | "hook-install"),
        (Some(_), Some(_)) => false,
    }
}

/// What needs no token: liveness, the two challenges, and the viewer's static files.
fn is_open(method: &Method, path: &str) -> bool {
    let reads = method == Method::GET || method == Method::HEAD;
    match path {
        routes::HEALTH => reads,
        routes::SESSION | routes::PROVE => method == Method::POST,
        _ => reads && !is_programs(path),
    }
}

/// Whether a path belongs to programs rather than to the viewer's pages.
pub(crate) fn is_programs(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    ["api", "mcp", "hooks", "openapi.json"].contains(&first)
}

#[cfg(test)]
mod tests;
