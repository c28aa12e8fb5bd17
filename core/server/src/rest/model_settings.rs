//! Which models are used, and trying them.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::model_settings::{EmbeddingSettings, EngineSettings, TrialOut};
use coffer_api::routes;
use coffer_core::config::Settings;
use coffer_core::jobs::{JobRequest, Jobs};
use coffer_core::models::Trials;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{MaybeJson, NullableJson};
use crate::wire::model_settings as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(embedding, set_embedding))
        .routes(routes!(engine, set_engine))
        .routes(routes!(try_embedding))
        .routes(routes!(try_engine))
}

/// The model that embeds texts; null when none is set.
#[utoipa::path(get, path = routes::SETTINGS_EMBEDDING, operation_id = "read_embedding",
    tag = "settings", responses((status = 200, body = Option<EmbeddingSettings>)))]
async fn embedding(State(settings): State<Settings>) -> Reply<Option<EmbeddingSettings>> {
    let found = blocking(move || Ok::<_, Failure>(settings.embedding())).await?;
    Ok(Out(found.map(wire::embedding)))
}

/// Set the model that embeds texts, or none by null. A job brings the vectors up to it, also where it is
/// the same again; with null it takes them away.
#[utoipa::path(put, path = routes::SETTINGS_EMBEDDING, operation_id = "set_embedding",
    tag = "settings", request_body = Option<EmbeddingSettings>,
    responses((status = 200, body = Option<EmbeddingSettings>)))]
async fn set_embedding(
    State(settings): State<Settings>,
    State(jobs): State<Jobs>,
    NullableJson(body): NullableJson<EmbeddingSettings>,
) -> Reply<Option<EmbeddingSettings>> {
    let config = body.map(wire::embedding_in).transpose()?;
    let set = blocking(move || {
        let set = settings.set_embedding(config.as_ref())?;
        jobs.start(JobRequest::Embed, clock::now())?;
        Ok::<_, Failure>(set)
    });
    let set = set.await?;
    Ok(Out(set.map(wire::embedding)))
}

/// The model that writes texts; null when none is set.
#[utoipa::path(get, path = routes::SETTINGS_ENGINE, operation_id = "read_engine",
    tag = "settings", responses((status = 200, body = Option<EngineSettings>)))]
async fn engine(State(settings): State<Settings>) -> Reply<Option<EngineSettings>> {
    let found = blocking(move || Ok::<_, Failure>(settings.engine())).await?;
    Ok(Out(found.map(wire::engine)))
}

/// Set the model that writes texts, or none by null.
#[utoipa::path(put, path = routes::SETTINGS_ENGINE, operation_id = "set_engine",
    tag = "settings", request_body = Option<EngineSettings>,
    responses((status = 200, body = Option<EngineSettings>)))]
async fn set_engine(
    State(settings): State<Settings>,
    NullableJson(body): NullableJson<EngineSettings>,
) -> Reply<Option<EngineSettings>> {
    let config = body.map(wire::engine_in).transpose()?;
    let set = blocking(move || settings.set_engine(config.as_ref())).await?;
    Ok(Out(set.map(wire::engine)))
}

/// Try a model that embeds: the one of the body, else the one that is set. Nothing is stored.
#[utoipa::path(post, path = routes::EMBEDDING_TEST, operation_id = "test_embedding",
    tag = "settings", request_body = Option<EmbeddingSettings>,
    responses((status = 200, body = TrialOut)))]
async fn try_embedding(
    State(trials): State<Trials>,
    MaybeJson(body): MaybeJson<EmbeddingSettings>,
) -> Reply<TrialOut> {
    let config = body.map(wire::embedding_in).transpose()?;
    let trial = blocking(move || trials.of_embedding(config)).await?;
    Ok(Out(wire::trial(trial)))
}

/// Try a model that writes: the one of the body, else the one that is set. Nothing is stored.
#[utoipa::path(post, path = routes::ENGINE_TEST, operation_id = "test_engine",
    tag = "settings", request_body = Option<EngineSettings>,
    responses((status = 200, body = TrialOut)))]
async fn try_engine(
    State(trials): State<Trials>,
    MaybeJson(body): MaybeJson<EngineSettings>,
) -> Reply<TrialOut> {
    let config = body.map(wire::engine_in).transpose()?;
    let trial = blocking(move || trials.of_engine(config)).await?;
    Ok(Out(wire::trial(trial)))
}
