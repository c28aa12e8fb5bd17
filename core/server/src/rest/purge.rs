//! Purging. It destroys, so that a page's token does not do.

use axum::extract::State;
use axum::response::Response;
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::purge::{PurgeIn, PurgeOut};
use coffer_api::routes;
use coffer_core::jobs::JobRequest;
use coffer_core::purge::Purge;
use coffer_env::clock::Stamp;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{Json, Query};
use crate::wire::purge::purge_in;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(purge))
}

/// Take a text out of every file, the index, the history and the logs, and prove it.
#[utoipa::path(post, path = routes::PURGE, operation_id = "purge", tag = "transfer",
    params(WaitQuery), request_body = PurgeIn,
    responses((status = 200, body = PurgeOut), (status = 202, body = JobStarted)))]
async fn purge(
    State(purge): State<Purge>,
    State(work): State<Work>,
    Query(query): Query<WaitQuery>,
    Json(body): Json<PurgeIn>,
) -> Result<Response, Failure> {
    let (wanted, dry_run) = purge_in(body)?;
    let request = blocking(move || purge.prepare(wanted, dry_run, Stamp::new().id)).await?;
    work.run(JobRequest::Purge(request), query).await
}
