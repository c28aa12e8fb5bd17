//! Coding agents: which there are, and connecting them to Coffer by entries in their own files.
//!
//! One file per agent says what Coffer wants of its files; everything else is the same for all.
//! Deliberately absent: how a file is edited (`agent_files`), and what a hook answers.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod install;
mod kind;
mod ledger;
mod opencode;
mod register;
mod registry;
mod shelf;
mod state;
mod target;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coffer_domain::time::Timestamp;
use coffer_env::{Home, Surroundings};

use crate::error::Result;
use crate::index::Index;
use install::Way;
use registry::Registry;

pub use crate::agent_files::Part;
pub use kind::{AgentType, Capabilities};
pub use state::{FileState, Installation, InstalledFile};

/// A registered agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name in Coffer.
    pub name: String,
    /// What it is.
    pub kind: AgentType,
    /// The folder of its settings.
    pub folder: PathBuf,
    /// Whether its folder or program is on this machine.
    pub detected: bool,
    /// Whether it starts Coffer's MCP server.
    pub mcp_installed: bool,
    /// Whether it asks Coffer at the start of a session.
    pub hook_installed: bool,
    /// Whether Coffer switched its own memory off.
    pub disable_native_memory: bool,
    /// What somebody else changed or took out since Coffer wrote it.
    pub drift: Vec<Part>,
    /// What can be done for it.
    pub capabilities: Capabilities,
}

/// An agent that is on this machine and is not registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The name that it would get.
    pub name: String,
    /// What it is.
    pub kind: AgentType,
    /// The folder of its settings.
    pub folder: PathBuf,
    /// Whether its program was found.
    pub has_program: bool,
}

/// An agent that is to be registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAgent {
    /// What it is.
    pub kind: AgentType,
    /// Its name; absent, its type's.
    pub name: Option<String>,
    /// The folder of its settings; absent, the usual one.
    pub folder: Option<PathBuf>,
    /// Whether it is connected too.
    pub connect: bool,
}

/// Who registers an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A program of the person's.
    Program,
    /// A page, which may name no folders but those that Coffer found.
    Page,
}

/// What became of an agent's files, or would become of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    /// The changes as a unified diff.
    pub diff: String,
    /// The files that changed.
    pub files: Vec<PathBuf>,
    /// What a person still has to do.
    pub notes: Vec<String>,
}

/// What can be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installable {
    /// Coffer's MCP server.
    Mcp,
    /// The hook that asks Coffer at the start of a session.
    Hook,
}

impl Installable {
    const fn part(self) -> Part {
        match self {
            Self::Mcp => Part::Mcp,
            Self::Hook => Part::Hook,
        }
    }
}

/// The agents of one home.
#[derive(Clone)]
pub struct Agents(Arc<Inner>);

struct Inner {
    home: Home,
    around: Surroundings,
    index: Arc<Index>,
    on_change: Box<dyn Fn() + Send + Sync>,
    /// One change at a time.
    changing: Mutex<()>,
}

impl Agents {
    /// The agents of a home; nothing is read yet. `on_change` is called after one was registered,
    /// changed or forgotten.
    pub(crate) fn open(
        home: &Home,
        around: Surroundings,
        index: Arc<Index>,
        on_change: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let (on_change, changing) = (Box::new(on_change), Mutex::new(()));
        Self(Arc::new(Inner { home: home.clone(), around, index, on_change, changing }))
    }

    /// Whether something is installed in an agent's files.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`.
    pub fn installation(&self, name: &str, what: Installable) -> Result<Installation> {
        let registry = Registry::read(&self.0.home)?;
        self.stands(registry.get(name)?, what.part())
    }

    /// Installs it. A trial only says what would change.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; `AgentConfigUnsafe`, after which no file is changed.
    pub fn install(
        &self,
        name: &str,
        what: Installable,
        is_trial: bool,
        now: Timestamp,
    ) -> Result<(Installation, Edited)> {
        self.turn(name, &[what.part()], Way::In, is_trial, now)
    }

    /// Takes it out again. Without the hook the agent's own memory is back too.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; `AgentConfigUnsafe`.
    pub fn uninstall(
        &self,
        name: &str,
        what: Installable,
        is_trial: bool,
        now: Timestamp,
    ) -> Result<(Installation, Edited)> {
        let parts: &[Part] = match what {
            Installable::Mcp => &[Part::Mcp],
            Installable::Hook => &[Part::Hook, Part::Memory],
        };
        self.turn(name, parts, Way::Out, is_trial, now)
    }

    fn turn(
        &self,
        name: &str,
        parts: &[Part],
        way: Way,
        is_trial: bool,
        now: Timestamp,
    ) -> Result<(Installation, Edited)> {
        let _one = self.lock();
        let mut registry = Registry::read(&self.0.home)?;
        let mut agent = registry.get(name)?.clone();
        let edited = self.edit(&agent, parts, way, is_trial, now)?;
        if !is_trial
            && way == Way::Out
            && parts.contains(&Part::Memory)
            && agent.disable_native_memory
        {
            agent.disable_native_memory = false;
            registry.put(&agent);
            registry.write(&self.0.home)?;
        }
        let installation = self.stands(&agent, parts[0])?;
        if !edited.files.is_empty() {
            (self.0.on_change)();
        }
        Ok((installation, edited))
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.0.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name as agents have it; it is a file's name, a key and an argument.
fn name_of(text: &str) -> Option<String> {
    let is_fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = (1..=64).contains(&text.len())
        && text.bytes().all(is_fine)
        && !text.starts_with('-')
        && text != "candidates";
    is_name.then(|| text.to_owned())
}
