//! Cursor: servers in `mcp.json`, hooks in `hooks.json`, flat and by small letters.

use std::path::PathBuf;

use coffer_env::Surroundings;

use super::kind::Capabilities;
use super::target::{AgentTarget, Place};
use crate::agent_files::{Entry, Format, Node, Part, Target};

pub(super) struct Cursor;

impl AgentTarget for Cursor {
    fn capabilities(&self) -> Capabilities {
        let (mcp, hook, session_end) = (true, true, false);
        Capabilities { mcp, hook, session_end, transcripts: false, native_memory: false }
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cursor-agent", "cursor"]
    }

    fn folders(&self, around: &Surroundings) -> Vec<PathBuf> {
        around.in_home(".cursor").into_iter().collect()
    }

    fn targets(&self, place: &Place<'_>) -> Vec<Target> {
        let server = Node::table([
            ("command", place.shim_program()),
            ("args", Node::List(place.shim_arguments())),
        ]);
        let handler =
            Node::table([("command", Node::text(place.hook_line())), ("timeout", Node::number(5))]);
        let servers = vec![(Part::Mcp, vec![Entry::server(["mcpServers", "coffer"], server)])];
        let hooks = vec![(
            Part::Hook,
            vec![
                Entry::needed(["version"], Node::number(1)),
                Entry::hook(["hooks", "sessionStart"], handler),
            ],
        )];
        vec![
            place.entries(place.folder.file("mcp.json"), Format::Json, servers),
            place.entries(place.folder.file("hooks.json"), Format::Json, hooks),
        ]
    }
}
