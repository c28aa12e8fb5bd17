//! OpenCode: servers in `opencode.json` or `opencode.jsonc`; it has no hooks but plugins, so that a
//! small one asks the hook's program.

use std::path::{Path, PathBuf};

use coffer_env::Surroundings;

use super::kind::Capabilities;
use super::target::{AgentTarget, Place, shelf_at};
use crate::agent_files::{Content, Entry, Format, Node, Part, Target};
use crate::sessions::{self, Shelf};

/// The plugin; the program, a text of JavaScript, and the agent's name are filled in.
const PLUGIN: &str = include_str!("opencode/plugin.js");

pub(super) struct OpenCode;

impl AgentTarget for OpenCode {
    fn capabilities(&self) -> Capabilities {
        let (mcp, hook, session_end) = (true, true, false);
        Capabilities { mcp, hook, session_end, transcripts: true, native_memory: false }
    }

    fn programs(&self) -> &'static [&'static str] {
        &["opencode"]
    }

    fn folders(&self, around: &Surroundings) -> Vec<PathBuf> {
        around.in_settings("opencode").into_iter().chain(around.opencode.clone()).collect()
    }

    /// In the folder for data, wherever its settings are.
    fn shelf(&self, _folder: &Path, around: &Surroundings) -> Option<Shelf> {
        let data = around.in_data("opencode")?;
        Some(shelf_at(sessions::Format::OpenCode, &data))
    }

    fn targets(&self, place: &Place<'_>) -> Vec<Target> {
        let command = [vec![place.shim_program()], place.shim_arguments()].concat();
        let server = Node::table([
            ("type", Node::text("local")),
            ("command", Node::List(command)),
            ("enabled", Node::Flag(true)),
        ]);
        let config = place.folder.first(&["opencode.json", "opencode.jsonc"]);
        let config = config.unwrap_or_else(|| place.folder.file("opencode.jsonc"));
        let servers = vec![(Part::Mcp, vec![Entry::server(["mcp", "coffer"], server)])];
        let program = place.hook.display().to_string();
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let arguments = serde_json::to_string(place.arguments).unwrap_or_default();
        let text = PLUGIN
            .replace("\"{program}\"", &quoted(&program))
            .replace("\"{arguments}\"", &arguments);
        let plugin = place.folder.file("plugins/coffer.js");
        vec![
            place.entries(config, Format::Jsonc, servers),
            Target { path: plugin, content: Content::Whole { part: Part::Hook, text } },
        ]
    }
}
