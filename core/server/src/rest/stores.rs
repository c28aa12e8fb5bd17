//! Memory stores: list, settings, label, counts, reindex.

use axum::Json as Out;
use axum::extract::State;
use axum::response::Response;
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::routes;
use coffer_api::stores::{
    LabelIn, MemoryStoreOut, MemoryStoresOut, ReindexOut, StoreConfigPatch, StoreMetricsOut,
};
use coffer_core::memory::Memory;
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
use crate::extract::{InStore, Json, Query};
use crate::wire::stores;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(read, configure, delete))
        .routes(routes!(label))
        .routes(routes!(metrics))
        .routes(routes!(reindex))
}

/// All stores, the global one first.
#[utoipa::path(get, path = routes::STORES, operation_id = "list_stores", tag = "stores",
    responses((status = 200, body = MemoryStoresOut)))]
async fn list(State(memory): State<Memory>) -> Reply<MemoryStoresOut> {
    let found = blocking(move || memory.stores()).await?;
    let memory_stores = found.into_iter().map(stores::store).collect();
    Ok(Out(MemoryStoresOut { memory_stores }))
}

/// One store.
#[utoipa::path(get, path = routes::STORE, operation_id = "read_store", tag = "stores",
    params(("name" = String, Path)), responses((status = 200, body = MemoryStoreOut)))]
async fn read(State(memory): State<Memory>, InStore(store): InStore) -> Reply<MemoryStoreOut> {
    let found = blocking(move || memory.store(&store)).await?;
    Ok(Out(stores::store(found)))
}

/// Change a store's settings.
#[utoipa::path(patch, path = routes::STORE, operation_id = "configure_store", tag = "stores",
    params(("name" = String, Path)), request_body = StoreConfigPatch,
    responses((status = 200, body = MemoryStoreOut)))]
async fn configure(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Json(body): Json<StoreConfigPatch>,
) -> Reply<MemoryStoreOut> {
    let patch = stores::patch_in(body)?;
    let changed =
        blocking(move || memory.configure(&store, &patch, &Author::USER, clock::now())).await?;
    Ok(Out(stores::store(changed)))
}

/// Delete a store: its rows, then its folder, into the trash.
#[utoipa::path(delete, path = routes::STORE, operation_id = "delete_store", tag = "stores",
    params(("name" = String, Path)), responses((status = 204, description = "Deleted")))]
async fn delete(
    State(memory): State<Memory>,
    InStore(store): InStore,
) -> Result<StatusCode, Failure> {
    blocking(move || memory.delete_store(&store, &Author::USER, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Name a store; null or blank clears the name.
#[utoipa::path(patch, path = routes::STORE_LABEL, operation_id = "label_store", tag = "stores",
    params(("name" = String, Path)), request_body = LabelIn,
    responses((status = 200, body = MemoryStoreOut)))]
async fn label(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Json(body): Json<LabelIn>,
) -> Reply<MemoryStoreOut> {
    let label = stores::label_in(body);
    let changed =
        blocking(move || memory.label(&store, label.as_deref(), &Author::USER, clock::now()))
            .await?;
    Ok(Out(stores::store(changed)))
}

/// Counts of a store, read from its files.
#[utoipa::path(get, path = routes::STORE_METRICS, operation_id = "store_metrics", tag = "stores",
    params(("name" = String, Path)), responses((status = 200, body = StoreMetricsOut)))]
async fn metrics(State(memory): State<Memory>, InStore(store): InStore) -> Reply<StoreMetricsOut> {
    let counted = blocking(move || memory.metrics(&store)).await?;
    Ok(Out(stores::metrics(counted)))
}

/// Compare a store's files with the index and heal what differs.
#[utoipa::path(post, path = routes::STORE_REINDEX, operation_id = "reindex_store", tag = "stores",
    params(("name" = String, Path), WaitQuery),
    responses((status = 200, body = ReindexOut), (status = 202, body = JobStarted)))]
async fn reindex(
    State(work): State<Work>,
    InStore(store): InStore,
    Query(query): Query<WaitQuery>,
) -> Result<Response, Failure> {
    work.reindex(Some(store), query).await
}
