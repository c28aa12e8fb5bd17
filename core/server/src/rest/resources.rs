//! Stores and knowledge bases under one roof: list, look, enable, disable, delete.

use axum::Json as Out;
use axum::extract::{FromRequestParts, Path, State};
use coffer_api::error::ErrorCode;
use coffer_api::resources::{ResourceKind, ResourceOut, ResourcesOut, ResourcesQuery};
use coffer_api::routes;
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_domain::store::StoreName;
use coffer_env::clock;
use http::StatusCode;
use http::request::Parts;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{self, Query};
use crate::wire::stores;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(read, delete))
        .routes(routes!(enable))
        .routes(routes!(disable))
}

/// The `{kind}` and `{name}` of a resource's path. There are stores only, so far.
struct InResource(StoreName);

impl<S: Send + Sync> FromRequestParts<S> for InResource {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((kind, name)) = extract::path::<(String, String), S>(parts, state).await?;
        let store = StoreName::parse(&name).filter(|_| kind == "memory");
        store.map(Self).ok_or_else(|| {
            Failure::new(ErrorCode::ResourceNotFound, format!("no resource `{kind}:{name}`"))
        })
    }
}

/// All resources, or those of one kind.
#[utoipa::path(get, path = routes::RESOURCES, operation_id = "list_resources", tag = "resources",
    params(ResourcesQuery), responses((status = 200, body = ResourcesOut)))]
async fn list(
    State(memory): State<Memory>,
    Query(query): Query<ResourcesQuery>,
) -> Reply<ResourcesOut> {
    if query.kind == Some(ResourceKind::KnowledgeBase) {
        return Ok(Out(ResourcesOut { resources: Vec::new() }));
    }
    let found = blocking(move || memory.stores()).await?;
    Ok(Out(ResourcesOut { resources: found.into_iter().map(stores::resource).collect() }))
}

/// One resource.
#[utoipa::path(get, path = routes::RESOURCE, operation_id = "read_resource", tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 200, body = ResourceOut)))]
async fn read(State(memory): State<Memory>, InResource(store): InResource) -> Reply<ResourceOut> {
    let found = blocking(move || memory.store(&store)).await?;
    Ok(Out(stores::resource(found)))
}

/// Delete a resource: its rows, then its folder, into the trash.
#[utoipa::path(delete, path = routes::RESOURCE, operation_id = "delete_resource", tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 204, description = "Deleted")))]
async fn delete(
    State(memory): State<Memory>,
    InResource(store): InResource,
) -> Result<StatusCode, Failure> {
    blocking(move || memory.delete_store(&store, &Author::USER, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let recall, search and injection use a resource.
#[utoipa::path(post, path = routes::RESOURCE_ENABLE, tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 200, body = ResourceOut)))]
async fn enable(State(memory): State<Memory>, InResource(store): InResource) -> Reply<ResourceOut> {
    set_enabled(memory, store, true).await
}

/// Leave a resource out of recall, search and injection.
#[utoipa::path(post, path = routes::RESOURCE_DISABLE, tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 200, body = ResourceOut)))]
async fn disable(
    State(memory): State<Memory>,
    InResource(store): InResource,
) -> Reply<ResourceOut> {
    set_enabled(memory, store, false).await
}

async fn set_enabled(memory: Memory, store: StoreName, enabled: bool) -> Reply<ResourceOut> {
    let changed =
        blocking(move || memory.set_enabled(&store, enabled, &Author::USER, clock::now())).await?;
    Ok(Out(stores::resource(changed)))
}
