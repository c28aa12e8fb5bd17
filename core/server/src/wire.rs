//! Between the engine's types and those that travel. Each conversion takes its source apart
//! completely, so that a new field cannot be forgotten here.

pub(crate) mod agents;
pub(crate) mod credentials;
pub(crate) mod distill;
pub(crate) mod doctor;
pub(crate) mod events;
pub(crate) mod facts;
pub(crate) mod handoff;
pub(crate) mod history;
pub(crate) mod hooks;
pub(crate) mod jobs;
pub(crate) mod kb;
pub(crate) mod kb_questions;
pub(crate) mod lanes;
pub(crate) mod merge;
pub(crate) mod model_settings;
pub(crate) mod models;
pub(crate) mod organize;
pub(crate) mod purge;
pub(crate) mod recall;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod status;
pub(crate) mod stores;
pub(crate) mod transcripts;
pub(crate) mod transfer;

use std::path::Path;

use coffer_api::facts::Scope;
use coffer_domain::store::StoreName;

/// A path as it travels.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The folder of a file, as it travels.
fn folder(path: &Path) -> String {
    path.parent().map(shown).unwrap_or_default()
}

fn scope(store: &StoreName) -> Scope {
    match store {
        StoreName::Global => Scope::Global,
        StoreName::Project(_) => Scope::Project,
    }
}
