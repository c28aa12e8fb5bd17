//! Knowledge bases: list, make, look, change, delete, counts, reindex.

mod documents;
mod questions;
mod upload;

use axum::Json as Out;
use axum::extract::State;
use axum::response::Response;
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::kb::{
    KbMetricsOut, KnowledgeBaseIn, KnowledgeBaseOut, KnowledgeBasePatch, KnowledgeBasesOut,
    SourcesOut,
};
use coffer_api::routes;
use coffer_api::stores::ReindexOut;
use coffer_core::jobs::{JobRequest, Jobs};
use coffer_core::kb::KnowledgeBases;
use coffer_domain::fact::Author;
use coffer_env::clock;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InBase, Json, Query};
use crate::wire::kb as wire;

/// The routes of this file, and of those below it.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(read, change, delete))
        .routes(routes!(metrics))
        .routes(routes!(reindex))
        .routes(routes!(check_sources))
        .merge(documents::router())
        .merge(questions::router())
}

/// All knowledge bases.
#[utoipa::path(get, path = routes::KNOWLEDGE_BASES, operation_id = "list_knowledge_bases",
    tag = "knowledge bases", responses((status = 200, body = KnowledgeBasesOut)))]
async fn list(State(kb): State<KnowledgeBases>) -> Reply<KnowledgeBasesOut> {
    let found = blocking(move || kb.all()).await?;
    Ok(Out(KnowledgeBasesOut { knowledge_bases: found.into_iter().map(wire::base).collect() }))
}

/// Make a knowledge base.
#[utoipa::path(post, path = routes::KNOWLEDGE_BASES, operation_id = "create_knowledge_base",
    tag = "knowledge bases", request_body = KnowledgeBaseIn,
    responses((status = 201, body = KnowledgeBaseOut)))]
async fn create(
    State(kb): State<KnowledgeBases>,
    Json(body): Json<KnowledgeBaseIn>,
) -> Result<(StatusCode, Out<KnowledgeBaseOut>), Failure> {
    let (name, patch) = wire::base_in(body)?;
    let made = blocking(move || kb.create(&name, &patch, &Author::USER, clock::now())).await?;
    Ok((StatusCode::CREATED, Out(wire::base(made))))
}

/// One knowledge base.
#[utoipa::path(get, path = routes::KNOWLEDGE_BASE, operation_id = "read_knowledge_base",
    tag = "knowledge bases", params(("name" = String, Path)),
    responses((status = 200, body = KnowledgeBaseOut)))]
async fn read(State(kb): State<KnowledgeBases>, InBase(name): InBase) -> Reply<KnowledgeBaseOut> {
    let found = blocking(move || kb.base(&name)).await?;
    Ok(Out(wire::base(found)))
}

/// Change description and settings. Other sizes of passages have all documents cut again, in a job.
#[utoipa::path(patch, path = routes::KNOWLEDGE_BASE, operation_id = "change_knowledge_base",
    tag = "knowledge bases", params(("name" = String, Path)), request_body = KnowledgeBasePatch,
    responses((status = 200, body = KnowledgeBaseOut)))]
async fn change(
    State(kb): State<KnowledgeBases>,
    State(jobs): State<Jobs>,
    InBase(name): InBase,
    Json(body): Json<KnowledgeBasePatch>,
) -> Reply<KnowledgeBaseOut> {
    let patch = wire::patch_in(body)?;
    let changed = blocking(move || {
        let (changed, is_cut_again) = kb.change(&name, &patch, clock::now())?;
        if is_cut_again {
            jobs.start(JobRequest::ReindexBase(name), clock::now())?;
        }
        Ok::<_, coffer_core::Error>(changed)
    });
    Ok(Out(wire::base(changed.await?)))
}

/// Delete a knowledge base with all its documents and originals, for good.
#[utoipa::path(delete, path = routes::KNOWLEDGE_BASE, operation_id = "delete_knowledge_base",
    tag = "knowledge bases", params(("name" = String, Path)),
    responses((status = 204, description = "Deleted")))]
async fn delete(
    State(kb): State<KnowledgeBases>,
    InBase(name): InBase,
) -> Result<StatusCode, Failure> {
    blocking(move || kb.delete(&name, &Author::USER, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Counts of a knowledge base.
#[utoipa::path(get, path = routes::KB_METRICS, operation_id = "knowledge_base_metrics",
    tag = "knowledge bases", params(("name" = String, Path)),
    responses((status = 200, body = KbMetricsOut)))]
async fn metrics(State(kb): State<KnowledgeBases>, InBase(name): InBase) -> Reply<KbMetricsOut> {
    let counted = blocking(move || kb.metrics(&name)).await?;
    Ok(Out(wire::metrics(counted)))
}

/// Compare a knowledge base's documents with the index and heal what differs.
#[utoipa::path(post, path = routes::KB_REINDEX, operation_id = "reindex_knowledge_base",
    tag = "knowledge bases", params(("name" = String, Path), WaitQuery),
    responses((status = 200, body = ReindexOut), (status = 202, body = JobStarted)))]
async fn reindex(
    State(kb): State<KnowledgeBases>,
    State(work): State<Work>,
    InBase(name): InBase,
    Query(query): Query<WaitQuery>,
) -> Result<Response, Failure> {
    let name = blocking(move || kb.base(&name).map(|found| found.name)).await?;
    work.run(JobRequest::ReindexBase(name), query).await
}

/// Look at the sources of documents that were taken in by their paths.
#[utoipa::path(post, path = routes::KB_CHECK_SOURCES, operation_id = "check_sources",
    tag = "knowledge bases", params(("name" = String, Path)),
    responses((status = 200, body = SourcesOut)))]
async fn check_sources(
    State(kb): State<KnowledgeBases>,
    InBase(name): InBase,
) -> Reply<SourcesOut> {
    let found = blocking(move || kb.check_sources(&name, &Author::USER)).await?;
    Ok(Out(SourcesOut { documents: found.into_iter().map(wire::source).collect() }))
}
