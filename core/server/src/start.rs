//! Why a server did not start.

use std::path::PathBuf;

use coffer_env::ServerFile;

/// Why a server did not start; nothing is left behind.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another process owns this home; the file says which one, once it is ready.
    #[error("another Coffer is running on this folder{}", owner(.0.as_deref()))]
    AlreadyRunning(Option<Box<ServerFile>>),
    /// `COFFER_PORT` is not a port.
    #[error("`COFFER_PORT` is `{0}`, which is no port")]
    BadPort(String),
    /// `COFFER_LOG` is no filter.
    #[error("`COFFER_LOG` is `{wanted}`, which is no filter: {reason}")]
    BadLog {
        /// What it is.
        wanted: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No loopback port could be bound.
    #[error("cannot listen on this machine: {0}")]
    Port(#[source] std::io::Error),
    /// A folder or file of Coffer's home cannot be made.
    #[error("cannot make `{}`: {source}", .path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The engine could not be opened.
    #[error(transparent)]
    Engine(#[from] coffer_core::Error),
    /// The runtime could not take over what was bound.
    #[error("cannot run: {0}")]
    Runtime(#[source] std::io::Error),
}

fn owner(file: Option<&ServerFile>) -> String {
    file.map(|file| format!(" (process {}, port {})", file.pid, file.port)).unwrap_or_default()
}
