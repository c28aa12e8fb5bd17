//! Codex CLI: servers and switches in `config.toml`, hooks in `hooks.json`.
//!
//! Codex trusts a hook by its position and its text: ours goes to the end, and nothing is moved.
//! Deliberately absent: writing the hash by which it is trusted. That is the person's own answer.

use std::path::{Path, PathBuf};

use coffer_env::Surroundings;

use super::kind::Capabilities;
use super::target::{AgentTarget, Place, shelf_at};
use crate::agent_files::{Entry, Format, Node, Part, Target};
use crate::sessions::{self, Shelf};

pub(super) struct Codex;

impl AgentTarget for Codex {
    fn capabilities(&self) -> Capabilities {
        let (mcp, hook, session_end) = (true, true, true);
        Capabilities { mcp, hook, session_end, transcripts: true, native_memory: true }
    }

    fn programs(&self) -> &'static [&'static str] {
        &["codex"]
    }

    fn folders(&self, around: &Surroundings) -> Vec<PathBuf> {
        around.codex.clone().into_iter().chain(around.in_home(".codex")).collect()
    }

    fn shelf(&self, folder: &Path, _around: &Surroundings) -> Option<Shelf> {
        Some(shelf_at(sessions::Format::Codex, folder))
    }

    fn targets(&self, place: &Place<'_>) -> Vec<Target> {
        let server = Node::table([
            ("command", place.shim_program()),
            ("args", Node::List(place.shim_arguments())),
        ]);
        let off = |path| Entry::switch(path, Node::Flag(false));
        let config = vec![
            (Part::Mcp, vec![Entry::server(["mcp_servers", "coffer"], server)]),
            (
                Part::Memory,
                vec![off(["features", "memories"]), off(["memories", "generate_memories"])],
            ),
        ];
        let start = place.hook_group(Some("startup|resume|clear|compact"), 5);
        let hooks = vec![
            Entry::hook(["hooks", "SessionStart"], start),
            // Versions that do not know of it ignore it; others warn of more than 3 seconds.
            Entry::hook(["hooks", "SessionEnd"], place.hook_group(None, 3)),
        ];
        vec![
            place.entries(place.folder.file("config.toml"), Format::Toml, config),
            place.entries(place.folder.file("hooks.json"), Format::Json, vec![(Part::Hook, hooks)]),
        ]
    }

    fn note(&self, part: Part, _place: &Place<'_>) -> Option<String> {
        let text =
            "Codex runs a new hook only after you approve it: start `codex` and type `/hooks`.";
        (part == Part::Hook).then(|| text.to_owned())
    }
}
