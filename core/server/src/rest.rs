//! The REST API: one file per resource, each handler converts, calls and converts.

mod session;
mod status;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::error::Failure;

/// What a handler answers.
type Reply<T> = Result<axum::Json<T>, Failure>;

/// All routes.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(status::router()).merge(session::router())
}
