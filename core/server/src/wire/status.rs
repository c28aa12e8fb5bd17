//! What the server holds.

use coffer_api::status::{EmbeddingStatusOut, EngineStatusOut, StatusOut};
use coffer_core::jobs::Job;
use coffer_core::memory::Store;

use super::jobs::queue;
use super::shown;
use crate::about::{About, VERSION};

/// The state of the server, its stores and its jobs; there are no models and no knowledge bases.
pub(crate) fn status(
    about: &About,
    stores: &[Store],
    jobs: &[Job],
    degraded: Vec<String>,
) -> StatusOut {
    StatusOut {
        version: VERSION.to_owned(),
        pid: std::process::id(),
        started_at: about.started_at.to_string(),
        port: about.port,
        home: shown(about.home.root()),
        stores: stores.len() as u64,
        facts: stores.iter().map(|store| store.fact_count).sum(),
        knowledge_bases: 0,
        documents: 0,
        degraded: about.lacks.iter().cloned().chain(degraded).collect(),
        queue: queue(jobs),
        engine: EngineStatusOut { configured: false, model: None },
        embedding: EmbeddingStatusOut { configured: false, model: None, dimensions: None },
    }
}
