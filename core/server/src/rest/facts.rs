//! Facts of a store: add, list, read, change, delete, clear.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::facts::{
    ClearedOut, FactOut, FactPatch, FactsOut, FactsQuery, NewFactIn, RememberedOut,
};
use coffer_api::routes;
use coffer_core::history::{History, UsageKind};
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_env::clock::{self, Stamp};
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InFact, InStore, Json, Query};
use crate::wire::facts;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, add, clear)).routes(routes!(read, edit, delete))
}

/// Facts and topic documents, newest first.
#[utoipa::path(get, path = routes::FACTS, operation_id = "list_facts", tag = "facts",
    params(("name" = String, Path), FactsQuery), responses((status = 200, body = FactsOut)))]
async fn list(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Query(query): Query<FactsQuery>,
) -> Reply<FactsOut> {
    let page = facts::page_in(query)?;
    let found = blocking(move || memory.facts(&store, &page)).await?;
    Ok(Out(facts::page(found)))
}

/// Add a fact as the person; the first write makes the store.
#[utoipa::path(post, path = routes::FACTS, operation_id = "add_fact", tag = "facts",
    params(("name" = String, Path)), request_body = NewFactIn,
    responses((status = 201, body = RememberedOut)))]
async fn add(
    State(memory): State<Memory>,
    State(history): State<History>,
    InStore(store): InStore,
    Json(body): Json<NewFactIn>,
) -> Result<(StatusCode, Out<RememberedOut>), Failure> {
    let stamp = Stamp::new();
    let now = stamp.now;
    let written =
        blocking(move || memory.remember(&store, facts::new_in(&body), &Author::USER, stamp));
    let added = facts::remembered(written.await?);
    history.record_use(Author::USER.name(), UsageKind::Write, now);
    Ok((StatusCode::CREATED, Out(added)))
}

/// Retire all facts; the store stays.
#[utoipa::path(delete, path = routes::FACTS, operation_id = "clear_facts", tag = "facts",
    params(("name" = String, Path)), responses((status = 200, body = ClearedOut)))]
async fn clear(State(memory): State<Memory>, InStore(store): InStore) -> Reply<ClearedOut> {
    let cleared = blocking(move || memory.clear(&store, &Author::USER, clock::now())).await?;
    Ok(Out(ClearedOut { cleared }))
}

/// One fact, topic document or journal file.
#[utoipa::path(get, path = routes::FACT, operation_id = "read_fact", tag = "facts",
    params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = FactOut)))]
async fn read(State(memory): State<Memory>, InFact(store, id): InFact) -> Reply<FactOut> {
    let fact = blocking(move || memory.fact(&store, &id)).await?;
    Ok(Out(facts::fact(fact)))
}

/// Change a fact as the person.
#[utoipa::path(patch, path = routes::FACT, operation_id = "edit_fact", tag = "facts",
    params(("name" = String, Path), ("id" = String, Path)), request_body = FactPatch,
    responses((status = 200, body = FactOut)))]
async fn edit(
    State(memory): State<Memory>,
    InFact(store, id): InFact,
    Json(body): Json<FactPatch>,
) -> Reply<FactOut> {
    let change = facts::change_in(body);
    let edited =
        blocking(move || memory.edit(&store, &id, &change, &Author::USER, clock::now())).await?;
    Ok(Out(facts::fact(edited)))
}

/// Retire a fact.
#[utoipa::path(delete, path = routes::FACT, operation_id = "delete_fact", tag = "facts",
    params(("name" = String, Path), ("id" = String, Path)),
    responses((status = 204, description = "Retired")))]
async fn delete(
    State(memory): State<Memory>,
    InFact(store, id): InFact,
) -> Result<StatusCode, Failure> {
    blocking(move || memory.delete(&store, &id, &Author::USER, clock::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}
