//! Finding the running server of a home.

use coffer_env::{Home, ServerFile};

use crate::client::Client;
use crate::error::ClientError;
use crate::transport::Endpoint;

/// This program's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which servers a client can talk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    /// Only one of the same version: typed calls.
    Same,
    /// Any: liveness, stopping, and MCP, which settles its version by itself.
    Any,
}

/// Connects to the running server: over its socket, else over TCP.
///
/// # Errors
///
/// When none runs, when its port is held by another program, when it is of another version, or
/// when it does not answer.
pub fn find(home: &Home, versions: Versions) -> Result<Client, ClientError> {
    let mut found = Err(ClientError::NotRunning);
    for endpoint in endpoints(home) {
        found = Client::greet(endpoint);
        if !matches!(found, Err(ClientError::NotRunning)) {
            break;
        }
    }
    let client = found?;
    if versions == Versions::Same && client.version() != VERSION {
        return Err(ClientError::Version { server: client.version().to_owned(), client: VERSION });
    }
    Ok(client)
}

fn endpoints(home: &Home) -> Vec<Endpoint> {
    let mut endpoints = Vec::with_capacity(2);
    #[cfg(unix)]
    endpoints.push(Endpoint::Socket(home.socket()));
    endpoints.extend(ServerFile::read(&home.server_file()).map(Endpoint::Tcp));
    endpoints
}
