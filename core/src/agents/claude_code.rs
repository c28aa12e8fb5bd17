//! Claude Code: `settings.json`, which must stay strict JSON, and `.claude.json`, which stands beside
//! the default folder, and in one that a variable names.

use std::path::{Path, PathBuf};

use coffer_env::{AgentFolder, Surroundings};

use super::kind::Capabilities;
use super::target::{AgentTarget, Place, shelf_at};
use crate::agent_files::{Entry, Format, Node, Part, Target};
use crate::sessions::{self, Shelf};

const FOLDER: &str = ".claude";
const SERVERS: &str = ".claude.json";
/// `fork` is known since 2.1.214; older versions find the others in the list.
const START: &str = "startup|resume|clear|compact|fork";
/// Not `resume`: the session goes on.
const END: &str = "clear|logout|prompt_input_exit|other";

pub(super) struct ClaudeCode;

impl AgentTarget for ClaudeCode {
    fn capabilities(&self) -> Capabilities {
        let (mcp, hook, session_end) = (true, true, true);
        Capabilities { mcp, hook, session_end, transcripts: true, native_memory: true }
    }

    fn programs(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn folders(&self, around: &Surroundings) -> Vec<PathBuf> {
        around.claude.clone().into_iter().chain(around.in_home(FOLDER)).collect()
    }

    fn shelf(&self, folder: &Path, _around: &Surroundings) -> Option<Shelf> {
        Some(shelf_at(sessions::Format::ClaudeCode, folder))
    }

    fn targets(&self, place: &Place<'_>) -> Vec<Target> {
        let server = Node::table([
            ("type", Node::text("stdio")),
            ("command", place.shim_program()),
            ("args", Node::List(place.shim_arguments())),
            ("env", Node::empty()),
        ]);
        let servers = vec![(Part::Mcp, vec![Entry::server(["mcpServers", "coffer"], server)])];
        let hooks = vec![
            Entry::hook(["hooks", "SessionStart"], place.hook_group(Some(START), 5)),
            Entry::hook(["hooks", "SessionEnd"], place.hook_group(Some(END), 10)),
        ];
        let memory = vec![Entry::switch(["autoMemoryEnabled"], Node::Flag(false))];
        let settings = vec![(Part::Hook, hooks), (Part::Memory, memory)];
        vec![
            place.entries(servers_file(place.folder, place.around), Format::Json, servers),
            place.entries(place.folder.file("settings.json"), Format::Json, settings),
        ]
    }
}

fn servers_file(folder: &AgentFolder, around: &Surroundings) -> PathBuf {
    let is_default = around.in_home(FOLDER).as_deref() == Some(folder.path());
    let is_named = around.claude.as_deref() == Some(folder.path());
    if is_default && !is_named { folder.beside(SERVERS) } else { folder.file(SERVERS) }
}
