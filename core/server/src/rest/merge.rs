//! Stores that may be one project's, and merging two of them.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::merge::{MergeIn, MergeOut, MergeScanOut};
use coffer_api::routes;
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::extract::{Json, store};
use crate::wire::merge as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(scan)).routes(routes!(merge))
}

/// The merges that are worth a thought; changes nothing.
#[utoipa::path(post, path = routes::MERGE_SCAN, operation_id = "merge_scan", tag = "stores",
    responses((status = 200, body = MergeScanOut)))]
async fn scan(State(memory): State<Memory>) -> Reply<MergeScanOut> {
    let proposals = blocking(move || memory.merge_scan()).await?;
    Ok(Out(wire::scan(proposals)))
}

/// Merge one project's store into another one's; the source is gone afterwards.
#[utoipa::path(post, path = routes::MERGE, operation_id = "merge_stores", tag = "stores",
    request_body = MergeIn, responses((status = 200, body = MergeOut)))]
async fn merge(State(memory): State<Memory>, Json(body): Json<MergeIn>) -> Reply<MergeOut> {
    let MergeIn { source, target, organize } = body;
    let (source, target) = (store(&source)?, store(&target)?);
    let merged =
        blocking(move || memory.merge(&source, &target, &Author::USER, clock::now())).await?;
    Ok(Out(wire::merged(merged, organize.unwrap_or(true))))
}
