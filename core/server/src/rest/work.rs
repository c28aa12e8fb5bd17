//! By working directory: which store it belongs to, saving and picking up the working state.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::handoff::{CwdQuery, HandoffIn, HandoffSavedOut, ResumeOut, ScopeOut};
use coffer_api::routes;
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::extract::{Json, Query, absolute};
use crate::wire::handoff;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(scope)).routes(routes!(save)).routes(routes!(resume))
}

/// The store of a working directory; makes nothing.
#[utoipa::path(get, path = routes::SCOPE, tag = "work",
    params(CwdQuery), responses((status = 200, body = ScopeOut)))]
async fn scope(State(memory): State<Memory>, Query(query): Query<CwdQuery>) -> Reply<ScopeOut> {
    let cwd = absolute("cwd", &query.cwd)?;
    let resolved = blocking(move || memory.scope(&cwd)).await?;
    Ok(Out(handoff::scope(resolved)))
}

/// Save the working state of a project and branch.
#[utoipa::path(post, path = routes::HANDOFF, operation_id = "save_handoff", tag = "work",
    request_body = HandoffIn, responses((status = 200, body = HandoffSavedOut)))]
async fn save(State(memory): State<Memory>, Json(body): Json<HandoffIn>) -> Reply<HandoffSavedOut> {
    let cwd = absolute("cwd", &body.cwd)?;
    let saved = blocking(move || memory.set_handoff(&cwd, &body.body, &Author::USER, clock::now()));
    Ok(Out(handoff::saved(saved.await?)))
}

/// Pick up the working state of a project and branch.
#[utoipa::path(get, path = routes::RESUME, tag = "work",
    params(CwdQuery), responses((status = 200, body = ResumeOut)))]
async fn resume(State(memory): State<Memory>, Query(query): Query<CwdQuery>) -> Reply<ResumeOut> {
    let cwd = absolute("cwd", &query.cwd)?;
    let found = blocking(move || memory.resume(&cwd)).await?;
    Ok(Out(handoff::resumed(found)))
}
