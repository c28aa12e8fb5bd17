//! What the server holds.

use coffer_api::status::{EmbeddingStatusOut, EngineStatusOut, StatusOut};
use coffer_core::config::Settings;
use coffer_core::engine::Spent;
use coffer_core::jobs::Job;
use coffer_core::kb::KnowledgeBase;
use coffer_core::memory::Store;

use super::jobs::queue;
use super::shown;
use crate::about::{About, VERSION};

/// Which models are set.
pub(crate) fn models(settings: &Settings, spent: Spent) -> (EngineStatusOut, EmbeddingStatusOut) {
    let Spent { tokens, cap } = spent;
    let (engine, embedding) = (settings.engine(), settings.embedding());
    (
        EngineStatusOut {
            configured: engine.is_some(),
            model: engine.map(|config| config.source.model),
            tokens_today: tokens,
            daily_token_cap: cap,
        },
        EmbeddingStatusOut {
            configured: embedding.is_some(),
            dimensions: embedding.as_ref().and_then(|config| config.dimensions),
            model: embedding.map(|config| config.source.model),
        },
    )
}

/// The state of the server, its stores, knowledge bases, jobs and models.
pub(crate) fn status(
    about: &About,
    (engine, embedding): (EngineStatusOut, EmbeddingStatusOut),
    (stores, bases): &(Vec<Store>, Vec<KnowledgeBase>),
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
        knowledge_bases: bases.len() as u64,
        documents: bases.iter().map(|base| base.document_count).sum(),
        degraded: about.lacks.iter().cloned().chain(degraded).collect(),
        queue: queue(jobs),
        engine,
        embedding,
    }
}
