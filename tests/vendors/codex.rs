//! Codex: a provider of the person's own, and no catalogues of plugins or applications.

use std::process::Command;

use super::agent::Agent;
use super::{model, programs};

pub const AGENT: Agent = Agent {
    kind: "codex",
    name: "codex",
    program: || programs::find("@openai", "codex-", "codex"),
    files: &[
        (".codex/config.toml", CONFIG),
        (".codex/hooks.json", HOOKS),
        (".codex/AGENTS.md", "# How I work\n\nSay what you did.\n"),
    ],
    touched: &[".codex/config.toml", ".codex/hooks.json"],
    session,
    results: model::responses::results,
};

const CONFIG: &str = r#"# Mine, and in my order.
model_provider = "scripted"
model="one"   # no other
approval_policy = "never"
sandbox_mode = 'danger-full-access'
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"

[analytics]
enabled = false

[features] # nothing from outside
plugins = false
apps = false
"#;

/// With a hook of the person's own: Coffer's comes after it.
const HOOKS: &str = r#"{"hooks": {
  "SessionStart": [
    {"hooks": [{"type": "command", "command": "echo mine"}]}
  ]
}}
"#;

fn session(command: &mut Command, prompt: &str, _port: u16) {
    command.args(["exec", prompt]);
}
