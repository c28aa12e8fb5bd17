//! The lanes beside knowledge, to read: rules, journal, handoff, and the consolidation log.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::lanes::{ConsolidationLogOut, HandoffLaneOut, JournalOut, RulesOut};
use coffer_api::routes;
use coffer_core::memory::Memory;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::extract::InStore;
use crate::wire::lanes;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rules))
        .routes(routes!(journal))
        .routes(routes!(handoff))
        .routes(routes!(consolidation_log))
}

/// The rules lane; text null where there is none.
#[utoipa::path(get, path = routes::RULES, tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = RulesOut)))]
async fn rules(State(memory): State<Memory>, InStore(store): InStore) -> Reply<RulesOut> {
    let found = blocking(move || memory.rules(&store)).await?;
    Ok(Out(lanes::rules(found)))
}

/// The journal, newest day first.
#[utoipa::path(get, path = routes::JOURNAL, tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = JournalOut)))]
async fn journal(State(memory): State<Memory>, InStore(store): InStore) -> Reply<JournalOut> {
    let found = blocking(move || memory.journal(&store)).await?;
    Ok(Out(lanes::journal(found)))
}

/// The handoff lane, newest first.
#[utoipa::path(get, path = routes::STORE_HANDOFF, operation_id = "handoff_lane", tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = HandoffLaneOut)))]
async fn handoff(State(memory): State<Memory>, InStore(store): InStore) -> Reply<HandoffLaneOut> {
    let found = blocking(move || memory.handoffs(&store)).await?;
    Ok(Out(lanes::handoff(found)))
}

/// What was retired and organized; text null where there is nothing.
#[utoipa::path(get, path = routes::CONSOLIDATION_LOG, tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = ConsolidationLogOut)))]
async fn consolidation_log(
    State(memory): State<Memory>,
    InStore(store): InStore,
) -> Reply<ConsolidationLogOut> {
    let found = blocking(move || memory.consolidation_log(&store)).await?;
    Ok(Out(lanes::log(found)))
}
