//! Why the program did not start: one message, one hint, one exit code; the same codes as the CLI's.

use std::io::{self, Write as _};
use std::process::ExitCode;

use coffer_env::home::HomeError;
use coffer_server::StartError;

/// Why the program did not start, or what ended it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Nothing to show a window on.
    #[error("there is no display to show a window on")]
    NoDisplay,
    /// No folder to work in.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The server did not start, or could not go on.
    #[error(transparent)]
    Server(#[from] StartError),
    /// The window toolkit.
    #[error("cannot show a window: {0}")]
    Window(#[from] tauri::Error),
}

impl Failure {
    /// What the process ends with.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Home(_) | Self::Server(StartError::BadPort(_) | StartError::BadLog { .. }) => 2,
            Self::Server(StartError::AlreadyRunning(_)) => 3,
            Self::Server(_) => 5,
            Self::NoDisplay | Self::Window(_) => 1,
        }
    }

    /// What to do about it, as a sentence.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoDisplay => Some("`coffer serve` runs Coffer without a window."),
            Self::Server(StartError::AlreadyRunning(_)) => {
                Some("`coffer status` shows it, `coffer stop` stops it.")
            }
            Self::Server(StartError::Folder { .. }) => {
                Some("See that the folder is yours and that the disk is not full.")
            }
            Self::Home(_) | Self::Server(_) | Self::Window(_) => None,
        }
    }

    /// Says it on stderr.
    pub(crate) fn say(&self) {
        let hint = self.hint().map(|hint| format!("hint: {hint}\n")).unwrap_or_default();
        _ = write!(io::stderr(), "error: {self}\n{hint}");
    }

    /// Says it on stderr and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        self.say();
        ExitCode::from(self.exit_code())
    }
}
