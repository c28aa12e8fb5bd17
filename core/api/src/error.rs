//! The one table of error codes: code, HTTP status, CLI exit code.
//!
//! A code exists because a caller branches on it; people read the message.

use std::collections::BTreeMap;

use crate::{reply, words};

/// Declares the code enum and its table in one place, so that no surface can drift from it.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $status:literal, $exit:literal;)*) => {
        /// What went wrong, as callers branch on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        pub enum ErrorCode {
            $($(#[$doc])* $name,)*
        }

        impl ErrorCode {
            /// Every code, in the table's order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code as it travels, such as `MEMORY_NOT_FOUND`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The HTTP status; `INGEST_REJECTED` refines it by its reason.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)* }
            }

            /// The CLI's exit code: 2 usage and validation, 3 conflict, 4 not found, 5 store or
            /// server unavailable, 6 refused for safety, 1 the rest.
            pub const fn exit_code(self) -> u8 {
                match self { $(Self::$name => $exit,)* }
            }
        }
    };
}

codes! {
    /// Malformed JSON or a bad query value.
    BadRequest = "BAD_REQUEST", 400, 2;
    /// A body or a configuration fails validation; `details.fields` names each field.
    ConfigInvalid = "CONFIG_INVALID", 422, 2;
    /// No token, or a wrong one.
    Unauthorized = "UNAUTHORIZED", 401, 6;
    /// The `Host` header does not name this server.
    ForbiddenHost = "FORBIDDEN_HOST", 403, 6;
    /// The request comes from another origin.
    ForbiddenOrigin = "FORBIDDEN_ORIGIN", 403, 6;
    /// No such route or method.
    RouteNotFound = "ROUTE_NOT_FOUND", 404, 4;
    /// The route exists, but not with this method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 405, 2;
    /// The body is larger than the route takes.
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", 413, 2;
    /// The body is not JSON.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", 415, 2;
    /// No such resource.
    ResourceNotFound = "RESOURCE_NOT_FOUND", 404, 4;
    /// No such store, or a malformed name.
    MemoryStoreNotFound = "MEMORY_STORE_NOT_FOUND", 404, 4;
    /// No such fact.
    MemoryNotFound = "MEMORY_NOT_FOUND", 404, 4;
    /// No such file in the lane.
    LaneFileNotFound = "LANE_FILE_NOT_FOUND", 404, 4;
    /// No such knowledge base, or a malformed name.
    KbNotFound = "KB_NOT_FOUND", 404, 4;
    /// No such document.
    DocumentNotFound = "DOCUMENT_NOT_FOUND", 404, 4;
    /// No such job.
    JobNotFound = "JOB_NOT_FOUND", 404, 4;
    /// No such agent.
    AgentNotFound = "AGENT_NOT_FOUND", 404, 4;
    /// The agent has no such reader, hook, MCP format or switch.
    UnsupportedAgentType = "UNSUPPORTED_AGENT_TYPE", 400, 2;
    /// Another tool's file cannot be edited safely; `details.snippet` is to paste.
    AgentConfigUnsafe = "AGENT_CONFIG_UNSAFE", 409, 6;
    /// No such session of an agent.
    TranscriptSessionNotFound = "TRANSCRIPT_SESSION_NOT_FOUND", 404, 4;
    /// Something of that name exists.
    AlreadyExists = "ALREADY_EXISTS", 409, 3;
    /// The text changed since the version the change was based on.
    VersionConflict = "VERSION_CONFLICT", 409, 3;
    /// The settings name the model.
    ModelInUse = "MODEL_IN_USE", 409, 3;
    /// The document cannot be changed this way (a journal, a damaged header).
    NotEditable = "NOT_EDITABLE", 409, 3;
    /// A model is to be tried, and none is set.
    NoModelConfigured = "NO_MODEL_CONFIGURED", 409, 3;
    /// The fact is empty or too long; `details.reason`.
    MemoryRejected = "MEMORY_REJECTED", 422, 2;
    /// A file is not taken into a knowledge base; `details.reason`.
    IngestRejected = "INGEST_REJECTED", 400, 2;
    /// The document was edited, or has no original or source.
    ReconversionBlocked = "RECONVERSION_BLOCKED", 409, 3;
    /// `project` was asked for outside a git project.
    ScopeUnresolved = "SCOPE_UNRESOLVED", 422, 2;
    /// Open or reveal outside Coffer's own files.
    PathNotAllowed = "PATH_NOT_ALLOWED", 403, 6;
    /// What was asked for would destroy more than it should.
    Refused = "REFUSED", 422, 6;
    /// A helper program (editor, file manager) could not be started.
    EngineUnavailable = "ENGINE_UNAVAILABLE", 503, 5;
    /// The files or the index cannot be reached just now.
    StoreUnavailable = "STORE_UNAVAILABLE", 503, 5;
    /// Serving agents is switched off.
    Paused = "PAUSED", 503, 5;
    /// The disk is full.
    NoSpace = "NO_SPACE", 507, 5;
    /// Too many requests at once.
    Busy = "BUSY", 429, 5;
    /// Our fault; the chain is in the log.
    Internal = "INTERNAL", 500, 1;
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

words! {
    /// Why a fact, or a file, was refused.
    pub enum RejectReason {
        /// Nothing but white space.
        Empty,
        /// Longer than the store's `max_fact_chars`.
        TooLong,
        /// Another version of the file is there.
        Duplicate,
        /// Larger than the knowledge base's `max_document_bytes`, or than its Markdown may be.
        TooLarge,
        /// Of no format that can be read, damaged or locked.
        UnsupportedType,
    }
}

impl RejectReason {
    /// The HTTP status of a file that is refused for it.
    pub const fn status(self) -> u16 {
        match self {
            Self::Empty => 400,
            Self::Duplicate => 409,
            Self::TooLarge | Self::TooLong => 413,
            Self::UnsupportedType => 415,
        }
    }
}

impl ErrorOut {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match (self.code, self.details.reason) {
            (ErrorCode::IngestRejected, Some(reason)) => reason.status(),
            (code, _) => code.status(),
        }
    }

    /// The CLI's exit code.
    pub fn exit_code(&self) -> u8 {
        match (self.code, self.details.reason) {
            (ErrorCode::IngestRejected, Some(RejectReason::Duplicate)) => 3,
            (code, _) => code.exit_code(),
        }
    }
}

/// What a caller may need beside the code; every field is optional.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
pub struct ErrorDetails {
    /// Reason by field name, of a body that fails validation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// Why a fact, or a file, was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RejectReason>,
    /// The limit that was passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// The hash of the present version, on a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_sha256: Option<String>,
    /// The file or folder concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What to paste into a file that was left alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// What to do, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

reply! {
    /// The inner part of every error reply.
    pub struct ErrorOut {
        /// What callers branch on.
        pub code: ErrorCode,
        /// What happened and where, for people.
        pub message: String,
        /// What callers may need beside it.
        #[serde(default)]
        pub details: ErrorDetails,
    }

    /// Every error reply: `{"error": {"code", "message", "details"}}`.
    pub struct ErrorBody {
        /// The error.
        pub error: ErrorOut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_travel_as_their_words() {
        for code in ErrorCode::ALL {
            let json = serde_json::to_string(code).unwrap();
            assert_eq!(json, format!("\"{}\"", code.as_str()));
            assert!((400..=599).contains(&code.status()), "{code}");
            assert!((1..=6).contains(&code.exit_code()), "{code}");
        }
    }

    #[test]
    fn details_are_an_empty_object_when_there_are_none() {
        let error = ErrorOut {
            code: ErrorCode::Busy,
            message: "too many requests".into(),
            details: ErrorDetails::default(),
        };
        let json = serde_json::to_string(&ErrorBody { error }).unwrap();
        assert_eq!(json, r#"{"error":{"code":"BUSY","message":"too many requests","details":{}}}"#);
    }
}
