//! Every environment variable that Coffer reads.

use std::path::PathBuf;

/// Coffer's folder; default `~/.coffer`.
pub const HOME: &str = "COFFER_HOME";
/// The preferred loopback port; default 27411, 0 for any free one.
pub const PORT: &str = "COFFER_PORT";
/// What is logged, as in `info,coffer_core=debug`; default `info,rmcp=warn`.
pub const LOG: &str = "COFFER_LOG";
/// Whether credentials go to the system's secret service: `on`, `off`; default: when one answers.
pub const KEYRING: &str = "COFFER_KEYRING";
/// The program that opens files, over the setting `preferred_editor`.
pub const EDITOR: &str = "COFFER_EDITOR";
/// The editor that the shell names first, for changing a text.
pub const VISUAL: &str = "VISUAL";
/// The editor that the shell names second.
pub const SHELL_EDITOR: &str = "EDITOR";
/// Moves the folder for data of programs, such as OpenCode's.
pub const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// Set where windows can be shown on Wayland.
pub const WAYLAND_DISPLAY: &str = "WAYLAND_DISPLAY";
/// Set where windows can be shown on X11.
pub const DISPLAY: &str = "DISPLAY";
/// Turns colors off when set to anything (no-color.org).
pub const NO_COLOR: &str = "NO_COLOR";

/// Moves Claude Code's folder.
pub const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Moves Codex' folder.
pub const CODEX_HOME: &str = "CODEX_HOME";
/// Moves the folder for settings of programs.
pub const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// A further folder of OpenCode's settings.
pub const OPENCODE_CONFIG_DIR: &str = "OPENCODE_CONFIG_DIR";
/// What Gemini CLI takes for the home directory.
pub const GEMINI_CLI_HOME: &str = "GEMINI_CLI_HOME";
/// Moves Copilot CLI's folder.
pub const COPILOT_HOME: &str = "COPILOT_HOME";

/// A variable's value; unset, empty or not UTF-8 is `None`.
pub fn get(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A variable that holds a path.
pub fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
