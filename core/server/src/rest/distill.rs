//! Distilling a session of an agent. A dry run is no job: what it shows is kept nowhere.

use axum::Json as Out;
use axum::extract::{FromRef, State};
use axum::response::{IntoResponse as _, Response};
use coffer_api::distill::{DistillIn, DistillMode, DistillOut};
use coffer_api::jobs::{JobStarted, WaitQuery};
use coffer_api::routes;
use coffer_core::agents::Agents;
use coffer_core::distill::{Asked, Distill, DistillRequest};
use coffer_core::jobs::JobRequest;
use coffer_core::sessions::Sessions;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::jobs::Work;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InAgent, Json, Query};
use crate::wire::distill::{Meant, distill_in, distilled};

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(distill))
}

/// Write down what a session taught, or show what would be.
#[utoipa::path(post, path = routes::DISTILL, operation_id = "distill_transcript", tag = "agents",
    params(("name" = String, Path), WaitQuery), request_body = DistillIn,
    responses((status = 200, body = DistillOut), (status = 202, body = JobStarted)))]
async fn distill(
    State(desk): State<Desk>,
    State(work): State<Work>,
    InAgent(agent): InAgent,
    Query(query): Query<WaitQuery>,
    Json(body): Json<DistillIn>,
) -> Result<Response, Failure> {
    let (meant, mode) = distill_in(body)?;
    let session = desk.clone().session(agent.clone(), meant).await?;
    let preview = match mode {
        DistillMode::DryRun => return desk.dry_run(agent, session).await,
        DistillMode::Preview => true,
        DistillMode::Run => false,
    };
    let request = DistillRequest { agent, session, asked: Asked::Person, preview };
    work.run(JobRequest::Distill(request), query).await
}

/// Who knows of sessions.
#[derive(Clone)]
struct Desk {
    agents: Agents,
    sessions: Sessions,
    distill: Distill,
}

impl FromRef<App> for Desk {
    fn from_ref(app: &App) -> Self {
        let (agents, sessions) = (app.agents.clone(), app.sessions.clone());
        Self { agents, sessions, distill: app.distill.clone() }
    }
}

impl Desk {
    /// The id of the session that is meant; an agent or a session that is not there is said at once.
    async fn session(self, agent: String, meant: Meant) -> Result<String, Failure> {
        let found = blocking(move || {
            let shelf = self.agents.shelf(&agent)?;
            match meant {
                Meant::Session(id) => self.sessions.find(&shelf, &id),
                Meant::LatestOf(folder) => self.sessions.latest(&shelf, &folder),
            }
        });
        Ok(found.await?.summary.session_id)
    }

    async fn dry_run(self, agent: String, session: String) -> Result<Response, Failure> {
        let done = blocking(move || {
            let shelf = self.agents.shelf(&agent)?;
            self.distill.dry_run(&shelf, &agent, &session)
        });
        Ok(Out(distilled(done.await?)).into_response())
    }
}
