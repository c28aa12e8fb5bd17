//! One file per command: ask the server, show the answer.

pub(crate) mod agent;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod completions;
pub(crate) mod credentials;
pub(crate) mod doctor;
mod draft;
pub(crate) mod export;
pub(crate) mod handoff;
pub(crate) mod import;
pub(crate) mod jobs;
pub(crate) mod kb;
pub(crate) mod mcp;
pub(crate) mod memory;
pub(crate) mod models;
pub(crate) mod open;
mod part;
pub(crate) mod purge;
pub(crate) mod reindex;
pub(crate) mod resume;
pub(crate) mod scope;
pub(crate) mod serve;
pub(crate) mod settings;
pub(crate) mod status;
pub(crate) mod stop;
mod text;
pub(crate) mod transcript;

use coffer_api::transfer::SkippedOut;

use crate::render::Page;

/// Names what an export or import left out.
fn left_out(page: &mut Page, rows: &[SkippedOut], more: u64) {
    for SkippedOut { path, reason } in rows {
        page.line(format!("left out: {path}: {reason}"));
    }
    if more > 0 {
        page.line(format!("… and {more} more."));
    }
}
