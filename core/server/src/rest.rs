//! The REST API: one file per resource, each handler converts, calls and converts.

mod agents;
mod credentials;
mod distill;
mod doctor;
mod events;
mod facts;
mod files;
mod history;
mod hooks;
mod jobs;
mod kb;
mod lanes;
mod merge;
mod model_settings;
mod models;
mod organize;
mod purge;
mod recall;
mod resources;
mod search;
mod session;
mod settings;
mod status;
mod stores;
mod transcripts;
mod transfer;
mod work;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::error::Failure;

/// What a handler answers.
type Reply<T> = Result<axum::Json<T>, Failure>;

/// All routes.
pub(crate) fn router() -> OpenApiRouter<App> {
    [
        status::router(),
        session::router(),
        settings::router(),
        model_settings::router(),
        credentials::router(),
        agents::router(),
        hooks::router(),
        events::router(),
        stores::router(),
        organize::router(),
        merge::router(),
        facts::router(),
        recall::router(),
        search::router(),
        lanes::router(),
        kb::router(),
        work::router(),
        resources::router(),
        doctor::router(),
        transfer::router(),
        models::router(),
        purge::router(),
        jobs::router(),
        history::router(),
        transcripts::router(),
        distill::router(),
        files::router(),
    ]
    .into_iter()
    .fold(OpenApiRouter::new(), OpenApiRouter::merge)
}
