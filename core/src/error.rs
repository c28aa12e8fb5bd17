//! The one error type of the engine: each variant is something a caller can do.
//!
//! A bad file of a person is never an error here; it is a row of the doctor's list.

use std::path::{Path, PathBuf};

use coffer_domain::fact::Rejected;

/// What a caller gets when an operation could not be done; nothing was half-done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No store of this name.
    #[error("no memory store `{0}`")]
    StoreNotFound(String),
    /// No document of this id in the store.
    #[error("no fact `{id}` in store `{store}`")]
    FactNotFound {
        /// The store.
        store: String,
        /// The id.
        id: String,
    },
    /// No file of this name in a lane.
    #[error("no `{name}` in store `{store}`")]
    LaneFileNotFound {
        /// The store.
        store: String,
        /// What was asked for.
        name: String,
    },
    /// No knowledge base of this name.
    #[error("no knowledge base `{0}`")]
    BaseNotFound(String),
    /// A knowledge base of this name is there already.
    #[error("a knowledge base `{0}` exists already")]
    BaseExists(String),
    /// No document of this id in the knowledge base.
    #[error("no document `{id}` in knowledge base `{base}`")]
    DocumentNotFound {
        /// The knowledge base.
        base: String,
        /// The id.
        id: String,
    },
    /// A file is not taken into a knowledge base.
    #[error("`{name}` is not taken in: {message}")]
    IngestRejected {
        /// The file.
        name: String,
        /// What a caller branches on.
        reason: Unfit,
        /// Why, for people.
        message: String,
    },
    /// A document cannot be made from its original again.
    #[error("document `{id}` is not converted again: {reason}")]
    ReconversionBlocked {
        /// The document.
        id: String,
        /// Why.
        reason: String,
    },
    /// No job of this id.
    #[error("no job `{0}`")]
    JobNotFound(String),
    /// No agent of this name.
    #[error("no agent `{0}` is registered")]
    AgentNotFound(String),
    /// An agent of this name, or with these settings, is registered.
    #[error("an agent `{0}` is registered already")]
    AgentExists(String),
    /// Something that cannot be done for an agent of this type.
    #[error("{what} cannot be done for `{agent}`")]
    UnsupportedAgent {
        /// The agent's type.
        agent: &'static str,
        /// What cannot be done.
        what: &'static str,
    },
    /// Another tool's file cannot be edited safely; it is as it was.
    #[error("`{}` is left as it is: {reason}", .path.display())]
    AgentConfigUnsafe {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
        /// What a person can paste into it; nothing where something was to be taken out.
        snippet: Option<String>,
    },
    /// No session of this id among an agent's transcripts.
    #[error("no session `{0}` among the agent's transcripts")]
    TranscriptNotFound(String),
    /// No session of this project among an agent's transcripts.
    #[error("no session in `{}` among the agent's transcripts", .0.display())]
    ProjectTranscriptNotFound(PathBuf),
    /// No credential of this name.
    #[error("no credential `{0}`")]
    CredentialNotFound(String),
    /// The system's secret service, which a credential is in or is to go to, does not do it.
    #[error("cannot reach the credential `{name}` in the system's keyring: {reason}")]
    Keyring {
        /// The credential.
        name: String,
        /// Why.
        reason: String,
    },
    /// A model is to be tried, and none is set.
    #[error("no model is set for {0}")]
    NoModelConfigured(&'static str),
    /// The engine cannot be asked.
    #[error("the engine cannot be asked: {0}")]
    EngineUnavailable(String),
    /// No model of this name.
    #[error("no model `{0}` is installed")]
    ModelNotFound(String),
    /// A model of this name is there already.
    #[error("a model `{0}` is installed already")]
    ModelExists(String),
    /// The settings name the model.
    #[error("the model `{0}` is in use")]
    ModelInUse(String),
    /// What is to be installed is no model, or not the one that it should be.
    #[error("`{from}` gives no model: {reason}")]
    BadModel {
        /// The folder or address.
        from: String,
        /// Why.
        reason: String,
    },
    /// The text of a fact or scene is refused.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// A setting is refused.
    #[error("`{field}` {reason}")]
    Invalid {
        /// Which one.
        field: &'static str,
        /// What is wrong with it, as in "must be 64 to 32768".
        reason: String,
    },
    /// A project was asked for outside a git project.
    #[error("`{}` is in no git project", .0.display())]
    ScopeUnresolved(PathBuf),
    /// The file is another version than the one the change is based on.
    #[error("`{}` changed since the version that this change is based on", .path.display())]
    VersionConflict {
        /// The file.
        path: PathBuf,
        /// SHA-256 of the present file.
        current_sha256: String,
    },
    /// The document cannot be changed this way.
    #[error("`{}` cannot be edited: {reason}", .path.display())]
    NotEditable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Something stands where a file is to be written.
    #[error("`{}` exists already", .0.display())]
    AlreadyExists(PathBuf),
    /// What is to be taken in cannot be understood, or is none.
    #[error("`{}` cannot be taken in: {reason}", .path.display())]
    BadSource {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Open or reveal outside Coffer's own files.
    #[error("`{}` is not one of Coffer's files", .0.display())]
    PathNotAllowed(PathBuf),
    /// What was asked for would destroy more than it should.
    #[error("{what} is refused: {reason}")]
    Refused {
        /// What is refused.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// A program of the desktop could not be started.
    #[error("could not start `{program}`: {reason}")]
    Launch {
        /// The program.
        program: String,
        /// Why.
        reason: String,
    },
    /// The disk is full, or a quota or size limit is reached.
    #[error("no space left for `{}`", .0.display())]
    NoSpace(PathBuf),
    /// Files or index cannot be reached just now.
    #[error("cannot {action} `{}`: {reason}", .path.display())]
    Unavailable {
        /// What was tried, a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A regular expression does not parse.
    #[error("the pattern does not parse: {0}")]
    BadPattern(String),
    /// The caller ended a long operation.
    #[error("cancelled")]
    Cancelled,
    /// Our fault.
    #[error("internal error: {0}")]
    Internal(String),
}

/// Why a file is not taken into a knowledge base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Nothing is left of it.
    Empty,
    /// Another one of its name is there.
    Duplicate,
    /// It is larger than the knowledge base takes.
    TooLarge,
    /// It is of no format that can be read.
    UnsupportedType,
    /// It is damaged, locked, or more than the converter bears.
    Unreadable,
}

/// A result of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// What the system said of a file, in a caller's terms.
    pub(crate) fn file(action: &'static str, path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::NoSpace(path.to_owned())
            }
            _ => Self::Unavailable { action, path: path.to_owned(), reason: plain(error) },
        }
    }
}

/// The system's words without the number that Rust adds.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().to_string() + letters.as_str())
        .unwrap_or_default()
}
