//! Health of files and index: look, mend, rebuild.

use axum::Json as Out;
use axum::extract::State;
use axum::response::Response;
use coffer_api::doctor::{DoctorFixOut, DoctorOut, DoctorQuery};
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::routes;
use coffer_api::stores::ReindexOut;
use coffer_core::doctor::Doctor;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::Query;
use crate::wire::doctor;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(check)).routes(routes!(fix)).routes(routes!(reindex))
}

/// All checks.
#[utoipa::path(get, path = routes::DOCTOR, operation_id = "doctor", tag = "doctor",
    params(DoctorQuery), responses((status = 200, body = DoctorOut)))]
async fn check(
    State(doctor): State<Doctor>,
    Query(DoctorQuery { deep }): Query<DoctorQuery>,
) -> Reply<DoctorOut> {
    let checks = blocking(move || Ok::<_, Failure>(doctor.look(deep))).await?;
    Ok(Out(DoctorOut { rows: checks.into_iter().map(doctor::check).collect() }))
}

/// Mend what can be mended without asking.
#[utoipa::path(post, path = routes::DOCTOR_FIX, operation_id = "doctor_fix", tag = "doctor",
    params(DoctorQuery), responses((status = 200, body = DoctorFixOut)))]
async fn fix(
    State(doctor): State<Doctor>,
    Query(DoctorQuery { deep }): Query<DoctorQuery>,
) -> Reply<DoctorFixOut> {
    let mended = blocking(move || Ok::<_, Failure>(doctor.mend_and_look(deep)));
    let (fixed, checks) = mended.await?;
    Ok(Out(DoctorFixOut { fixed, rows: checks.into_iter().map(doctor::check).collect() }))
}

/// Compare all files with the index and heal what differs.
#[utoipa::path(post, path = routes::REINDEX, operation_id = "reindex", tag = "doctor",
    params(WaitQuery),
    responses((status = 200, body = ReindexOut), (status = 202, body = JobStarted)))]
async fn reindex(
    State(work): State<Work>,
    Query(query): Query<WaitQuery>,
) -> Result<Response, Failure> {
    work.reindex(None, query).await
}
