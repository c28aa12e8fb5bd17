//! Whether the server is up, what it holds, and its end.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::routes;
use coffer_api::status::HealthOut;
use http::StatusCode;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::about::VERSION;
use crate::app::App;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(shutdown))
}

/// Whether the server is up; open.
#[utoipa::path(get, path = routes::HEALTH, tag = "status", security(()),
    responses((status = 200, body = HealthOut)))]
async fn health() -> Out<HealthOut> {
    Out(HealthOut { status: "ok".into(), name: "coffer".into(), version: VERSION.into() })
}

/// Stop gracefully: what runs is finished, then the process ends.
#[utoipa::path(post, path = routes::SHUTDOWN, tag = "status",
    responses((status = 204, description = "The server stops")))]
async fn shutdown(State(stop): State<CancellationToken>) -> StatusCode {
    stop.cancel();
    StatusCode::NO_CONTENT
}
