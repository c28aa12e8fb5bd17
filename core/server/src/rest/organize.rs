//! Letting the engine put a store in order.

use axum::Json as Out;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::organize::{OrganizeOut, OrganizeQuery, ReorgOut};
use coffer_api::routes;
use coffer_core::jobs::JobRequest;
use coffer_core::organize::Organizer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InStore, Query};
use crate::wire::organize as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(organize)).routes(routes!(reorg))
}

/// File the inbox's items into topics and rules; with `dry_run`, say what would be sent.
#[utoipa::path(post, path = routes::STORE_ORGANIZE, operation_id = "organize_store",
    tag = "stores", params(("name" = String, Path), OrganizeQuery),
    responses((status = 200, body = OrganizeOut), (status = 202, body = JobStarted)))]
async fn organize(
    State(work): State<Work>,
    State(organizer): State<Organizer>,
    InStore(store): InStore,
    Query(OrganizeQuery { wait, dry_run }): Query<OrganizeQuery>,
) -> Result<Response, Failure> {
    if dry_run {
        let questions = blocking(move || organizer.rehearse(&store)).await?;
        return Ok(Out(wire::rehearsed(questions)).into_response());
    }
    work.run(JobRequest::Organize(store), WaitQuery { wait }).await
}

/// Let the engine tidy the topics.
#[utoipa::path(post, path = routes::STORE_REORG, operation_id = "reorg_store", tag = "stores",
    params(("name" = String, Path), WaitQuery),
    responses((status = 200, body = ReorgOut), (status = 202, body = JobStarted)))]
async fn reorg(
    State(work): State<Work>,
    InStore(store): InStore,
    Query(query): Query<WaitQuery>,
) -> Result<Response, Failure> {
    work.run(JobRequest::Reorg(store), query).await
}
