//! OpenCode: a provider of the person's own. It looks for its plugin's types in npm's registry, for
//! which the model stands here; without them it goes on.

use std::process::Command;

use super::agent::Agent;
use super::{model, programs};

pub const AGENT: Agent = Agent {
    kind: "opencode",
    name: "opencode",
    program: || programs::find("", "opencode-", "bin/opencode"),
    files: &[
        (".config/opencode/opencode.jsonc", CONFIG),
        (".config/opencode/AGENTS.md", "# How I work\n\nSay what you did.\n"),
    ],
    touched: &[".config/opencode/opencode.jsonc", ".config/opencode/plugins/coffer.js"],
    session,
    results: model::chat::results,
};

const CONFIG: &str = r#"{
  // Mine.
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false, "share": "disabled",
  "model": "scripted/one",
  "small_model": "scripted/one",
  "enabled_providers": ["scripted"],
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "http://127.0.0.1:{port}/v1", "apiKey": "none" },
      "models": { "one": { "tool_call": true } },
    },
  },
  /* Not now. */
  "mcp": { "other": { "type": "local", "command": ["false"], "enabled": false, }, },
}"#;

fn session(command: &mut Command, prompt: &str, port: u16) {
    command
        .args(["run", prompt])
        .env("OPENCODE_DISABLE_AUTOUPDATE", "1")
        .env("OPENCODE_DISABLE_MODELS_FETCH", "1")
        .env("OPENCODE_DISABLE_LSP_DOWNLOAD", "1")
        .env("npm_config_registry", format!("http://127.0.0.1:{port}/"));
}
