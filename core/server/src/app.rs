//! What handlers may ask for: each takes only the parts that its signature names.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use coffer_api::error::ErrorCode;
use coffer_core::agents::Agents;
use coffer_core::config::Settings;
use coffer_core::credentials::Credentials;
use coffer_core::distill::Distill;
use coffer_core::doctor::Doctor;
use coffer_core::engine::Engine;
use coffer_core::files::Files;
use coffer_core::history::History;
use coffer_core::hooks::Hooks;
use coffer_core::jobs::Jobs;
use coffer_core::kb::KnowledgeBases;
use coffer_core::memory::Memory;
use coffer_core::models::{Models, Trials};
use coffer_core::organize::Organizer;
use coffer_core::purge::Purge;
use coffer_core::sessions::Sessions;
use http::request::Parts;
use tokio_util::sync::CancellationToken;

use crate::about::About;
use crate::auth::Auth;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::feed::Feed;

/// The state of all routes.
#[derive(Clone, FromRef)]
pub(crate) struct App {
    /// Stores, lanes, facts.
    pub(crate) memory: Memory,
    /// Knowledge bases and their documents.
    pub(crate) kb: KnowledgeBases,
    /// Audit trail, calls, counts.
    pub(crate) history: History,
    /// Background work.
    pub(crate) jobs: Jobs,
    /// Preferences, and which models are used.
    pub(crate) settings: Settings,
    /// Keys of models.
    pub(crate) credentials: Credentials,
    /// The model that writes.
    pub(crate) engine: Engine,
    /// Coding agents, connected and not.
    pub(crate) agents: Agents,
    /// What hooks of agents mean.
    pub(crate) hooks: Hooks,
    /// Putting stores in order by the engine.
    pub(crate) organizer: Organizer,
    /// Trying models.
    pub(crate) trials: Trials,
    /// Open and reveal.
    pub(crate) files: Files,
    /// Health.
    pub(crate) doctor: Doctor,
    /// Embedding models.
    pub(crate) models: Models,
    /// What agents keep of their sessions.
    pub(crate) sessions: Sessions,
    /// What they taught.
    pub(crate) distill: Distill,
    /// Taking a text out of everything.
    pub(crate) purge: Purge,
    /// Live events.
    pub(crate) feed: Feed,
    /// The keys.
    pub(crate) auth: Arc<Auth>,
    /// What the server knows of itself.
    pub(crate) about: Arc<About>,
    /// Ends everything.
    pub(crate) stop: CancellationToken,
}

/// What transcripts are found by.
impl FromRef<App> for (Agents, Sessions) {
    fn from_ref(app: &App) -> Self {
        (app.agents.clone(), app.sessions.clone())
    }
}

impl App {
    /// Whether the person lets agents be served.
    ///
    /// # Errors
    ///
    /// `PAUSED`.
    pub(crate) async fn serving(&self) -> Result<Served, Failure> {
        let settings = self.settings.clone();
        match blocking(move || Ok::<_, Failure>(settings.get().serve_agents)).await? {
            true => Ok(Served),
            false => {
                let message = "serving agents is switched off in Coffer's settings";
                Err(Failure::new(ErrorCode::Paused, message))
            }
        }
    }
}

/// A route that only answers while agents are served.
pub(crate) struct Served;

impl FromRequestParts<App> for Served {
    type Rejection = Failure;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self, Failure> {
        app.serving().await
    }
}
