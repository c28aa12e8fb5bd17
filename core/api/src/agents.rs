//! Coding agents: which there are, and connecting them by entries in their own files.

use crate::{reply, request, words};

words! {
    /// What an agent is.
    pub enum AgentType {
        /// Claude Code.
        ClaudeCode,
        /// Codex CLI.
        Codex,
        /// OpenCode.
        #[serde(rename = "opencode")]
        OpenCode,
        /// Gemini CLI.
        Gemini,
        /// Copilot CLI.
        Copilot,
        /// Cursor.
        Cursor,
    }

    /// Something of Coffer's in an agent's files.
    pub enum AgentPart {
        /// Its MCP server.
        Mcp,
        /// What asks it at the start of a session.
        Hook,
        /// The switch of the agent's own memory.
        NativeMemory,
    }

    /// How something of Coffer's stands in an agent's file.
    pub enum AgentFileState {
        /// It is not there.
        Absent,
        /// It is there.
        Installed,
        /// It is there, and says something else than Coffer would write.
        Changed,
        /// Coffer put it there, and it is gone.
        Missing,
        /// The file cannot be read or understood.
        Unreadable,
    }
}

reply! {
    /// What can be done for an agent.
    pub struct AgentCapabilities {
        /// Coffer's MCP server can be registered.
        pub mcp: bool,
        /// It can ask Coffer at the start of a session.
        pub hook: bool,
        /// It can tell of a session's end.
        pub session_end: bool,
        /// Its transcripts can be read.
        pub transcripts: bool,
        /// Its own memory can be switched off.
        pub native_memory: bool,
    }

    /// A registered agent.
    pub struct AgentOut {
        /// Its name.
        pub name: String,
        /// What it is.
        #[serde(rename = "type")]
        pub kind: AgentType,
        /// The folder of its settings.
        pub config_dir: String,
        /// Whether its folder or program is on this machine.
        pub detected: bool,
        /// Whether it starts Coffer's MCP server.
        pub mcp_installed: bool,
        /// Whether it asks Coffer at the start of a session.
        pub hook_installed: bool,
        /// Whether Coffer switched its own memory off.
        pub disable_native_memory: bool,
        /// What somebody else changed or took out since Coffer wrote it.
        pub drift: Vec<AgentPart>,
        /// What can be done for it.
        pub capabilities: AgentCapabilities,
        /// What changed in its files, or would change, as a unified diff; only of changes.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub diff: String,
        /// What a person still has to do; only of changes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub notes: Vec<String>,
    }

    /// The registered agents.
    pub struct AgentsOut {
        /// In the order in which they were registered.
        pub agents: Vec<AgentOut>,
    }

    /// An agent of this machine that is not registered.
    pub struct CandidateOut {
        /// The name that it would get.
        pub name: String,
        /// What it is.
        #[serde(rename = "type")]
        pub kind: AgentType,
        /// The folder of its settings.
        pub config_dir: String,
        /// Whether its program was found.
        pub executable: bool,
    }

    /// Agents that could be registered.
    pub struct CandidatesOut {
        /// By type.
        pub candidates: Vec<CandidateOut>,
    }

    /// A file that something of Coffer's is in.
    pub struct AgentFileOut {
        /// The file.
        pub path: String,
        /// How it stands there.
        pub state: AgentFileState,
    }

    /// How something of Coffer's stands in an agent's files.
    pub struct InstallationOut {
        /// Whether all of it is there as Coffer writes it.
        pub installed: bool,
        /// File by file.
        pub files: Vec<AgentFileOut>,
        /// Whether something is there that is not as Coffer wrote it, or no more there.
        pub drift: bool,
        /// What changed, or would change, as a unified diff; only of changes.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub diff: String,
        /// What a person still has to do; only of changes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub notes: Vec<String>,
    }
}

request! {
    /// Whether a change is only shown.
    pub struct AgentTrialIn {
        /// Say what would change, and change nothing.
        #[serde(default)]
        pub dry_run: bool,
    }

    /// A change of an agent.
    pub struct AgentPatch {
        /// Whether the agent's own memory is off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub disable_native_memory: Option<bool>,
        /// Say what would change, and change nothing.
        #[serde(default)]
        pub dry_run: bool,
    }
}

/// An agent to register. Its type has no default, so that this is no `request!`.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentIn {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AgentType,
    /// 1 to 64 small letters, digits and `-`; absent, its type's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The folder of its settings, absolute; absent, the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_dir: Option<String>,
    /// Install the MCP server and the hook too.
    #[serde(default)]
    pub connect: bool,
    /// Say what would change, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}
