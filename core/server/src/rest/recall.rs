//! Recall in a store.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::recall::{RecallIn, RecallOut, RecallScope};
use coffer_api::routes;
use coffer_core::history::{History, UsageKind};
use coffer_core::memory::Memory;
use coffer_domain::fact::Author;
use coffer_domain::store::StoreName;
use coffer_env::clock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InStore, Json};
use crate::wire::recall;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(in_store))
}

/// Ask one store, the global one, or both.
#[utoipa::path(post, path = routes::RECALL, operation_id = "recall", tag = "recall",
    params(("name" = String, Path)), request_body = RecallIn,
    responses((status = 200, body = RecallOut)))]
async fn in_store(
    State(memory): State<Memory>,
    State(history): State<History>,
    InStore(store): InStore,
    Json(body): Json<RecallIn>,
) -> Reply<RecallOut> {
    let RecallIn { query, scope, mode, top_k } = body;
    let stores = stores(store, scope)?;
    let asked = recall::question(query, mode, top_k)?;
    let found = blocking(move || memory.recall(&stores, &asked)).await?;
    history.record_use(Author::USER.name(), UsageKind::Recall, clock::now());
    Ok(Out(recall::recalled(found)))
}

fn stores(named: StoreName, scope: Option<RecallScope>) -> Result<Vec<StoreName>, Failure> {
    match (scope, named) {
        (Some(RecallScope::Project), StoreName::Global) => {
            Err(Failure::field("scope", "must not be `project` for the global store"))
        }
        (None | Some(RecallScope::Project), named) => Ok(vec![named]),
        (Some(RecallScope::Global), _) | (Some(RecallScope::Both), StoreName::Global) => {
            Ok(vec![StoreName::Global])
        }
        (Some(RecallScope::Both), named) => Ok(vec![named, StoreName::Global]),
    }
}

#[cfg(test)]
mod tests {
    use coffer_domain::id::Id;

    use super::*;

    #[test]
    fn scopes_name_their_stores() {
        let project = || StoreName::Project(Id::of_project("/app"));
        let global = StoreName::Global;
        for (named, scope, want) in [
            (project(), None, vec![project()]),
            (project(), Some(RecallScope::Project), vec![project()]),
            (project(), Some(RecallScope::Global), vec![global.clone()]),
            (project(), Some(RecallScope::Both), vec![project(), global.clone()]),
            (global.clone(), None, vec![global.clone()]),
            (global.clone(), Some(RecallScope::Both), vec![global.clone()]),
        ] {
            assert_eq!(stores(named, scope).unwrap(), want, "{scope:?}");
        }
        assert!(stores(global, Some(RecallScope::Project)).is_err());
    }
}
