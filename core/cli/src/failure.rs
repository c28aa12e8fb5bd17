//! Why a command failed: one message, one hint, one exit code.

use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use coffer_api::error::ErrorCode;
use coffer_client::ClientError;
use coffer_env::home::HomeError;
use coffer_server::StartError;

use crate::render::neutral;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The server, or the way to it.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// No folder to work in.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The server did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// What was typed does not work.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to type instead.
        hint: Option<String>,
    },
    /// Something that was asked for did not happen.
    #[error("{0}")]
    Failed(String),
    /// What was asked for is not there.
    #[error("{0}")]
    Missing(String),
    /// What the person typed was not taken, and is not lost.
    #[error("{failure}")]
    Kept {
        /// Why it was not taken.
        failure: Box<Self>,
        /// The file that holds it.
        path: PathBuf,
    },
    /// The answer is shown already, and is not good.
    #[error("something needs attention")]
    Unwell,
    /// A file or stream of this program.
    #[error("{0}")]
    Stream(#[from] io::Error),
}

impl Failure {
    /// What was typed does not work.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: None }
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Client(error) => error.exit_code(),
            Self::Start(StartError::AlreadyRunning(_)) => 3,
            Self::Start(StartError::BadPort(_) | StartError::BadLog { .. })
            | Self::Usage { .. }
            | Self::Home(_) => 2,
            Self::Start(_) => 5,
            Self::Missing(_) => 4,
            Self::Kept { failure, .. } => failure.exit_code(),
            Self::Failed(_) | Self::Unwell | Self::Stream(_) => 1,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Client(error) => error.hint(),
            Self::Start(StartError::AlreadyRunning(_)) => {
                Some("`coffer status` shows it, `coffer stop` stops it.".to_owned())
            }
            Self::Usage { hint, .. } => hint.clone(),
            Self::Kept { failure, path } => {
                let kept = format!("What you wrote is in `{}`.", path.display());
                Some(failure.hint().map_or(kept.clone(), |hint| format!("{hint} {kept}")))
            }
            _ => None,
        }
    }

    /// Whether the server said it, so that asking again gives the same.
    pub(crate) const fn is_an_answer(&self) -> bool {
        matches!(self, Self::Client(ClientError::Api { .. }))
    }

    /// Whether it is about the file that was named, and no matter of others.
    pub(crate) fn is_about_file(&self) -> bool {
        let Self::Client(ClientError::Api { error, .. }) = self else { return false };
        match error.code {
            ErrorCode::IngestRejected | ErrorCode::VersionConflict => true,
            ErrorCode::ConfigInvalid => {
                ["path", "filename"].iter().any(|field| error.details.fields.contains_key(*field))
            }
            _ => false,
        }
    }

    /// The failure itself, without what became of a text.
    fn cause(&self) -> &Self {
        match self {
            Self::Kept { failure, .. } => failure.cause(),
            failure => failure,
        }
    }

    /// Says it on stderr and gives the exit code. Whoever closed the pipe has seen enough: that
    /// is no failure.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Stream(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Unwell => ExitCode::from(self.exit_code()),
            _ => {
                let _ = io::stderr().write_all(self.text().as_bytes());
                ExitCode::from(self.exit_code())
            }
        }
    }

    /// `error: …`, each field that is wrong, `hint: …`, what to paste into a file.
    fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!("error: {}\n", neutral(&self.to_string()));
        // A single one is what the message says already.
        if let Self::Client(ClientError::Api { error, .. }) = self.cause()
            && error.details.fields.len() > 1
        {
            for (field, reason) in &error.details.fields {
                let _ = writeln!(text, "  {}: {}", neutral(field), neutral(reason));
            }
        }
        if let Some(hint) = self.hint() {
            let _ = writeln!(text, "hint: {}", neutral(&hint));
        }
        if let Self::Client(ClientError::Api { error, .. }) = self.cause()
            && let Some(snippet) = &error.details.snippet
        {
            text.push('\n');
            for line in snippet.lines() {
                let _ = writeln!(text, "{}", neutral(line));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use coffer_api::error::{ErrorCode, ErrorDetails, ErrorOut};

    use super::*;

    #[test]
    fn errors_say_what_where_and_what_to_do() {
        let mut details = ErrorDetails { hint: Some("Wait.".to_owned()), ..Default::default() };
        details.fields.insert("top_k".to_owned(), "must be 1 to 20".to_owned());
        details.fields.insert("mode".to_owned(), "is unknown".to_owned());
        let message = "the body is \u{1b}[31mwrong".to_owned();
        let error = Box::new(ErrorOut { code: ErrorCode::ConfigInvalid, message, details });
        let failure = Failure::Client(ClientError::Api { status: 422, error });
        assert_eq!(
            failure.text(),
            "error: the body is ⟨U+001B⟩[31mwrong\n  mode: is unknown\n  top_k: must be 1 to 20\nhint: Wait.\n"
        );
        assert_eq!(failure.exit_code(), 2);
        let kept = Failure::Kept { failure: Box::new(failure), path: "/tmp/a".into() };
        assert!(kept.text().contains("  mode: is unknown\n"), "{}", kept.text());
        assert!(kept.text().ends_with("hint: Wait. What you wrote is in `/tmp/a`.\n"));
        assert_eq!(kept.exit_code(), 2);
    }

    #[test]
    fn exit_codes_tell_failures_apart() {
        for (failure, code) in [
            (Failure::usage("x"), 2),
            (Failure::Client(ClientError::NotRunning), 5),
            (Failure::Client(ClientError::NotCoffer { port: 1 }), 6),
            (Failure::Start(StartError::AlreadyRunning(None)), 3),
            (Failure::Failed(String::new()), 1),
        ] {
            assert_eq!(failure.exit_code(), code, "{failure:?}");
        }
    }
}
