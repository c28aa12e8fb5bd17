//! Agents and what is installed in their files.

use coffer_api::agents::{
    AgentCapabilities, AgentFileOut, AgentFileState, AgentIn, AgentOut, AgentPart, AgentType,
    AgentsOut, CandidateOut, CandidatesOut, InstallationOut,
};
use coffer_core::agents::{
    self, Agent, By, Candidate, Capabilities, Edited, FileState, Installation, InstalledFile,
    NewAgent,
};

use super::shown;
use crate::error::Failure;
use crate::extract::absolute;
use crate::guard::Asker;

/// The registered agents.
pub(crate) fn agents(found: Vec<Agent>) -> AgentsOut {
    let unchanged = |agent| self::agent((agent, Edited::default()));
    AgentsOut { agents: found.into_iter().map(unchanged).collect() }
}

/// An agent, and what became of its files.
pub(crate) fn agent((agent, edited): (Agent, Edited)) -> AgentOut {
    let Agent {
        name,
        kind,
        folder,
        detected,
        mcp_installed,
        hook_installed,
        disable_native_memory,
        drift,
        capabilities: Capabilities { mcp, hook, session_end, transcripts, native_memory },
    } = agent;
    let Edited { diff, files: _, notes } = edited;
    AgentOut {
        name,
        kind: self::kind(kind),
        config_dir: shown(&folder),
        detected,
        mcp_installed,
        hook_installed,
        disable_native_memory,
        drift: drift.into_iter().map(part).collect(),
        capabilities: AgentCapabilities { mcp, hook, session_end, transcripts, native_memory },
        diff,
        notes,
    }
}

/// Agents that could be registered.
pub(crate) fn candidates(found: Vec<Candidate>) -> CandidatesOut {
    let candidate = |candidate| {
        let Candidate { name, kind, folder, has_program } = candidate;
        let (kind, config_dir) = (self::kind(kind), shown(&folder));
        CandidateOut { name, kind, config_dir, executable: has_program }
    };
    CandidatesOut { candidates: found.into_iter().map(candidate).collect() }
}

/// How something stands in an agent's files, and what became of them.
pub(crate) fn installation((stands, edited): (Installation, Edited)) -> InstallationOut {
    let Installation { installed, files, drift } = stands;
    let Edited { diff, files: _, notes } = edited;
    let file = |InstalledFile { path, state }| AgentFileOut {
        path: shown(&path),
        state: self::state(state),
    };
    InstallationOut { installed, files: files.into_iter().map(file).collect(), drift, diff, notes }
}

/// An agent to register, and whether that is only tried.
pub(crate) fn agent_in(body: AgentIn) -> Result<(NewAgent, bool), Failure> {
    let AgentIn { kind, name, config_dir, connect, dry_run } = body;
    let folder = config_dir.map(|folder| absolute("config_dir", &folder)).transpose()?;
    Ok((NewAgent { kind: kind_in(kind), name, folder, connect }, dry_run))
}

/// Who asks for it.
pub(crate) const fn by(asker: Asker) -> By {
    match asker {
        Asker::Program => By::Program,
        Asker::Page => By::Page,
    }
}

const fn part(part: agents::Part) -> AgentPart {
    match part {
        agents::Part::Mcp => AgentPart::Mcp,
        agents::Part::Hook => AgentPart::Hook,
        agents::Part::Memory => AgentPart::NativeMemory,
    }
}

pub(super) const fn kind(kind: agents::AgentType) -> AgentType {
    match kind {
        agents::AgentType::ClaudeCode => AgentType::ClaudeCode,
        agents::AgentType::Codex => AgentType::Codex,
        agents::AgentType::OpenCode => AgentType::OpenCode,
        agents::AgentType::Gemini => AgentType::Gemini,
        agents::AgentType::Copilot => AgentType::Copilot,
        agents::AgentType::Cursor => AgentType::Cursor,
    }
}

const fn kind_in(kind: AgentType) -> agents::AgentType {
    match kind {
        AgentType::ClaudeCode => agents::AgentType::ClaudeCode,
        AgentType::Codex => agents::AgentType::Codex,
        AgentType::OpenCode => agents::AgentType::OpenCode,
        AgentType::Gemini => agents::AgentType::Gemini,
        AgentType::Copilot => agents::AgentType::Copilot,
        AgentType::Cursor => agents::AgentType::Cursor,
    }
}

const fn state(state: FileState) -> AgentFileState {
    match state {
        FileState::Absent => AgentFileState::Absent,
        FileState::Installed => AgentFileState::Installed,
        FileState::Changed => AgentFileState::Changed,
        FileState::Missing => AgentFileState::Missing,
        FileState::Unreadable => AgentFileState::Unreadable,
    }
}
