//! MCP: the same memory for every agent that speaks it, over both transports.
//!
//! Sessions are the library's: clients of the older revisions keep one, newer ones send all they
//! need with each call. An unknown session is answered 404, so that clients start a new one.
//! Deliberately absent: editing and deleting memory, which is the person's business.

mod caller;
mod frame;
mod handler;
mod roots;
mod sessions;
mod tools;
mod wire;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use coffer_api::error::ErrorCode;
use coffer_api::routes;
use coffer_env::clock;
use http::Method;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::app::App;
use crate::body;
use crate::error::Failure;
use caller::SESSION;
use handler::Agents;
use sessions::Sessions;

/// What stands before the library.
#[derive(Clone)]
struct Gate {
    app: App,
    sessions: Sessions,
}

/// The MCP endpoint.
pub(crate) fn router(app: &App) -> Router<App> {
    let sessions = Sessions::new();
    let agents = app.clone();
    let new = move || Ok(Agents::new(agents.clone()));
    let service = StreamableHttpService::new(new, Arc::clone(&sessions.local), config(app));
    let gate = Gate { app: app.clone(), sessions };
    Router::new().route_service(routes::MCP, service).layer(from_fn_with_state(gate, before))
}

fn config(app: &App) -> StreamableHttpServerConfig {
    let port = app.about.port;
    let origins = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("http://{name}:{port}"));
    StreamableHttpServerConfig::default()
        .with_json_response(true)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(body::limit(routes::MCP))
        .with_cancellation_token(app.stop.child_token())
}

/// What the library would let through or answer in plain text: a pause, a body that is no
/// JSON-RPC, a flood of sessions.
async fn before(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    if let Err(failure) = gate.app.serving().await {
        return failure.into_response();
    }
    let request = match checked(request).await {
        Ok(request) => request,
        Err(refusal) => return *refusal,
    };
    gate.sessions.note_use(request.headers(), clock::instant());
    let is_new = !request.headers().contains_key(SESSION);
    let response = wire::translated(next.run(request).await).await;
    if is_new {
        gate.sessions.note_opening(response.headers(), clock::instant()).await;
    }
    response
}

/// A request whose body, where it must have one, is a JSON-RPC message.
async fn checked(request: Request) -> Result<Request, Box<Response>> {
    if request.method() != Method::POST {
        return Ok(request);
    }
    let (head, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, body::limit(routes::MCP))
        .await
        .map_err(|_| Failure::new(ErrorCode::BadRequest, "the body broke off").into_response())?;
    wire::check_message(&bytes)?;
    Ok(Request::from_parts(head, Body::from(bytes)))
}
