//! Claude Code: settings of several places, and tools that are loaded when they are wanted.

use std::process::Command;

use super::agent::Agent;
use super::{model, programs};

pub const AGENT: Agent = Agent {
    kind: "claude_code",
    name: "claude-code",
    program: || programs::find("@anthropic-ai", "claude-code-", "claude"),
    files: &[
        (".claude.json", "{\n  \"hasCompletedOnboarding\": true,\n  \"numStartups\": 3\n}"),
        (".claude/settings.json", SETTINGS),
        (".claude/CLAUDE.md", "# How I work\n\nSay what you did.\n"),
    ],
    touched: &[".claude.json", ".claude/settings.json"],
    session,
    results: model::messages::results,
};

/// With a hook that the person has already, and no newline at its end.
const SETTINGS: &str = r#"{
    "theme":   "dark",
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [ { "type": "command", "command": "echo mine" } ] }
        ]
    },
    "cleanupPeriodDays": 99
}"#;

fn session(command: &mut Command, prompt: &str, port: u16) {
    command
        .args(["-p", prompt, "--allowedTools", "mcp__coffer"])
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{port}"))
        .env("ANTHROPIC_API_KEY", "none")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_ERROR_REPORTING", "1")
        .env("DISABLE_TELEMETRY", "1");
}
