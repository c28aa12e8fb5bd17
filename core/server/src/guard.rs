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

/// In whose name a request comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asker {
    /// A program of the person's: by the socket, or with the server's own token.
    Program,
    /// A page of the viewer, or whoever has no token at all.
    Page,
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
    /// Lets a request pass and tells whose it is, or says why not.
    pub(crate) fn check(&self, peer: Peer, head: &Parts) -> Result<Asker, Failure> {
        if let Peer::Tcp(address) = peer {
            self.check_site(address, head)?;
        }
        origin::refuse_upgrade(&head.headers)?;
        content::check(&head.method, head.uri.path(), &head.headers)?;
        let asker = self.asker(peer, head);
        if asker == Asker::Page && !is_open(&head.method, head.uri.path()) {
            self.check_page(head)?;
        }
        Ok(asker)
    }

    fn asker(&self, peer: Peer, head: &Parts) -> Asker {
        let has_own_token = || tokens(&head.headers).any(|token| self.auth.admits_owner(token));
        match peer {
            Peer::Owner => Asker::Program,
            Peer::Tcp(_) if has_own_token() => Asker::Program,
            Peer::Tcp(_) => Asker::Page,
        }
    }

    fn check_site(&self, address: SocketAddr, head: &Parts) -> Result<(), Failure> {
        if !address.ip().is_loopback() {
            return Err(Failure::new(ErrorCode::ForbiddenHost, "only this machine may connect"));
        }
        let host = host::asked(head, self.port)?;
        origin::check(&head.headers, host)
    }

    /// A page shows its session's token, may bring a file, but names none of this machine.
    fn check_page(&self, head: &Parts) -> Result<(), Failure> {
        let (method, path) = (&head.method, head.uri.path());
        if is_owners(method, path) {
            let message = "the server's own token is needed and was missing or wrong";
            return Err(Failure::new(ErrorCode::Unauthorized, message));
        }
        if !tokens(&head.headers).any(|token| self.auth.admits(token)) {
            let message = "a token is needed and was missing or wrong";
            return Err(Failure::new(ErrorCode::Unauthorized, message));
        }
        if content::takes_files(method, path) && !is_form(&head.headers) {
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
        _ => false,
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
