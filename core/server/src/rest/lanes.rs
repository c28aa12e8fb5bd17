//! The lanes beside knowledge: rules, journal, handoff, the consolidation log, retired versions.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::lanes::{
    ConsolidationLogOut, HandoffLaneOut, JournalOut, RestoreIn, RestoredOut, RuleDeleteIn, RuleIn,
    RulesFileOut, RulesOut, SupersededOut, SupersededQuery,
};
use coffer_api::routes;
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_env::clock;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InStore, InStorePart, Json, Query};
use crate::wire::lanes;

/// What a delete answers.
type Gone = Result<StatusCode, Failure>;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rules, add_rule, delete_rules))
        .routes(routes!(delete_rule))
        .routes(routes!(journal))
        .routes(routes!(delete_day))
        .routes(routes!(handoff))
        .routes(routes!(delete_branch))
        .routes(routes!(consolidation_log, delete_log))
        .routes(routes!(superseded))
        .routes(routes!(restore))
}

/// The rules lane; text null where there is none.
#[utoipa::path(get, path = routes::RULES, tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = RulesOut)))]
async fn rules(State(memory): State<Memory>, InStore(store): InStore) -> Reply<RulesOut> {
    let found = blocking(move || memory.rules(&store)).await?;
    Ok(Out(lanes::rules(found)))
}

/// Append a rule as the person; a rule that stands there is not doubled.
#[utoipa::path(post, path = routes::RULES, tag = "lanes", request_body = RuleIn,
    params(("name" = String, Path)), responses((status = 201, body = RulesFileOut)))]
async fn add_rule(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Json(RuleIn { text, file }): Json<RuleIn>,
) -> Result<(StatusCode, Out<RulesFileOut>), Failure> {
    let added =
        move || memory.add_rule(&store, &text, file.as_deref(), &Author::USER, clock::now());
    Ok((StatusCode::CREATED, Out(lanes::rules_file(blocking(added).await?))))
}

/// Retire all rules.
#[utoipa::path(delete, path = routes::RULES, tag = "lanes", params(("name" = String, Path)),
    responses((status = 204, description = "Retired")))]
async fn delete_rules(State(memory): State<Memory>, InStore(store): InStore) -> Gone {
    gone(move || memory.delete_rules(&store, &Author::USER, clock::now())).await
}

/// Take one rule out of a file; the version before is retired.
#[utoipa::path(post, path = routes::RULES_DELETE, tag = "lanes", request_body = RuleDeleteIn,
    params(("name" = String, Path)), responses((status = 204, description = "Taken out")))]
async fn delete_rule(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Json(RuleDeleteIn { file, rule }): Json<RuleDeleteIn>,
) -> Gone {
    gone(move || memory.delete_rule(&store, &file, &rule, &Author::USER, clock::now())).await
}

/// The journal, newest day first.
#[utoipa::path(get, path = routes::JOURNAL, tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = JournalOut)))]
async fn journal(State(memory): State<Memory>, InStore(store): InStore) -> Reply<JournalOut> {
    let found = blocking(move || memory.journal(&store)).await?;
    Ok(Out(lanes::journal(found)))
}

/// Retire a day of the journal.
#[utoipa::path(delete, path = routes::JOURNAL_DAY, tag = "lanes",
    params(("name" = String, Path), ("period" = String, Path)),
    responses((status = 204, description = "Retired")))]
async fn delete_day(State(memory): State<Memory>, part: InStorePart) -> Gone {
    let InStorePart(store, period) = part;
    gone(move || memory.delete_journal(&store, &period, &Author::USER, clock::now())).await
}

/// The handoff lane, newest first.
#[utoipa::path(get, path = routes::STORE_HANDOFF, operation_id = "handoff_lane", tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = HandoffLaneOut)))]
async fn handoff(State(memory): State<Memory>, InStore(store): InStore) -> Reply<HandoffLaneOut> {
    let found = blocking(move || memory.handoffs(&store)).await?;
    Ok(Out(lanes::handoff(found)))
}

/// Retire the working state of a branch.
#[utoipa::path(delete, path = routes::HANDOFF_BRANCH, tag = "lanes",
    params(("name" = String, Path), ("branch" = String, Path)),
    responses((status = 204, description = "Retired")))]
async fn delete_branch(State(memory): State<Memory>, part: InStorePart) -> Gone {
    let InStorePart(store, branch) = part;
    gone(move || memory.delete_handoff(&store, &branch, &Author::USER, clock::now())).await
}

/// What was retired and organized; text null where there is nothing.
#[utoipa::path(get, path = routes::CONSOLIDATION_LOG, tag = "lanes",
    params(("name" = String, Path)), responses((status = 200, body = ConsolidationLogOut)))]
async fn consolidation_log(
    State(memory): State<Memory>,
    InStore(store): InStore,
) -> Reply<ConsolidationLogOut> {
    let found = blocking(move || memory.consolidation_log(&store)).await?;
    Ok(Out(lanes::log(found)))
}

/// Retire the log itself.
#[utoipa::path(delete, path = routes::CONSOLIDATION_LOG, tag = "lanes",
    params(("name" = String, Path)), responses((status = 204, description = "Retired")))]
async fn delete_log(State(memory): State<Memory>, InStore(store): InStore) -> Gone {
    gone(move || memory.delete_log(&store, &Author::USER, clock::now())).await
}

/// Retired versions, the latest first.
#[utoipa::path(get, path = routes::SUPERSEDED, tag = "lanes",
    params(("name" = String, Path), SupersededQuery),
    responses((status = 200, body = SupersededOut)))]
async fn superseded(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Query(query): Query<SupersededQuery>,
) -> Reply<SupersededOut> {
    let (limit, offset) = lanes::superseded_in(&query)?;
    let found = blocking(move || memory.superseded(&store, limit, offset)).await?;
    Ok(Out(lanes::superseded(found)))
}

/// Put a retired version back; what stands in its place is retired. With `dry_run`, say what would change.
#[utoipa::path(post, path = routes::RESTORE, tag = "lanes", request_body = RestoreIn,
    params(("name" = String, Path)), responses((status = 200, body = RestoredOut)))]
async fn restore(
    State(memory): State<Memory>,
    InStore(store): InStore,
    Json(RestoreIn { file, dry_run }): Json<RestoreIn>,
) -> Reply<RestoredOut> {
    let restore = move || match dry_run {
        true => memory.rehearse_restore(&store, &file),
        false => memory.restore(&store, &file, &Author::USER, clock::now()),
    };
    Ok(Out(lanes::restored(blocking(restore).await?)))
}

async fn gone(delete: impl FnOnce() -> coffer_core::Result<()> + Send + 'static) -> Gone {
    blocking(delete).await?;
    Ok(StatusCode::NO_CONTENT)
}
