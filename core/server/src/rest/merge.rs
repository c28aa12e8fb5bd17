//! Stores that may be one project's, and merging two of them.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::merge::{AfterMerge, MergeIn, MergeOut, MergeScanOut};
use coffer_api::routes;
use coffer_core::engine::Engine;
use coffer_core::jobs::{JobRequest, Jobs};
use coffer_core::memory::Memory;
use coffer_core::organize::Organizer;
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
async fn scan(State(organizer): State<Organizer>) -> Reply<MergeScanOut> {
    let found = blocking(move || organizer.scan()).await?;
    Ok(Out(wire::scan(found)))
}

/// Merge one project's store into another one's; the source is gone afterwards.
#[utoipa::path(post, path = routes::MERGE, operation_id = "merge_stores", tag = "stores",
    request_body = MergeIn, responses((status = 200, body = MergeOut)))]
async fn merge(
    State(memory): State<Memory>,
    State(engine): State<Engine>,
    State(jobs): State<Jobs>,
    Json(MergeIn { source, target, organize }): Json<MergeIn>,
) -> Reply<MergeOut> {
    let (source, target) = (store(&source)?, store(&target)?);
    let merged = blocking(move || {
        let merged = memory.merge(&source, &target, &Author::USER, clock::now())?;
        let reorg = match (organize.unwrap_or(true), engine.is_configured()) {
            (false, _) => AfterMerge::Skipped,
            (true, false) => AfterMerge::NoModel,
            (true, true) => jobs
                .start(JobRequest::Reorg(merged.target.clone()), clock::now())
                .map(|_| AfterMerge::Queued)?,
        };
        Ok::<_, coffer_core::Error>((merged, reorg))
    });
    let (merged, reorg) = merged.await?;
    Ok(Out(wire::merged(merged, reorg)))
}
