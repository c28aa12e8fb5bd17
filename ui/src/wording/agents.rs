//! Agents and what Coffer has in their files, in words for people.

use coffer_api::agents::{AgentFileState, AgentOut, AgentPart, AgentType};
use coffer_api::hidden;

/// All types, in the order in which they are told.
pub(crate) const TYPES: [AgentType; 6] = [
    AgentType::ClaudeCode,
    AgentType::Codex,
    AgentType::OpenCode,
    AgentType::Gemini,
    AgentType::Copilot,
    AgentType::Cursor,
];

/// What people call an agent.
pub(crate) const fn kind(kind: AgentType) -> &'static str {
    match kind {
        AgentType::ClaudeCode => "Claude Code",
        AgentType::Codex => "Codex CLI",
        AgentType::OpenCode => "OpenCode",
        AgentType::Gemini => "Gemini CLI",
        AgentType::Copilot => "Copilot CLI",
        AgentType::Cursor => "Cursor",
    }
}

/// The name that the first agent of a type gets.
const fn usual_name(kind: AgentType) -> &'static str {
    match kind {
        AgentType::ClaudeCode => "claude-code",
        AgentType::Codex => "codex",
        AgentType::OpenCode => "opencode",
        AgentType::Gemini => "gemini",
        AgentType::Copilot => "copilot",
        AgentType::Cursor => "cursor",
    }
}

/// What an agent is called on the page: its type, and its name where that says more.
pub(crate) fn agent(agent_type: AgentType, name: &str) -> String {
    let kind = kind(agent_type);
    if name == usual_name(agent_type) {
        return kind.to_owned();
    }
    format!("{kind} ({})", hidden::expose(name))
}

/// Something of Coffer's in an agent's files.
pub(crate) const fn part(part: AgentPart) -> &'static str {
    match part {
        AgentPart::Mcp => "the MCP server",
        AgentPart::Hook => "the session hook",
        AgentPart::NativeMemory => "the switch of its own memory",
    }
}

/// How an agent is connected, in a word or two.
pub(crate) const fn connection(agent: &AgentOut) -> &'static str {
    match (agent.mcp_installed, agent.hook_installed) {
        _ if !agent.detected => "No longer here",
        _ if !agent.drift.is_empty() => "Changed since",
        (true, true) => "Connected",
        (true, false) | (false, true) => "Partly connected",
        (false, false) => "Not connected",
    }
}

/// What an agent has of Coffer's, and whether its own memory is on.
pub(crate) fn marks(agent: &AgentOut) -> String {
    let own_memory = match (agent.capabilities.native_memory, agent.disable_native_memory) {
        (_, true) if agent.drift.contains(&AgentPart::NativeMemory) => Some("own memory changed"),
        (_, true) => Some("own memory off"),
        (true, false) => Some("own memory on"),
        (false, false) => None,
    };
    let is_changed = |part: AgentPart| agent.drift.contains(&part);
    let mcp = match (agent.mcp_installed, is_changed(AgentPart::Mcp)) {
        (_, true) => "MCP changed",
        (true, false) => "MCP",
        (false, false) => "no MCP",
    };
    let hook = match (agent.hook_installed, is_changed(AgentPart::Hook)) {
        (_, true) => "hook changed",
        (true, false) => "hook",
        (false, false) => "no hook",
    };
    let marks = [Some(mcp), Some(hook), own_memory];
    marks.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// How something stands in a file, and what to do where it is not well.
pub(crate) const fn state(state: AgentFileState) -> (&'static str, Option<&'static str>) {
    match state {
        AgentFileState::Absent => ("Nothing of Coffer's is in it", None),
        AgentFileState::Installed => ("As Coffer wrote it", None),
        AgentFileState::Changed => (
            "Not as Coffer would write it: somebody changed it, or Coffer's programs moved",
            Some("Connect again to write it anew. The rest of the file stays as it is."),
        ),
        AgentFileState::Missing => (
            "Coffer's entry was taken out",
            Some("Connect again to put it back, or disconnect if that was meant."),
        ),
        AgentFileState::Unreadable => (
            "Coffer does not understand this file, and leaves it alone",
            Some("Mend the file in your editor; Coffer looks again when you come back."),
        ),
    }
}

/// What nobody but the person can do, and what Coffer cannot see.
pub(crate) const fn remark(kind: AgentType) -> Option<&'static str> {
    match kind {
        AgentType::Codex => Some(
            "Codex runs the hook only after you approve it: start `codex`, type `/hooks` and \
             approve Coffer's entries. Coffer cannot see whether you did.",
        ),
        AgentType::ClaudeCode
        | AgentType::OpenCode
        | AgentType::Gemini
        | AgentType::Copilot
        | AgentType::Cursor => None,
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(parts: &[&str]) -> String {
    match parts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::agents::AgentCapabilities;

    fn codex() -> AgentOut {
        AgentOut {
            name: "codex".into(),
            kind: AgentType::Codex,
            config_dir: "/home/a/.codex".into(),
            detected: true,
            mcp_installed: true,
            hook_installed: true,
            disable_native_memory: false,
            drift: Vec::new(),
            capabilities: AgentCapabilities {
                mcp: true,
                hook: true,
                session_end: true,
                transcripts: true,
                native_memory: true,
            },
            diff: String::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn an_agent_is_told_in_a_few_words() {
        assert_eq!(agent(AgentType::Codex, "codex"), "Codex CLI");
        assert_eq!(agent(AgentType::ClaudeCode, "work"), "Claude Code (work)");
        let whole = codex();
        assert_eq!(connection(&whole), "Connected");
        assert_eq!(marks(&whole), "MCP · hook · own memory on");
        let part = AgentOut { hook_installed: false, disable_native_memory: true, ..codex() };
        assert_eq!(connection(&part), "Partly connected");
        assert_eq!(marks(&part), "MCP · no hook · own memory off");
        let drifted = AgentOut { drift: vec![AgentPart::Hook], hook_installed: false, ..codex() };
        assert_eq!(connection(&drifted), "Changed since");
        assert_eq!(marks(&drifted), "MCP · hook changed · own memory on");
        assert_eq!(connection(&AgentOut { detected: false, ..codex() }), "No longer here");
    }

    #[test]
    fn lists_are_said_as_people_say_them() {
        assert_eq!(list(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
