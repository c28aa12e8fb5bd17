//! MCP: the same memory for every agent that speaks it, over both transports.
//!
//! Sessions are the library's: clients of the older revisions keep one, newer ones send all they
//! need with each call. An unknown session is answered 404, so that clients start a new one.
//! Deliberately absent: editing and deleting memory, which is the person's business.

mod caller;
mod frame;
mod handler;
mod tools;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use coffer_api::error::ErrorCode;
use coffer_api::routes;
use http::Method;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::app::App;
use crate::body;
use crate::error::Failure;
use handler::Agents;

/// How long a session may be silent: longer than a night, so that an agent left open goes on.
const SILENCE: Duration = Duration::from_secs(24 * 3600);
/// How many sessions there may be at once.
const SESSIONS: usize = 1024;

/// What stands before the library.
#[derive(Clone)]
struct Gate {
    app: App,
    sessions: Arc<LocalSessionManager>,
}

/// The MCP endpoint.
pub(crate) fn router(app: &App) -> Router<App> {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SILENCE);
    let sessions = Arc::new(sessions);
    let agents = app.clone();
    let new = move || Ok(Agents::new(agents.clone()));
    let service = StreamableHttpService::new(new, Arc::clone(&sessions), config(app));
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
    match gate.app.serves_agents().await {
        Ok(true) => {}
        Ok(false) => {
            let message = "serving agents is switched off in Coffer's settings";
            return Failure::new(ErrorCode::Paused, message).into_response();
        }
        Err(failure) => return failure.into_response(),
    }
    if request.method() != Method::POST {
        return wire::translated(next.run(request).await).await;
    }
    let (head, body) = request.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, body::limit(routes::MCP)).await else {
        return Failure::new(ErrorCode::BadRequest, "the body broke off").into_response();
    };
    match wire::message(&bytes) {
        Err(refusal) => *refusal,
        Ok(message) if message.opens_session() && gate.is_full().await => {
            Failure::new(ErrorCode::Busy, "too many MCP sessions").into_response()
        }
        Ok(_) => {
            let request = Request::from_parts(head, Body::from(bytes));
            wire::translated(next.run(request).await).await
        }
    }
}

impl Gate {
    async fn is_full(&self) -> bool {
        self.sessions.sessions.read().await.len() >= SESSIONS
    }
}
