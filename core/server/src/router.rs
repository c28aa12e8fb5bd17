//! All routes of the server, and what answers where there is none.

use axum::extract::DefaultBodyLimit;
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use coffer_api::error::ErrorCode;
use coffer_api::routes;
use http::{Method, Uri};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;
use crate::error::Failure;
use crate::{mcp, openapi, rest, viewer};

/// Builds the router; the description of the API is made of the very routes that it serves.
pub(crate) fn build(app: App) -> Router {
    let (router, described) = rest::router().split_for_parts();
    let described = openapi::finished(described);
    router
        .merge(mcp::router(&app))
        .route(routes::OPENAPI, axum::routing::get(async move || Json(described)))
        .method_not_allowed_fallback(not_allowed)
        .fallback(viewer::elsewhere)
        .layer(CatchPanicLayer::custom(panicked))
        // Each body was taken in whole already, within the limit of its route.
        .layer(DefaultBodyLimit::disable())
        .with_state(app)
}

async fn not_allowed(method: Method, uri: Uri) -> Failure {
    let message = format!("`{}` does not take `{method}`", uri.path());
    Failure::new(ErrorCode::MethodNotAllowed, message)
}

#[expect(clippy::needless_pass_by_value, reason = "the layer calls it so")]
fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response {
    let said = cause.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| cause.downcast_ref::<&str>().copied());
    Failure::internal(&said.unwrap_or("a handler panicked")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_has_the_envelope_and_keeps_its_words() {
        let response = panicked(Box::new("secret"));
        assert_eq!(response.status(), http::StatusCode::INTERNAL_SERVER_ERROR);
        let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("\"INTERNAL\"") && !body.contains("secret"), "{body}");
    }
}
