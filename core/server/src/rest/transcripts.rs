//! What agents keep of their sessions: lists, and what was said in one.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::routes;
use coffer_api::transcripts::{TranscriptDetailOut, TranscriptsOut, TranscriptsQuery, TurnsQuery};
use coffer_core::agents::Agents;
use coffer_core::sessions::Sessions;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::extract::{InAgent, InTranscript, Query, within};
use crate::wire::transcripts as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show))
}

/// Sessions of an agent, chosen, ordered, one page of them. The agent is a registered one.
#[utoipa::path(get, path = routes::TRANSCRIPTS, operation_id = "list_transcripts", tag = "agents",
    params(("name" = String, Path), TranscriptsQuery),
    responses((status = 200, body = TranscriptsOut)))]
async fn list(
    State(agents): State<Agents>,
    State(sessions): State<Sessions>,
    InAgent(name): InAgent,
    Query(query): Query<TranscriptsQuery>,
) -> Reply<TranscriptsOut> {
    let query = wire::query_in(query)?;
    let asked = query.clone();
    let page = blocking(move || sessions.list(&agents.shelf(&name)?, &asked, &|_, _| {})).await?;
    Ok(Out(wire::page(page, &query)))
}

/// One session, and what was said in it, without secrets.
#[utoipa::path(get, path = routes::TRANSCRIPT, operation_id = "show_transcript", tag = "agents",
    params(("name" = String, Path), ("id" = String, Path), TurnsQuery),
    responses((status = 200, body = TranscriptDetailOut)))]
async fn show(
    State(agents): State<Agents>,
    State(sessions): State<Sessions>,
    InTranscript(name, id): InTranscript,
    Query(query): Query<TurnsQuery>,
) -> Reply<TranscriptDetailOut> {
    let limit = within("limit", query.limit, 1..=2_000, 500)? as usize;
    let after = wire::position_in(query.after)?;
    let shown = blocking(move || sessions.show(&agents.shelf(&name)?, &id, after, limit)).await?;
    Ok(Out(wire::detail(shown)))
}
