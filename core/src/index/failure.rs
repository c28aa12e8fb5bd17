//! What can go wrong with the database, as the engine deals with it. SQLite's own words stay here.

use std::path::PathBuf;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use crate::error::Error;

/// Why an index operation did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The database was lost; an empty one took its place and the files are to be compared again.
    Replaced(String),
    /// The disk is full.
    NoSpace,
    /// The database cannot be used just now.
    Unavailable(String),
}

impl Failure {
    /// Sorts an error of SQLite.
    pub(super) fn of(error: &rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(code, message) = error else {
            return Self::Unavailable(format!("unexpected answer of the index: {error}"));
        };
        let lost = |reason: &str| Self::Replaced(reason.to_owned());
        match code.extended_code {
            ffi::SQLITE_IOERR_SHORT_READ => return lost("the database file was truncated"),
            ffi::SQLITE_READONLY_DBMOVED => return lost("the database file was moved"),
            _ => {}
        }
        match code.code {
            ErrorCode::DatabaseCorrupt => lost("the database was damaged"),
            ErrorCode::NotADatabase => lost("the database file was not a database"),
            ErrorCode::CannotOpen => Self::Unavailable("it could not be opened".to_owned()),
            ErrorCode::DiskFull => Self::NoSpace,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                Self::Unavailable("another program holds the database".to_owned())
            }
            _ if is_missing_table(message.as_deref()) => lost("the database lacked its tables"),
            _ => Self::Unavailable(format!("the database cannot be used: {}", code.code as i32)),
        }
    }

    /// The reason in plain words.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Replaced(reason) | Self::Unavailable(reason) => reason.clone(),
            Self::NoSpace => "the disk is full".to_owned(),
        }
    }
}

/// Tables of vectors come and go; all others are there from the start.
fn is_missing_table(message: Option<&str>) -> bool {
    message.is_some_and(|text| {
        (text.starts_with("no such table") && !text.contains("vec_chunks_"))
            || text.contains("no such column")
    })
}

impl Error {
    /// What happened to the index, in a caller's terms.
    pub(crate) fn index(failure: Failure) -> Self {
        let path = PathBuf::from("coffer.db");
        match failure {
            Failure::NoSpace => Self::NoSpace(path),
            Failure::Replaced(reason) | Failure::Unavailable(reason) => {
                Self::Unavailable { action: "use", path, reason }
            }
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::of(&error)
    }
}
