//! What can go wrong between a client and the server, with the exit code and hint of each.

use coffer_api::error::{ErrorCode, ErrorOut};

/// Why a call gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nothing answers for this home.
    #[error("Coffer is not running")]
    NotRunning,
    /// Another program holds the port; it was told nothing.
    #[error("port `{port}` belongs to a program that is not this Coffer")]
    NotCoffer {
        /// The port of `run/server.json`.
        port: u16,
    },
    /// The server is of another version.
    #[error("the running Coffer is version `{server}`, this program is version `{client}`")]
    Version {
        /// The server's.
        server: String,
        /// This program's.
        client: &'static str,
    },
    /// The headless server could not be started.
    #[error("Coffer could not be started: {0}")]
    Start(String),
    /// The server answered with an error.
    #[error("{}", .error.message)]
    Api {
        /// The HTTP status.
        status: u16,
        /// What the server says.
        error: Box<ErrorOut>,
    },
    /// The connection broke, timed out, or carried something else than this API.
    #[error("no answer from Coffer: {0}")]
    Transport(String),
}

impl ClientError {
    /// The CLI's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NotRunning | Self::Start(_) | Self::Transport(_) | Self::Version { .. } => 5,
            Self::NotCoffer { .. } => 6,
            Self::Api { error, .. } => error.exit_code(),
        }
    }

    /// What to do about it, as a sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotRunning => Some("Start it with `coffer serve --detach`.".to_owned()),
            Self::NotCoffer { .. } => {
                Some("Start Coffer with `coffer serve --detach`; it takes another port.".to_owned())
            }
            Self::Version { .. } => Some(
                "Stop it with `coffer stop`; the next command starts the version you have."
                    .to_owned(),
            ),
            Self::Start(_) => Some("`coffer serve` shows what happens.".to_owned()),
            Self::Api { error, .. } => error.details.hint.clone(),
            Self::Transport(_) => Some("`coffer status` says whether it is running.".to_owned()),
        }
    }

    /// The server's code, when it answered.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Api { error, .. } => Some(error.code),
            _ => None,
        }
    }

    /// Whether the request certainly never reached a server, so that it may be sent again.
    pub fn was_not_sent(&self) -> bool {
        matches!(self, Self::NotRunning | Self::NotCoffer { .. })
    }
}

/// Why a connection could not be made; travels through ureq's error as its cause.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreachable {
    #[error("nothing listens")]
    NotRunning,
    #[error("port {0} is held by another program")]
    NotCoffer(u16),
}

impl From<ureq::Error> for ClientError {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Other(cause) => match cause.downcast_ref::<Unreachable>() {
                Some(Unreachable::NotRunning) => Self::NotRunning,
                Some(Unreachable::NotCoffer(port)) => Self::NotCoffer { port: *port },
                None => Self::Transport(cause.to_string()),
            },
            ureq::Error::Timeout(_) => Self::Transport("it took too long".to_owned()),
            other => Self::Transport(other.to_string()),
        }
    }
}
