//! The agents that Coffer knows, and what it can do for each.

use super::target::target_of;
use crate::sessions::Format;

/// What an agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentType {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// OpenCode.
    OpenCode,
    /// Gemini CLI.
    Gemini,
    /// Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
}

impl AgentType {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::OpenCode, Self::Gemini, Self::Copilot, Self::Cursor];

    /// The word in `agents.toml`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude_code",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
        }
    }

    /// The one of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// How its sessions are read, if they can be.
    pub(super) const fn transcripts(self) -> Option<Format> {
        match self {
            Self::ClaudeCode => Some(Format::ClaudeCode),
            Self::Codex => Some(Format::Codex),
            Self::OpenCode => Some(Format::OpenCode),
            Self::Gemini | Self::Copilot | Self::Cursor => None,
        }
    }

    /// What can be done for it.
    pub fn capabilities(self) -> Capabilities {
        target_of(self).capabilities()
    }

    /// The name that the first agent of it gets.
    pub fn default_name(self) -> String {
        self.word().replace('_', "-")
    }
}

/// What can be done for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
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
