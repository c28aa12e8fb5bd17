//! Where the server listens: loopback ports, and the owner's socket.
//!
//! Deliberately absent: any other address. A port in use means another port; nothing is ended to
//! free one.

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use coffer_env::Home;

use crate::start::StartError;

/// The port that is tried first.
const PORT: u16 = 27411;
/// How many ports from the preferred one on are tried before any free one is taken.
const TRIED: u16 = 16;
/// How many connections the system keeps waiting.
#[cfg(unix)]
const BACKLOG: i32 = 1024;

/// What was bound, before there is a runtime.
#[derive(Debug)]
pub(crate) struct Bound {
    tcp: Vec<TcpListener>,
    #[cfg(unix)]
    socket: Option<std::os::unix::net::UnixListener>,
    /// The loopback port.
    pub(crate) port: u16,
}

/// A listener of a running server.
#[derive(Debug)]
pub(crate) enum Listener {
    /// A loopback port.
    Tcp(tokio::net::TcpListener),
    /// The owner's socket.
    #[cfg(unix)]
    Socket(tokio::net::UnixListener),
}

impl Bound {
    /// Binds `127.0.0.1`, the same port of `::1` where there is one, and the owner's socket.
    pub(crate) fn new(home: &Home, port: Option<u16>) -> Result<Self, StartError> {
        let first = first_free(port.unwrap_or(PORT)).map_err(StartError::Port)?;
        let port = first.local_addr().map_err(StartError::Port)?.port();
        let second = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).ok();
        let tcp: Vec<TcpListener> = [first].into_iter().chain(second).collect();
        for listener in &tcp {
            prepare(listener).map_err(StartError::Port)?;
        }
        Ok(Self {
            tcp,
            #[cfg(unix)]
            socket: socket(home),
            port,
        })
    }

    /// What could not be had, a sentence each.
    pub(crate) fn lacks(&self) -> Vec<String> {
        #[cfg(unix)]
        if self.socket.is_none() {
            let path = "`run/coffer.sock` could not be made; clients use the loopback port.";
            return vec![path.to_owned()];
        }
        Vec::new()
    }

    /// Hands everything to the runtime that this is called in.
    pub(crate) fn listeners(self) -> Result<Vec<Listener>, Error> {
        let mut listeners = Vec::new();
        for listener in self.tcp {
            listeners.push(Listener::Tcp(tokio::net::TcpListener::from_std(listener)?));
        }
        #[cfg(unix)]
        if let Some(socket) = self.socket {
            listeners.push(Listener::Socket(tokio::net::UnixListener::from_std(socket)?));
        }
        Ok(listeners)
    }
}

fn first_free(preferred: u16) -> Result<TcpListener, Error> {
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let near = (0..TRIED).filter_map(|step| preferred.checked_add(step));
    for port in near.chain([0]) {
        match TcpListener::bind(SocketAddr::new(loopback, port)) {
            Err(error) if is_taken(&error) => {}
            bound => return bound,
        }
    }
    Err(ErrorKind::AddrInUse.into())
}

fn is_taken(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied)
}

fn prepare(listener: &TcpListener) -> Result<(), Error> {
    #[cfg(unix)]
    rustix::net::listen(listener, BACKLOG)?;
    listener.set_nonblocking(true)
}

/// The owner's socket; a home whose path is too long for one does without, and so do its clients.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the socket's file belongs to the server")]
fn socket(home: &Home) -> Option<std::os::unix::net::UnixListener> {
    use std::os::unix::fs::PermissionsExt as _;
    let path = home.socket();
    // Whoever made it is gone: we hold the owner's lock.
    _ = std::fs::remove_file(&path);
    let bound = std::os::unix::net::UnixListener::bind(&path).and_then(|socket| {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        rustix::net::listen(&socket, BACKLOG)?;
        socket.set_nonblocking(true)?;
        Ok(socket)
    });
    bound.inspect_err(|error| tracing::warn!("no socket at `{}`: {error}", path.display())).ok()
}

/// Whether the kernel says that the peer is our own user.
#[cfg(unix)]
pub(crate) fn is_ours(stream: &tokio::net::UnixStream) -> bool {
    let ours = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_means_the_next_one() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let next = first_free(port).unwrap().local_addr().unwrap();
        assert!(next.ip().is_loopback());
        assert_ne!(next.port(), port);
    }
}
