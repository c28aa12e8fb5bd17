//! Coding agents: register, connect, disconnect. Changes are shown first with `dry_run`.

use axum::Json as Out;
use axum::extract::State;
use coffer_api::agents::{
    AgentIn, AgentOut, AgentPatch, AgentTrialIn, AgentsOut, CandidatesOut, InstallationOut,
};
use coffer_api::routes;
use coffer_core::agents::{Agents, Edited, Installable};
use coffer_env::clock;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Reply;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{InAgent, Json, MaybeJson};
use crate::guard::Asker;
use crate::wire::agents as wire;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, register))
        .routes(routes!(candidates))
        .routes(routes!(read, change, delete))
        .routes(routes!(mcp, install_mcp, uninstall_mcp))
        .routes(routes!(hook, install_hook, uninstall_hook))
}

/// The registered agents.
#[utoipa::path(get, path = routes::AGENTS, operation_id = "list_agents", tag = "agents",
    responses((status = 200, body = AgentsOut)))]
async fn list(State(agents): State<Agents>) -> Reply<AgentsOut> {
    let found = blocking(move || agents.list()).await?;
    Ok(Out(wire::agents(found)))
}

/// Agents of this machine that are not registered.
#[utoipa::path(get, path = routes::AGENT_CANDIDATES, operation_id = "list_agent_candidates",
    tag = "agents", responses((status = 200, body = CandidatesOut)))]
async fn candidates(State(agents): State<Agents>) -> Reply<CandidatesOut> {
    let found = blocking(move || agents.candidates()).await?;
    Ok(Out(wire::candidates(found)))
}

/// Register an agent; with `connect`, install the MCP server and the hook too.
#[utoipa::path(post, path = routes::AGENTS, operation_id = "register_agent", tag = "agents",
    request_body = AgentIn, responses((status = 201, body = AgentOut),
        (status = 200, body = AgentOut, description = "What would change")))]
async fn register(
    State(agents): State<Agents>,
    asker: Asker,
    Json(body): Json<AgentIn>,
) -> Result<(StatusCode, Out<AgentOut>), Failure> {
    let (new, is_trial) = wire::agent_in(body)?;
    let by = wire::by(asker);
    let done = blocking(move || agents.register(&new, by, is_trial, clock::now())).await?;
    let status = if is_trial { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Out(wire::agent(done))))
}

/// One agent.
#[utoipa::path(get, path = routes::AGENT, operation_id = "read_agent", tag = "agents",
    params(("name" = String, Path)), responses((status = 200, body = AgentOut)))]
async fn read(State(agents): State<Agents>, InAgent(name): InAgent) -> Reply<AgentOut> {
    let found = blocking(move || agents.get(&name)).await?;
    Ok(Out(wire::agent((found, Edited::default()))))
}

/// Switch an agent's own memory off, or back to what it was.
#[utoipa::path(patch, path = routes::AGENT, operation_id = "change_agent", tag = "agents",
    params(("name" = String, Path)), request_body = AgentPatch,
    responses((status = 200, body = AgentOut)))]
async fn change(
    State(agents): State<Agents>,
    InAgent(name): InAgent,
    Json(body): Json<AgentPatch>,
) -> Reply<AgentOut> {
    let AgentPatch { disable_native_memory, dry_run } = body;
    let done = blocking(move || match disable_native_memory {
        Some(disable) => agents.set_native_memory(&name, disable, dry_run, clock::now()),
        None => agents.get(&name).map(|agent| (agent, Edited::default())),
    });
    Ok(Out(wire::agent(done.await?)))
}

/// Disconnect an agent and forget it.
#[utoipa::path(delete, path = routes::AGENT, operation_id = "delete_agent", tag = "agents",
    params(("name" = String, Path)), request_body = Option<AgentTrialIn>,
    responses((status = 200, body = AgentOut)))]
async fn delete(
    State(agents): State<Agents>,
    InAgent(name): InAgent,
    MaybeJson(body): MaybeJson<AgentTrialIn>,
) -> Reply<AgentOut> {
    let AgentTrialIn { dry_run } = body.unwrap_or_default();
    let done = blocking(move || agents.remove(&name, dry_run, clock::now())).await?;
    Ok(Out(wire::agent(done)))
}

/// Whether the agent starts Coffer's MCP server.
#[utoipa::path(get, path = routes::AGENT_MCP, operation_id = "read_agent_mcp", tag = "agents",
    params(("name" = String, Path)), responses((status = 200, body = InstallationOut)))]
async fn mcp(State(agents): State<Agents>, InAgent(name): InAgent) -> Reply<InstallationOut> {
    stands(agents, name, Installable::Mcp).await
}

/// Let the agent start Coffer's MCP server.
#[utoipa::path(post, path = routes::AGENT_MCP, operation_id = "install_agent_mcp", tag = "agents",
    params(("name" = String, Path)), request_body = Option<AgentTrialIn>,
    responses((status = 200, body = InstallationOut)))]
async fn install_mcp(
    State(agents): State<Agents>,
    InAgent(name): InAgent,
    MaybeJson(body): MaybeJson<AgentTrialIn>,
) -> Reply<InstallationOut> {
    install(agents, name, Installable::Mcp, body).await
}

/// Let it start it no more.
#[utoipa::path(delete, path = routes::AGENT_MCP, operation_id = "uninstall_agent_mcp",
    tag = "agents", params(("name" = String, Path)), request_body = Option<AgentTrialIn>,
    responses((status = 200, body = InstallationOut)))]
async fn uninstall_mcp(
    State(agents): State<Agents>,
    InAgent(name): InAgent,
    MaybeJson(body): MaybeJson<AgentTrialIn>,
) -> Reply<InstallationOut> {
    uninstall(agents, name, Installable::Mcp, body).await
}

/// Whether the agent asks Coffer at the start of a session.
#[utoipa::path(get, path = routes::AGENT_HOOK, operation_id = "read_agent_hook", tag = "agents",
    params(("name" = String, Path)), responses((status = 200, body = InstallationOut)))]
async fn hook(State(agents): State<Agents>, InAgent(name): InAgent) -> Reply<InstallationOut> {
    stands(agents, name, Installable::Hook).await
}

/// Let the agent ask Coffer at the start of a session.
#[utoipa::path(post, path = routes::AGENT_HOOK, operation_id = "install_agent_hook",
    tag = "agents", params(("name" = String, Path)), request_body = Option<AgentTrialIn>,
    responses((status = 200, body = InstallationOut)))]
async fn install_hook(
    State(agents): State<Agents>,
    InAgent(name): InAgent,
    MaybeJson(body): MaybeJson<AgentTrialIn>,
) -> Reply<InstallationOut> {
    install(agents, name, Installable::Hook, body).await
}

/// Let it ask no more; its own memory is back too.
#[utoipa::path(delete, path = routes::AGENT_HOOK, operation_id = "uninstall_agent_hook",
    tag = "agents", params(("name" = String, Path)), request_body = Option<AgentTrialIn>,
    responses((status = 200, body = InstallationOut)))]
async fn uninstall_hook(
    State(agents): State<Agents>,
    InAgent(name): InAgent,
    MaybeJson(body): MaybeJson<AgentTrialIn>,
) -> Reply<InstallationOut> {
    uninstall(agents, name, Installable::Hook, body).await
}

async fn stands(agents: Agents, name: String, what: Installable) -> Reply<InstallationOut> {
    let found = blocking(move || agents.installation(&name, what)).await?;
    Ok(Out(wire::installation((found, Edited::default()))))
}

async fn install(
    agents: Agents,
    name: String,
    what: Installable,
    body: Option<AgentTrialIn>,
) -> Reply<InstallationOut> {
    let AgentTrialIn { dry_run } = body.unwrap_or_default();
    let done = blocking(move || agents.install(&name, what, dry_run, clock::now())).await?;
    Ok(Out(wire::installation(done)))
}

async fn uninstall(
    agents: Agents,
    name: String,
    what: Installable,
    body: Option<AgentTrialIn>,
) -> Reply<InstallationOut> {
    let AgentTrialIn { dry_run } = body.unwrap_or_default();
    let done = blocking(move || agents.uninstall(&name, what, dry_run, clock::now())).await?;
    Ok(Out(wire::installation(done)))
}
