//! One file per command: ask the server, show the answer.

pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod handoff;
pub(crate) mod jobs;
pub(crate) mod mcp;
pub(crate) mod memory;
pub(crate) mod open;
pub(crate) mod reindex;
pub(crate) mod resume;
pub(crate) mod scope;
pub(crate) mod serve;
pub(crate) mod settings;
pub(crate) mod status;
pub(crate) mod stop;
mod text;
