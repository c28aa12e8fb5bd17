//! What differs between the agents: their programs, a person's own files of theirs, and what starts
//! a session that answers one prompt and ends.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::{claude_code, codex, opencode};

/// An agent as its vendor made it.
pub struct Agent {
    /// Its type in Coffer.
    pub kind: &'static str,
    /// The name that it gets there.
    pub name: &'static str,
    /// Its program.
    pub program: fn() -> PathBuf,
    /// What a person has in their home already, `{port}` for that of the model.
    pub files: &'static [(&'static str, &'static str)],
    /// The files that Coffer changes or makes, in order.
    pub touched: &'static [&'static str],
    /// Adds what starts a session.
    pub session: fn(&mut Command, prompt: &str, port: u16),
    /// What the model was told that tools gave.
    pub results: fn(&Value) -> Vec<String>,
}

/// All of them.
pub const ALL: [&Agent; 3] = [&claude_code::AGENT, &codex::AGENT, &opencode::AGENT];

/// The texts of a part of a request, as many as there are in it.
pub fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::Object(all) => all.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}
