//! Export and import. They name files of the whole machine, so that a page's token does not do.

use axum::extract::State;
use axum::response::Response;
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::routes;
use coffer_api::transfer::{ExportIn, ExportOut, ImportIn, ImportOut};
use coffer_core::Error;
use coffer_core::jobs::JobRequest;
use coffer_core::kb::KnowledgeBases;
use coffer_core::memory::Memory;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{Json, Query};
use crate::wire::transfer;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export)).routes(routes!(import))
}

/// Write stores and knowledge bases into an archive outside of Coffer's folder.
#[utoipa::path(post, path = routes::EXPORT, operation_id = "export", tag = "transfer",
    params(WaitQuery), request_body = ExportIn,
    responses((status = 200, body = ExportOut), (status = 202, body = JobStarted)))]
async fn export(
    State(memory): State<Memory>,
    State(kb): State<KnowledgeBases>,
    State(work): State<Work>,
    Query(query): Query<WaitQuery>,
    Json(body): Json<ExportIn>,
) -> Result<Response, Failure> {
    let request = transfer::export_in(body)?;
    let checked = move || {
        kb.exported(&request.stores)?;
        memory.check_export(&request).map(|()| request)
    };
    work.run(JobRequest::Export(blocking(checked).await?), query).await
}

/// Take in an archive, or what another program remembers. Nothing that stands is changed.
#[utoipa::path(post, path = routes::IMPORT, operation_id = "import", tag = "transfer",
    params(WaitQuery), request_body = ImportIn,
    responses((status = 200, body = ImportOut), (status = 202, body = JobStarted)))]
async fn import(
    State(memory): State<Memory>,
    State(work): State<Work>,
    Query(query): Query<WaitQuery>,
    Json(body): Json<ImportIn>,
) -> Result<Response, Failure> {
    let (mut request, cwd) = transfer::import_in(body)?;
    let checked = move || {
        memory.check_import(&request)?;
        if let Some(cwd) = cwd {
            request.otherwise = memory.scope(&cwd)?.store;
        }
        Ok::<_, Error>(request)
    };
    work.run(JobRequest::Import(blocking(checked).await?), query).await
}
