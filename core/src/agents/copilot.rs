//! Copilot CLI: servers in `mcp-config.json`, hooks in any file of `hooks/`, so that ours has its own.

use std::path::PathBuf;

use coffer_env::Surroundings;

use super::kind::Capabilities;
use super::target::{AgentTarget, Place};
use crate::agent_files::{Entry, Format, Node, Part, Target};

pub(super) struct Copilot;

impl AgentTarget for Copilot {
    fn capabilities(&self) -> Capabilities {
        let (mcp, hook, session_end) = (true, true, false);
        Capabilities { mcp, hook, session_end, transcripts: false, native_memory: false }
    }

    fn programs(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn folders(&self, around: &Surroundings) -> Vec<PathBuf> {
        around.copilot.clone().into_iter().chain(around.in_home(".copilot")).collect()
    }

    fn targets(&self, place: &Place<'_>) -> Vec<Target> {
        let server = Node::table([
            ("tools", Node::List(vec![Node::text("*")])),
            ("type", Node::text("local")),
            ("command", place.shim_program()),
            ("args", Node::List(place.shim_arguments())),
        ]);
        let handler = Node::table([
            ("type", Node::text("command")),
            ("bash", Node::text(place.hook_line())),
            ("powershell", Node::text(format!("& {}", place.hook_line()))),
            ("timeoutSec", Node::number(5)),
        ]);
        let servers = vec![(Part::Mcp, vec![Entry::server(["mcpServers", "coffer"], server)])];
        let hooks = vec![(
            Part::Hook,
            vec![
                Entry::needed(["version"], Node::number(1)),
                Entry::hook(["hooks", "sessionStart"], handler),
            ],
        )];
        vec![
            place.entries(place.folder.file("mcp-config.json"), Format::Json, servers),
            place.entries(place.folder.file("hooks/coffer.json"), Format::Json, hooks),
        ]
    }
}
