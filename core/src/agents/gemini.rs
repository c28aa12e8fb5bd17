//! Gemini CLI: everything in `settings.json`, which may have comments. Its timeouts are milliseconds,
//! and a matcher is one word, so that ours has none and is for all of them.

use std::path::PathBuf;

use coffer_env::Surroundings;

use super::kind::Capabilities;
use super::target::{AgentTarget, Place};
use crate::agent_files::{Entry, Format, Node, Part, Target};

pub(super) struct Gemini;

impl AgentTarget for Gemini {
    fn capabilities(&self) -> Capabilities {
        let (mcp, hook, session_end) = (true, true, false);
        Capabilities { mcp, hook, session_end, transcripts: false, native_memory: false }
    }

    fn programs(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn folders(&self, around: &Surroundings) -> Vec<PathBuf> {
        around.gemini_folder().into_iter().collect()
    }

    fn targets(&self, place: &Place<'_>) -> Vec<Target> {
        let server = Node::table([
            ("command", place.shim_program()),
            ("args", Node::List(place.shim_arguments())),
        ]);
        let handler = Node::table([
            ("name", Node::text("coffer")),
            ("type", Node::text("command")),
            ("command", Node::text(place.hook_line())),
            ("timeout", Node::number(5000)),
        ]);
        let group = Node::table([("hooks", Node::List(vec![handler]))]);
        let parts = vec![
            (Part::Mcp, vec![Entry::server(["mcpServers", "coffer"], server)]),
            (Part::Hook, vec![Entry::hook(["hooks", "SessionStart"], group)]),
        ];
        vec![place.entries(place.folder.file("settings.json"), Format::Jsonc, parts)]
    }
}
