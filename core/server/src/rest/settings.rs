//! Preferences.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::routes;
use coffer_api::settings::{SettingsOut, SettingsPatch};
use coffer_core::config::Settings;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::Json;
use crate::wire::settings;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read, change))
}

/// All preferences.
#[utoipa::path(get, path = routes::SETTINGS, operation_id = "read_settings", tag = "settings",
    responses((status = 200, body = SettingsOut)))]
async fn read(State(settings): State<Settings>) -> Reply<SettingsOut> {
    let found = blocking(move || Ok::<_, Failure>(settings.get())).await?;
    Ok(Out(settings::preferences(found)))
}

/// Change preferences; absent fields stay.
#[utoipa::path(put, path = routes::SETTINGS, operation_id = "change_settings", tag = "settings",
    request_body = SettingsPatch, responses((status = 200, body = SettingsOut)))]
async fn change(
    State(settings): State<Settings>,
    Json(body): Json<SettingsPatch>,
) -> Reply<SettingsOut> {
    let patch = settings::patch_in(body);
    let changed = blocking(move || settings.change(&patch)).await?;
    Ok(Out(settings::preferences(changed)))
}
