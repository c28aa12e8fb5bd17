//! Embedding models of this machine. Installing one names files or servers, so that a page's token
//! does not do.

use axum::Json as Out;
use axum::extract::State;
use axum::response::Response;
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::models::{ModelIn, ModelOut, ModelsOut, PullIn};
use coffer_api::routes;
use coffer_core::jobs::JobRequest;
use coffer_core::models::{Install, Models};
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InModel, Json, Query};
use crate::wire::models;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(pull)).routes(routes!(remove))
}

/// Installed models, by name.
#[utoipa::path(get, path = routes::MODELS, operation_id = "list_models", tag = "models",
    responses((status = 200, body = ModelsOut)))]
async fn list(State(models): State<Models>) -> Reply<ModelsOut> {
    let found = blocking(move || models.list()).await?;
    Ok(Out(ModelsOut { models: found.into_iter().map(models::model).collect() }))
}

/// Install a model by copying a folder.
#[utoipa::path(post, path = routes::MODELS, operation_id = "add_model", tag = "models",
    params(WaitQuery), request_body = ModelIn,
    responses((status = 200, body = ModelOut), (status = 202, body = JobStarted)))]
async fn add(
    State(models): State<Models>,
    State(work): State<Work>,
    Query(query): Query<WaitQuery>,
    Json(body): Json<ModelIn>,
) -> Result<Response, Failure> {
    install(models, work, query, models::add_in(body)?).await
}

/// Install a model by fetching it from a server that offers its files with their checksums.
#[utoipa::path(post, path = routes::MODELS_PULL, operation_id = "pull_model", tag = "models",
    params(WaitQuery), request_body = PullIn,
    responses((status = 200, body = ModelOut), (status = 202, body = JobStarted)))]
async fn pull(
    State(models): State<Models>,
    State(work): State<Work>,
    Query(query): Query<WaitQuery>,
    Json(body): Json<PullIn>,
) -> Result<Response, Failure> {
    install(models, work, query, models::pull_in(body)?).await
}

/// Remove a model for good.
#[utoipa::path(delete, path = routes::MODEL, operation_id = "remove_model", tag = "models",
    params(("name" = String, Path)), responses((status = 204, description = "Removed")))]
async fn remove(
    State(models): State<Models>,
    InModel(name): InModel,
) -> Result<StatusCode, Failure> {
    blocking(move || models.remove(&name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn install(
    models: Models,
    work: Work,
    query: WaitQuery,
    request: Install,
) -> Result<Response, Failure> {
    let checked = move || models.check_install(&request).map(|()| request);
    work.run(JobRequest::InstallModel(blocking(checked).await?), query).await
}
