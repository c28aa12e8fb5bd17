//! Keys: the viewer's session, the server's proof, rotation.

use std::sync::Arc;

use axum::Json as Out;
use axum::extract::State;
use coffer_api::error::ErrorCode;
use coffer_api::routes;
use coffer_api::session::{ProofOut, ProveIn, RotatedOut, SessionCodeOut, SessionIn, SessionOut};
use coffer_core::history::History;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::about::About;
use crate::app::App;
use crate::auth::Auth;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::Json;
use crate::run_folder;

/// The routes of this file.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(exchange))
        .routes(routes!(code))
        .routes(routes!(prove))
        .routes(routes!(rotate))
}

/// Exchange a one-time code for a session token.
#[utoipa::path(post, path = routes::SESSION, tag = "session", security(()),
    request_body = SessionIn, responses((status = 200, body = SessionOut)))]
async fn exchange(State(auth): State<Arc<Auth>>, Json(body): Json<SessionIn>) -> Reply<SessionOut> {
    let token = auth.exchange(&body.code, clock::instant()).ok_or_else(|| {
        Failure::new(ErrorCode::Unauthorized, "the code is unknown, used or older than a minute")
    })?;
    Ok(Out(SessionOut { token }))
}

/// Make a one-time code for a browser.
#[utoipa::path(post, path = routes::SESSION_CODE, tag = "session",
    responses((status = 200, body = SessionCodeOut)))]
async fn code(
    State(auth): State<Arc<Auth>>,
    State(about): State<Arc<About>>,
) -> Reply<SessionCodeOut> {
    let code = auth.code(clock::instant());
    let url = about.code_url(&code);
    Ok(Out(SessionCodeOut { code, url }))
}

/// Prove that this is Coffer: a keyed hash of the caller's nonce.
#[utoipa::path(post, path = routes::PROVE, tag = "session", security(()),
    request_body = ProveIn, responses((status = 200, body = ProofOut)))]
async fn prove(State(auth): State<Arc<Auth>>, Json(body): Json<ProveIn>) -> Reply<ProofOut> {
    let nonce = hex::decode(&body.nonce).ok().filter(|nonce| (16..=64).contains(&nonce.len()));
    let nonce =
        nonce.ok_or_else(|| Failure::field("nonce", "must be 16 to 64 bytes in hexadecimal"))?;
    let (proof, instance) = auth.proof(&nonce);
    Ok(Out(ProofOut { proof, instance }))
}

/// Replace the token; the old one and all sessions are dead at once.
#[utoipa::path(post, path = routes::AUTH_ROTATE, tag = "session",
    responses((status = 200, body = RotatedOut)))]
async fn rotate(
    State(auth): State<Arc<Auth>>,
    State(about): State<Arc<About>>,
    State(history): State<History>,
) -> Reply<RotatedOut> {
    let renewed = auth.renewed();
    let file = renewed.clone();
    blocking(move || {
        run_folder::announce(&about.home, &file).map_err(|error| kept(&error))?;
        auth.adopt(renewed);
        history.token_rotated(clock::now());
        Ok::<_, Failure>(())
    })
    .await?;
    Ok(Out(RotatedOut { rotated: true }))
}

/// The new token could not be announced, so the old one stays in force.
fn kept(error: &std::io::Error) -> Failure {
    let code = match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ErrorCode::NoSpace,
        _ => ErrorCode::StoreUnavailable,
    };
    Failure::new(code, format!("cannot write `server.json`, the old token stays: {error}"))
}
