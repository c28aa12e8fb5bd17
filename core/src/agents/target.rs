//! What Coffer wants of an agent's files, one file per agent below.

use std::path::{Path, PathBuf};

use coffer_env::{AgentFolder, Surroundings};

use super::kind::{AgentType, Capabilities};
use super::{claude_code, codex, copilot, cursor, gemini, opencode};
use crate::agent_files::{Content, Entry, Format, Node, Part, Target};
use crate::sessions::{self, Shelf};

/// An agent's folders, programs and files.
pub(super) trait AgentTarget: Sync {
    /// What can be done for it.
    fn capabilities(&self) -> Capabilities;

    /// The programs that it is started by.
    fn programs(&self) -> &'static [&'static str];

    /// The folders that its settings may be in, the likeliest first.
    fn folders(&self, around: &Surroundings) -> Vec<PathBuf>;

    /// What Coffer may have in its files.
    fn targets(&self, place: &Place<'_>) -> Vec<Target>;

    /// Where its sessions are kept, if they can be read.
    fn shelf(&self, _folder: &Path, _around: &Surroundings) -> Option<Shelf> {
        None
    }

    /// What a person still has to do after a part was installed.
    fn note(&self, _part: Part, _place: &Place<'_>) -> Option<String> {
        None
    }
}

/// Which agent it is, and what it is to start.
pub(super) struct Place<'a> {
    /// Its settings.
    pub folder: &'a AgentFolder,
    /// What Coffer's programs are told: its name in Coffer, and which Coffer.
    pub arguments: &'a [String],
    /// The program that tells Coffer of sessions.
    pub hook: &'a Path,
    /// The program that is Coffer's MCP server.
    pub shim: &'a Path,
    /// What is around this process.
    pub around: &'a Surroundings,
}

/// What Coffer wants of an agent.
pub(super) fn target_of(kind: AgentType) -> &'static dyn AgentTarget {
    match kind {
        AgentType::ClaudeCode => &claude_code::ClaudeCode,
        AgentType::Codex => &codex::Codex,
        AgentType::OpenCode => &opencode::OpenCode,
        AgentType::Gemini => &gemini::Gemini,
        AgentType::Copilot => &copilot::Copilot,
        AgentType::Cursor => &cursor::Cursor,
    }
}

/// Sessions that are kept in one folder.
pub(super) fn shelf_at(format: sessions::Format, root: &Path) -> Shelf {
    Shelf { format, roots: vec![root.to_owned()] }
}

impl Place<'_> {
    /// The line that a shell starts the hook by.
    pub(super) fn hook_line(&self) -> String {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        // A name is a word that needs no quotes, and so is an option.
        let argument = |text: &String| match text.contains(['/', '\\', ' ']) {
            true => quoted(text),
            false => text.clone(),
        };
        let arguments: Vec<String> = self.arguments.iter().map(argument).collect();
        format!("{} {}", quoted(&self.hook.display().to_string()), arguments.join(" "))
    }

    /// The program of the MCP server.
    pub(super) fn shim_program(&self) -> Node {
        Node::text(self.shim.display().to_string())
    }

    /// The arguments of the MCP server.
    pub(super) fn shim_arguments(&self) -> Vec<Node> {
        self.arguments.iter().map(|argument| Node::text(argument.as_str())).collect()
    }

    /// A file with entries, by what they are for.
    pub(super) fn entries(
        &self,
        file: PathBuf,
        format: Format,
        parts: Vec<(Part, Vec<Entry>)>,
    ) -> Target {
        Target { path: file, content: Content::Entries { format, parts } }
    }

    /// A group of hooks with one handler, as Claude Code has it and others after it.
    pub(super) fn hook_group(&self, matcher: Option<&str>, timeout: u32) -> Node {
        let handler = Node::table([
            ("type", Node::text("command")),
            ("command", Node::text(self.hook_line())),
            ("timeout", Node::number(timeout)),
        ]);
        let hooks = ("hooks", Node::List(vec![handler]));
        match matcher {
            Some(matcher) => Node::table([("matcher", Node::text(matcher)), hooks]),
            None => Node::table([hooks]),
        }
    }
}
