//! What happened: changes, MCP calls, counts by day.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::history::{AuditOut, HistoryQuery, InvocationsOut, UsageOut};
use coffer_api::routes;
use coffer_core::history::History;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::extract::Query;
use crate::wire::history;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(audit)).routes(routes!(invocations)).routes(routes!(usage))
}

/// Changes, newest first.
#[utoipa::path(get, path = routes::AUDIT, tag = "history",
    params(HistoryQuery), responses((status = 200, body = AuditOut)))]
async fn audit(
    State(history): State<History>,
    Query(query): Query<HistoryQuery>,
) -> Reply<AuditOut> {
    let filter = history::filter_in(query)?;
    let rows = blocking(move || history.audit(&filter)).await?;
    Ok(Out(AuditOut { events: rows.into_iter().map(history::change).collect() }))
}

/// MCP calls, newest first; `event` is the tool, and there is no `store`.
#[utoipa::path(get, path = routes::INVOCATIONS, tag = "history",
    params(HistoryQuery), responses((status = 200, body = InvocationsOut)))]
async fn invocations(
    State(history): State<History>,
    Query(query): Query<HistoryQuery>,
) -> Reply<InvocationsOut> {
    let filter = history::call_filter_in(query)?;
    let rows = blocking(move || history.invocations(&filter)).await?;
    Ok(Out(InvocationsOut { invocations: rows.into_iter().map(history::invocation).collect() }))
}

/// Recalls, writes and injections by day and agent, newest day first.
#[utoipa::path(get, path = routes::USAGE, tag = "history",
    responses((status = 200, body = UsageOut)))]
async fn usage(State(history): State<History>) -> Reply<UsageOut> {
    let rows = blocking(move || history.usage()).await?;
    Ok(Out(UsageOut { usage: rows.into_iter().map(history::usage).collect() }))
}
