//! Wire types of Coffer: what REST, MCP, the CLI and the viewer say to each other.
//!
//! Deliberately absent: anything that reads files, opens sockets or knows the engine. This crate
//! compiles to WebAssembly. Times are RFC 3339 strings in UTC, ids are ULIDs, requests refuse
//! unknown fields.

#![warn(missing_docs)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod agents;
pub mod credentials;
pub mod distill;
pub mod doctor;
pub mod error;
pub mod events;
pub mod facts;
pub mod files;
pub mod handoff;
pub mod history;
pub mod hooks;
pub mod jobs;
pub mod kb;
pub mod lanes;
pub mod merge;
pub mod model_settings;
pub mod models;
pub mod organize;
pub mod purge;
pub mod recall;
pub mod resources;
pub mod routes;
pub mod session;
pub mod settings;
pub mod status;
pub mod stores;
pub mod transcripts;
pub mod transfer;

/// For those who show what the server says.
pub use coffer_domain::bundle::ORIGIN as RULE_ORIGIN;
/// For those who show what the server says.
pub use coffer_domain::hidden;

/// Declares a type that only travels from the server to a client.
macro_rules! reply {
    ($($item:item)*) => { $(
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
        $item
    )* };
}

/// Declares a type that a client sends; unknown fields are refused.
macro_rules! request {
    ($($item:item)*) => { $(
        #[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        $item
    )* };
}

/// Declares a closed set of words that travel in snake case.
macro_rules! words {
    ($($item:item)*) => { $(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        $item
    )* };
}

pub(crate) use {reply, request, words};
