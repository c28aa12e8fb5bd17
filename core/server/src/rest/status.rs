//! Whether the server is up, what it holds, and its end.

use std::sync::Arc;

use axum::Json as Out;
use axum::extract::State;
use coffer_api::routes;
use coffer_api::status::{HealthOut, StatusOut};
use coffer_core::config::Settings;
use coffer_core::doctor::Doctor;
use coffer_core::engine::Engine;
use coffer_core::jobs::Jobs;
use coffer_core::kb::KnowledgeBases;
use coffer_core::memory::Memory;
use http::StatusCode;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::about::{About, VERSION};
use crate::app::App;
use crate::blocking::blocking;
use crate::wire::status as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(status)).routes(routes!(shutdown))
}

/// Whether the server is up; open.
#[utoipa::path(get, path = routes::HEALTH, tag = "status", security(()),
    responses((status = 200, body = HealthOut)))]
async fn health() -> Out<HealthOut> {
    Out(HealthOut { status: "ok".into(), name: "coffer".into(), version: VERSION.into() })
}

/// What the server holds, from the index.
#[utoipa::path(get, path = routes::STATUS, tag = "status",
    responses((status = 200, body = StatusOut)))]
async fn status(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    State(jobs): State<Jobs>,
    State(doctor): State<Doctor>,
    State(settings): State<Settings>,
    State(engine): State<Engine>,
    State(about): State<Arc<About>>,
) -> Reply<StatusOut> {
    let counted = blocking(move || {
        let models = wire::models(&settings, engine.spent()?);
        let held = (memory.stores()?, kb.all()?);
        Ok::<_, coffer_core::Error>((models, held, jobs.list()?, doctor.degraded()))
    });
    let (models, held, jobs, degraded) = counted.await?;
    Ok(Out(wire::status(&about, models, &held, &jobs, degraded)))
}

/// Stop gracefully: what runs is finished, then the process ends.
#[utoipa::path(post, path = routes::SHUTDOWN, tag = "status",
    responses((status = 204, description = "The server stops")))]
async fn shutdown(State(stop): State<CancellationToken>) -> StatusCode {
    stop.cancel();
    StatusCode::NO_CONTENT
}
