//! Open a file in the editor, show it in the file manager.

use std::path::PathBuf;

use axum::extract::State;
use coffer_api::files::PathIn;
use coffer_api::routes;
use coffer_core::files::Files;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::Json;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(open)).routes(routes!(reveal))
}

/// Open a file or folder of Coffer in the preferred program.
#[utoipa::path(post, path = routes::FILES_OPEN, operation_id = "open_file", tag = "files",
    request_body = PathIn, responses((status = 204, description = "Opened")))]
async fn open(State(files): State<Files>, Json(body): Json<PathIn>) -> Result<StatusCode, Failure> {
    let path = PathBuf::from(body.path);
    blocking(move || files.open(&path)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Show a file or folder of Coffer in the file manager.
#[utoipa::path(post, path = routes::FILES_REVEAL, operation_id = "reveal_file", tag = "files",
    request_body = PathIn, responses((status = 204, description = "Shown")))]
async fn reveal(
    State(files): State<Files>,
    Json(body): Json<PathIn>,
) -> Result<StatusCode, Failure> {
    let path = PathBuf::from(body.path);
    blocking(move || files.reveal(&path)).await?;
    Ok(StatusCode::NO_CONTENT)
}
