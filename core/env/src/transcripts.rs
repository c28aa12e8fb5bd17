//! Where coding agents usually keep their transcripts.

use std::path::PathBuf;

use crate::{landmarks, vars};

/// Claude Code's folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
pub fn claude_code() -> Option<PathBuf> {
    vars::path(vars::CLAUDE_CONFIG_DIR).or_else(|| in_home(".claude"))
}

/// Codex' folder: `CODEX_HOME`, else `~/.codex`.
pub fn codex() -> Option<PathBuf> {
    vars::path(vars::CODEX_HOME).or_else(|| in_home(".codex"))
}

/// OpenCode's folder of data, which is the same on every system: below `XDG_DATA_HOME`, else
/// `~/.local/share`.
pub fn opencode() -> Option<PathBuf> {
    let data = vars::path(vars::XDG_DATA_HOME).or_else(|| in_home(".local/share"));
    data.map(|data| data.join("opencode"))
}

fn in_home(folder: &str) -> Option<PathBuf> {
    landmarks::user_home().map(|home| home.join(folder))
}
