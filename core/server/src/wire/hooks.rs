//! What hooks are answered.

use axum::Json;
use axum::response::{IntoResponse as _, Response};
use coffer_api::hooks::{
    InjectionOut, SessionContextOut, SessionEndStatus, SessionNotQueued, SessionQueued,
};
use coffer_core::agents::AgentType;
use coffer_core::hooks::Ended;
use coffer_core::memory::Injection;
use coffer_domain::bundle::{self, Bundle};
use http::StatusCode;

use super::agents::kind;

/// What an agent is told, and how it wants to be told.
pub(crate) fn session_context((agent, bundle): (AgentType, Bundle)) -> SessionContextOut {
    let Bundle { text, rules: _, left_out: _ } = bundle;
    SessionContextOut { additional_context: text, kind: kind(agent) }
}

/// What becomes of a session that ended.
pub(crate) fn session_end(ended: Ended) -> Response {
    let status = match ended {
        Ended::Queued => {
            return (StatusCode::ACCEPTED, Json(SessionQueued { queued: true })).into_response();
        }
        Ended::Off => SessionEndStatus::Off,
        Ended::NoModel => SessionEndStatus::NoModel,
        Ended::NotAProject => SessionEndStatus::NotAProject,
        Ended::AlreadyDistilled => SessionEndStatus::AlreadyDistilled,
    };
    Json(SessionNotQueued { status }).into_response()
}

/// What an agent would be told.
pub(crate) fn injection(told: Injection) -> InjectionOut {
    let Injection { bundle, is_enabled } = told;
    let utf16_units = bundle.utf16_units() as u64;
    let Bundle { text, rules, left_out } = bundle;
    InjectionOut {
        bytes: text.len() as u64,
        additional_context: text,
        rules: rules as u64,
        left_out: left_out as u64,
        utf16_units,
        max_utf16_units: bundle::MOST as u64,
        max_bytes: bundle::MOST as u64,
        enabled: is_enabled,
    }
}
