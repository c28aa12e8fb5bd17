//! How a failure looks from outside: one envelope, one table of codes, one match per source.
//!
//! An internal failure is logged here, once, with its chain; callers get a generic message.

use axum::Json;
use axum::response::{IntoResponse, Response};
use coffer_api::error::{ErrorBody, ErrorCode, ErrorDetails, ErrorOut, RejectReason};
use coffer_core::{Error, Unfit};
use coffer_domain::fact::Rejected;
use http::StatusCode;
use http::header::{CONNECTION, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

/// What a handler gives back when it cannot do what was asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure(Box<ErrorOut>);

impl Failure {
    /// A failure with a message: what happened, and where.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(ErrorOut { code, message, details: ErrorDetails::default() }))
    }

    /// One field that fails validation.
    pub(crate) fn field(name: &str, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        let mut failure = Self::new(ErrorCode::ConfigInvalid, format!("`{name}` {reason}"));
        failure.0.details.fields.insert(name.to_owned(), reason);
        failure
    }

    /// Something that must not happen; the log gets the chain, the caller does not.
    pub(crate) fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!("internal error: {cause}");
        Self::new(ErrorCode::Internal, "internal error; the log says what happened")
    }

    /// Adds what callers may need beside the code.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut ErrorDetails)) -> Self {
        change(&mut self.0.details);
        self
    }

    /// What callers branch on.
    pub(crate) fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The wire form.
    pub(crate) fn into_wire(self) -> ErrorOut {
        *self.0
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let code = self.code();
        let status =
            StatusCode::from_u16(self.0.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(ErrorBody { error: self.into_wire() })).into_response();
        let headers = response.headers_mut();
        match code {
            ErrorCode::Unauthorized => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            ErrorCode::Busy | ErrorCode::Paused | ErrorCode::StoreUnavailable => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            // The rest of the body may still be under way; a reused connection would read it as
            // the next request.
            ErrorCode::PayloadTooLarge => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

const AGENTS: &str = "`coffer agent list` shows which are; `coffer agent connect` registers one.";

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let new = |code| Self::new(code, message.clone());
        match error {
            Error::StoreNotFound(_) => Self::new(ErrorCode::MemoryStoreNotFound, message),
            Error::FactNotFound { .. } => Self::new(ErrorCode::MemoryNotFound, message),
            Error::BaseNotFound(_) => Self::new(ErrorCode::KbNotFound, message),
            Error::BaseExists(_) | Error::AgentExists(_) => new(ErrorCode::AlreadyExists),
            Error::DocumentNotFound { .. } => Self::new(ErrorCode::DocumentNotFound, message),
            Error::IngestRejected { reason, .. } => Self::unfit(reason, message),
            Error::ReconversionBlocked { .. } => Self::new(ErrorCode::ReconversionBlocked, message),
            Error::JobNotFound(_) => Self::new(ErrorCode::JobNotFound, message),
            Error::TranscriptNotFound(_) | Error::ProjectTranscriptNotFound(_) => {
                new(ErrorCode::TranscriptSessionNotFound)
            }
            Error::LaneFileNotFound { .. } => Self::new(ErrorCode::LaneFileNotFound, message),
            Error::CredentialNotFound(_) => Self::new(ErrorCode::ResourceNotFound, message),
            Error::AgentNotFound(_) => Self::new(ErrorCode::AgentNotFound, message).hinted(AGENTS),
            Error::UnsupportedAgent { .. } => Self::new(ErrorCode::UnsupportedAgentType, message),
            Error::AgentConfigUnsafe { path, snippet, .. } => Self::paste(message, &path, snippet),
            Error::Keyring { .. } => Self::new(ErrorCode::StoreUnavailable, message)
                .hinted("set `COFFER_KEYRING` to `off` to keep credentials in a file."),
            Error::NoModelConfigured(_) => Self::new(ErrorCode::NoModelConfigured, message),
            Error::ModelNotFound(_) => Self::new(ErrorCode::ResourceNotFound, message)
                .hinted("`coffer models list` shows what is installed."),
            Error::ModelExists(_) => Self::new(ErrorCode::AlreadyExists, message)
                .hinted("choose another name, or remove that one first."),
            Error::ModelInUse(_) => Self::new(ErrorCode::ModelInUse, message)
                .hinted("choose another model in the settings first, or none."),
            Error::BadModel { .. } => Self::new(ErrorCode::ConfigInvalid, message),
            Error::Rejected(rejected) => rejected.into(),
            Error::Invalid { field, reason } => Self::field(field, reason),
            Error::ScopeUnresolved(path) => Self::at(ErrorCode::ScopeUnresolved, message, &path)
                .hinted("start the agent inside a git project, or use the global scope."),
            Error::VersionConflict { path, current_sha256 } => {
                Self::new(ErrorCode::VersionConflict, message).with(|details| {
                    details.path = Some(path.display().to_string());
                    details.current_sha256 = Some(current_sha256);
                })
            }
            Error::NotEditable { path, reason: _ } => {
                Self::at(ErrorCode::NotEditable, message, &path)
            }
            Error::AlreadyExists(path) => Self::at(ErrorCode::AlreadyExists, message, &path)
                .hinted("name another file, or say that it is to be replaced."),
            Error::BadSource { path: _, reason } => Self::source(message, reason),
            Error::PathNotAllowed(path) => Self::at(ErrorCode::PathNotAllowed, message, &path),
            Error::Refused { .. } => Self::new(ErrorCode::Refused, message),
            Error::Launch { .. } | Error::EngineUnavailable(_) => new(ErrorCode::EngineUnavailable),
            Error::NoSpace(path) => Self::at(ErrorCode::NoSpace, message, &path),
            Error::Unavailable { action: _, path, reason: _ } => {
                Self::at(ErrorCode::StoreUnavailable, message, &path)
            }
            Error::BadPattern(reason) => {
                Self::field("query", format!("does not parse as a pattern: {reason}"))
            }
            Error::Cancelled => Self::new(ErrorCode::Busy, message),
            Error::Internal(cause) => Self::internal(&cause),
        }
    }
}

impl Failure {
    fn unfit(reason: Unfit, message: String) -> Self {
        Self::new(ErrorCode::IngestRejected, message)
            .with(|details| details.reason = Some(unfit(reason)))
    }

    /// A file or folder that was named, and what is wrong with it.
    fn source(message: String, reason: String) -> Self {
        Self::new(ErrorCode::ConfigInvalid, message)
            .with(|details| drop(details.fields.insert("path".to_owned(), reason)))
    }

    /// A file that is left alone, and what a person can paste into it.
    fn paste(message: String, path: &std::path::Path, snippet: Option<String>) -> Self {
        let hint = match snippet {
            Some(_) => "mend the file and try again, or paste this into it yourself.",
            None => {
                "mend the file and try again; what is Coffer's in it can also be taken out by hand."
            }
        };
        Self::at(ErrorCode::AgentConfigUnsafe, message, path)
            .with(|details| details.snippet = snippet)
            .hinted(hint)
    }

    fn at(code: ErrorCode, message: String, path: &std::path::Path) -> Self {
        Self::new(code, message).with(|details| details.path = Some(path.display().to_string()))
    }

    fn hinted(self, hint: &str) -> Self {
        self.with(|details| details.hint = Some(hint.to_owned()))
    }
}

/// Why a file is not taken, as it travels.
const fn unfit(reason: Unfit) -> RejectReason {
    match reason {
        Unfit::Empty => RejectReason::Empty,
        Unfit::Duplicate => RejectReason::Duplicate,
        Unfit::TooLarge => RejectReason::TooLarge,
        Unfit::UnsupportedType | Unfit::Unreadable => RejectReason::UnsupportedType,
    }
}

impl From<Rejected> for Failure {
    fn from(rejected: Rejected) -> Self {
        let message = rejected.to_string();
        match rejected {
            Rejected::Empty => Self::new(ErrorCode::MemoryRejected, message)
                .with(|details| details.reason = Some(RejectReason::Empty)),
            Rejected::TooLong { length: _, max } => Self::new(ErrorCode::MemoryRejected, message)
                .with(|details| {
                    details.reason = Some(RejectReason::TooLong);
                    details.max = u64::try_from(max).ok();
                }),
            Rejected::Field { field, reason } => Self::field(field, reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn every_core_error_has_its_code() {
        let path = || PathBuf::from("/c/a.md");
        for (error, code) in [
            (Error::StoreNotFound("x".into()), ErrorCode::MemoryStoreNotFound),
            (Error::BaseNotFound("x".into()), ErrorCode::KbNotFound),
            (Error::BaseExists("x".into()), ErrorCode::AlreadyExists),
            (
                Error::DocumentNotFound { base: "x".into(), id: "y".into() },
                ErrorCode::DocumentNotFound,
            ),
            (
                Error::ReconversionBlocked { id: "x".into(), reason: "y".into() },
                ErrorCode::ReconversionBlocked,
            ),
            (Error::JobNotFound("x".into()), ErrorCode::JobNotFound),
            (Error::TranscriptNotFound("x".into()), ErrorCode::TranscriptSessionNotFound),
            (Error::ProjectTranscriptNotFound("/x".into()), ErrorCode::TranscriptSessionNotFound),
            (Error::CredentialNotFound("x".into()), ErrorCode::ResourceNotFound),
            (Error::Keyring { name: "x".into(), reason: "y".into() }, ErrorCode::StoreUnavailable),
            (Error::AgentNotFound("x".into()), ErrorCode::AgentNotFound),
            (Error::AgentExists("x".into()), ErrorCode::AlreadyExists),
            (Error::UnsupportedAgent { agent: "x", what: "y" }, ErrorCode::UnsupportedAgentType),
            (
                Error::AgentConfigUnsafe { path: path(), reason: "x".into(), snippet: None },
                ErrorCode::AgentConfigUnsafe,
            ),
            (Error::NoModelConfigured("embedding"), ErrorCode::NoModelConfigured),
            (Error::ModelNotFound("x".into()), ErrorCode::ResourceNotFound),
            (Error::ModelExists("x".into()), ErrorCode::AlreadyExists),
            (Error::ModelInUse("x".into()), ErrorCode::ModelInUse),
            (Error::BadModel { from: "x".into(), reason: "y".into() }, ErrorCode::ConfigInvalid),
            (Error::Rejected(Rejected::Empty), ErrorCode::MemoryRejected),
            (Error::ScopeUnresolved(path()), ErrorCode::ScopeUnresolved),
            (
                Error::VersionConflict { path: path(), current_sha256: "00".into() },
                ErrorCode::VersionConflict,
            ),
            (Error::NotEditable { path: path(), reason: "x".into() }, ErrorCode::NotEditable),
            (Error::PathNotAllowed(path()), ErrorCode::PathNotAllowed),
            (Error::AlreadyExists(path()), ErrorCode::AlreadyExists),
            (Error::BadSource { path: path(), reason: "x".into() }, ErrorCode::ConfigInvalid),
            (
                Error::Launch { program: "x".into(), reason: "y".into() },
                ErrorCode::EngineUnavailable,
            ),
            (Error::NoSpace(path()), ErrorCode::NoSpace),
            (
                Error::Unavailable { action: "read", path: path(), reason: "x".into() },
                ErrorCode::StoreUnavailable,
            ),
            (Error::BadPattern("x".into()), ErrorCode::ConfigInvalid),
            (Error::Refused { what: "x", reason: "y".into() }, ErrorCode::Refused),
            (Error::Internal("secret".into()), ErrorCode::Internal),
        ] {
            assert_eq!(Failure::from(error).code(), code);
        }
    }

    #[test]
    fn a_refused_file_has_the_status_of_its_reason() {
        for (reason, status) in [
            (Unfit::Empty, 400),
            (Unfit::Duplicate, 409),
            (Unfit::TooLarge, 413),
            (Unfit::UnsupportedType, 415),
            (Unfit::Unreadable, 415),
        ] {
            let error = Error::IngestRejected { name: "x".into(), reason, message: "y".into() };
            let failure = Failure::from(error);
            assert_eq!(failure.code(), ErrorCode::IngestRejected);
            assert_eq!(failure.into_response().status().as_u16(), status, "{reason:?}");
        }
    }

    #[test]
    fn an_internal_failure_says_nothing_of_its_cause() {
        let wire = Failure::from(Error::Internal("secret".into())).into_wire();
        assert!(!wire.message.contains("secret"), "{}", wire.message);
    }

    #[test]
    fn a_refused_field_is_named() {
        let wire = Failure::from(Error::Invalid { field: "top_k", reason: "must be 1".into() });
        let wire = wire.into_wire();
        assert_eq!(wire.details.fields["top_k"], "must be 1");
        assert_eq!(wire.message, "`top_k` must be 1");
    }

    #[test]
    fn replies_carry_the_headers_that_callers_need() {
        for (code, header) in [
            (ErrorCode::Unauthorized, WWW_AUTHENTICATE),
            (ErrorCode::PayloadTooLarge, CONNECTION),
            (ErrorCode::Busy, RETRY_AFTER),
        ] {
            let response = Failure::new(code, "x").into_response();
            assert_eq!(response.status().as_u16(), code.status());
            assert!(response.headers().contains_key(&header), "{code}");
        }
    }
}
