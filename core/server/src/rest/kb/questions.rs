//! Searching and grepping a knowledge base.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::kb::{GrepIn, GrepOut, KbSearchIn, PassagesOut};
use coffer_api::routes;
use coffer_core::history::{History, UsageKind};
use coffer_core::kb::KnowledgeBases;
use coffer_domain::fact::Author;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::extract::{InBase, Json, within};
use crate::rest::Reply;
use crate::wire::kb_questions as wire;
use crate::wire::recall::checked_query;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(grep))
}

/// Ask one knowledge base, in the mode that its settings say.
#[utoipa::path(post, path = routes::KB_SEARCH, operation_id = "search_knowledge_base",
    tag = "knowledge bases", params(("name" = String, Path)), request_body = KbSearchIn,
    responses((status = 200, body = PassagesOut)))]
async fn search(
    State(kb): State<KnowledgeBases>,
    State(history): State<History>,
    InBase(name): InBase,
    Json(body): Json<KbSearchIn>,
) -> Reply<PassagesOut> {
    let KbSearchIn { query, top_k } = body;
    let query = checked_query("query", query)?;
    let top = within("top_k", top_k, 1..=20, 5)?;
    let found = blocking(move || kb.search(&name, &query, top)).await?;
    history.record_use(Author::USER.name(), UsageKind::Recall, clock::now());
    Ok(Out(wire::searched(found)))
}

/// Lines of its documents that match a regular expression.
#[utoipa::path(post, path = routes::KB_GREP, operation_id = "grep_knowledge_base",
    tag = "knowledge bases", params(("name" = String, Path)), request_body = GrepIn,
    responses((status = 200, body = GrepOut)))]
async fn grep(
    State(kb): State<KnowledgeBases>,
    InBase(name): InBase,
    Json(body): Json<GrepIn>,
) -> Reply<GrepOut> {
    let asked = wire::grep_in(body)?;
    let found = blocking(move || kb.grep(&name, &asked)).await?;
    Ok(Out(wire::grepped(found)))
}
