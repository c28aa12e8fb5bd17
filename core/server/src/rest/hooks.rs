//! Hooks of agents: rules at the start of a session, and that one ended. Paused with the agents.

use axum::Json as Out;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use coffer_api::handoff::CwdQuery;
use coffer_api::hooks::{
    InjectionOut, SessionContextOut, SessionEndIn, SessionNotQueued, SessionQueued,
};
use coffer_api::routes;
use coffer_core::history::{History, UsageKind};
use coffer_core::hooks::Hooks;
use coffer_core::memory::Memory;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::{App, Served};
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InAgent, InSession, InStore, Json, Query, absolute};
use crate::wire::hooks as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(session_context))
        .routes(routes!(session_end))
        .routes(routes!(injection))
}

/// What an agent is told at the start of a session in a working directory.
#[utoipa::path(get, path = routes::SESSION_CONTEXT, tag = "agents",
    params(("name" = String, Path), CwdQuery), responses((status = 200, body = SessionContextOut)))]
async fn session_context(
    _: Served,
    State(hooks): State<Hooks>,
    State(history): State<History>,
    InAgent(name): InAgent,
    Query(query): Query<CwdQuery>,
) -> Reply<SessionContextOut> {
    let cwd = absolute("cwd", &query.cwd)?;
    let agent = name.clone();
    let told = blocking(move || hooks.session_context(&agent, &cwd)).await?;
    history.record_use(&name, UsageKind::Injection, clock::now());
    Ok(Out(wire::session_context(told)))
}

/// A session of an agent ended; it is distilled later, if that is wanted.
#[utoipa::path(post, path = routes::SESSION_END, tag = "agents", request_body = SessionEndIn,
    params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 202, body = SessionQueued), (status = 200, body = SessionNotQueued)))]
async fn session_end(
    _: Served,
    State(hooks): State<Hooks>,
    InSession(name, session): InSession,
    Json(body): Json<SessionEndIn>,
) -> Result<Response, Failure> {
    let cwd = absolute("cwd", &body.cwd)?;
    let ended = move || hooks.session_ended(&name, &session, &cwd, clock::now());
    Ok(wire::session_end(blocking(ended).await?).into_response())
}

/// What an agent that starts in a store's project is told now, and its size.
#[utoipa::path(get, path = routes::STORE_INJECTION, tag = "stores",
    params(("name" = String, Path)), responses((status = 200, body = InjectionOut)))]
async fn injection(State(memory): State<Memory>, InStore(store): InStore) -> Reply<InjectionOut> {
    let told = blocking(move || memory.injection(&store)).await?;
    Ok(Out(wire::injection(told)))
}
