//! Stores and knowledge bases under one roof: list, look, enable, disable, delete.

use axum::Json as Out;
use axum::extract::{FromRequestParts, Path, State};
use coffer_api::error::ErrorCode;
use coffer_api::resources::{ResourceKind, ResourceOut, ResourcesOut, ResourcesQuery};
use coffer_api::routes;
use coffer_core::Error;
use coffer_core::kb::KnowledgeBases;
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_domain::kb::KbName;
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
use crate::wire::{kb, stores};

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(read, delete))
        .routes(routes!(enable))
        .routes(routes!(disable))
}

/// The `{kind}` and `{name}` of a resource's path.
enum Resource {
    Store(StoreName),
    Base(KbName),
}

impl<S: Send + Sync> FromRequestParts<S> for Resource {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Path((kind, name)) = extract::path::<(String, String), S>(parts, state).await?;
        let found = match kind.as_str() {
            "memory" => StoreName::parse(&name).map(Self::Store),
            "knowledge_base" => KbName::parse(&name).map(Self::Base),
            _ => None,
        };
        found.ok_or_else(|| {
            Failure::new(ErrorCode::ResourceNotFound, format!("no resource `{kind}:{name}`"))
        })
    }
}

/// All resources, or those of one kind.
#[utoipa::path(get, path = routes::RESOURCES, operation_id = "list_resources", tag = "resources",
    params(ResourcesQuery), responses((status = 200, body = ResourcesOut)))]
async fn list(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    Query(query): Query<ResourcesQuery>,
) -> Reply<ResourcesOut> {
    let wants = move |kind| query.kind.is_none_or(|wanted| wanted == kind);
    let found = blocking(move || {
        let stores = if wants(ResourceKind::Memory) { memory.stores()? } else { Vec::new() };
        let bases = if wants(ResourceKind::KnowledgeBase) { kb.all()? } else { Vec::new() };
        Ok::<_, Error>((stores, bases))
    });
    let (stores, bases) = found.await?;
    let stores = stores.into_iter().map(stores::resource);
    Ok(Out(ResourcesOut { resources: stores.chain(bases.into_iter().map(kb::resource)).collect() }))
}

/// One resource.
#[utoipa::path(get, path = routes::RESOURCE, operation_id = "read_resource", tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 200, body = ResourceOut)))]
async fn read(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    resource: Resource,
) -> Reply<ResourceOut> {
    let found = blocking(move || match resource {
        Resource::Store(store) => memory.store(&store).map(stores::resource),
        Resource::Base(name) => kb.base(&name).map(kb::resource),
    });
    found.await.map(Out)
}

/// Delete a resource: a store goes into the trash, a knowledge base for good.
#[utoipa::path(delete, path = routes::RESOURCE, operation_id = "delete_resource", tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 204, description = "Deleted")))]
async fn delete(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    resource: Resource,
) -> Result<StatusCode, Failure> {
    let now = clock::now();
    let deleted = blocking(move || match resource {
        Resource::Store(store) => memory.delete_store(&store, &Author::USER, now),
        Resource::Base(name) => kb.delete(&name, &Author::USER, now),
    });
    deleted.await.map(|()| StatusCode::NO_CONTENT)
}

/// Let recall, search and injection use a resource.
#[utoipa::path(post, path = routes::RESOURCE_ENABLE, tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 200, body = ResourceOut)))]
async fn enable(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    resource: Resource,
) -> Reply<ResourceOut> {
    set_enabled((memory, kb), resource, true).await
}

/// Leave a resource out of recall, search and injection.
#[utoipa::path(post, path = routes::RESOURCE_DISABLE, tag = "resources",
    params(("kind" = ResourceKind, Path), ("name" = String, Path)),
    responses((status = 200, body = ResourceOut)))]
async fn disable(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    resource: Resource,
) -> Reply<ResourceOut> {
    set_enabled((memory, kb), resource, false).await
}

async fn set_enabled(
    (memory, kb): (Memory, KnowledgeBases),
    resource: Resource,
    enabled: bool,
) -> Reply<ResourceOut> {
    let now = clock::now();
    let changed = blocking(move || match resource {
        Resource::Store(store) => {
            memory.set_enabled(&store, enabled, &Author::USER, now).map(stores::resource)
        }
        Resource::Base(name) => {
            kb.set_enabled(&name, enabled, &Author::USER, now).map(kb::resource)
        }
    });
    changed.await.map(Out)
}
