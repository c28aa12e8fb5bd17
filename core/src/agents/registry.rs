//! `agents.toml`: which agents are registered. A file that is not wholly understood is an error and
//! never written over.

use std::path::PathBuf;

use coffer_env::Home;
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use super::kind::AgentType;
use crate::error::{Error, Result};
use crate::vault::{Dir, Expect, File};

const NAME: &str = "agents.toml";
const HEAD: &str = "# Written by Coffer: the agents that it is connected to.\n";

const TYPE: &str = "type";
const FOLDER: &str = "config_dir";
const MEMORY: &str = "disable_native_memory";

/// A registered agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Registered {
    pub(super) name: String,
    pub(super) kind: AgentType,
    pub(super) folder: PathBuf,
    pub(super) disable_native_memory: bool,
}

/// The file as it was read, with changes to be written.
pub(super) struct Registry {
    document: DocumentMut,
    file: Option<File>,
    agents: Vec<Registered>,
}

impl Registry {
    /// Reads the file of a home.
    pub(super) fn read(home: &Home) -> Result<Self> {
        let damaged = |reason: String| {
            let reason = format!("it is damaged, {reason}; mend it, or move it away");
            Error::Unavailable { action: "read", path: home.agents_file(), reason }
        };
        let file = Dir::open(home.root())?.read(NAME)?;
        let bytes = file.as_ref().map(|file| file.bytes.as_slice()).unwrap_or_default();
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("no UTF-8".to_owned()))?;
        let document: DocumentMut = text
            .parse()
            .map_err(|error: toml_edit::TomlError| damaged(error.message().replace('\n', ", ")))?;
        let agents = document.iter().map(|(name, item)| {
            let agent = item.as_table_like().and_then(|table| agent(name, table));
            agent.ok_or_else(|| damaged(format!("`{name}` is no agent")))
        });
        let agents = agents.collect::<Result<_>>()?;
        Ok(Self { document, file, agents })
    }

    /// All agents, as they were registered.
    pub(super) fn agents(&self) -> &[Registered] {
        &self.agents
    }

    /// The agent of a name.
    pub(super) fn get(&self, name: &str) -> Result<&Registered> {
        let found = self.agents.iter().find(|agent| agent.name == name);
        found.ok_or_else(|| Error::AgentNotFound(name.to_owned()))
    }

    /// Registers an agent, or changes one.
    pub(super) fn put(&mut self, agent: &Registered) {
        let mut table = Table::new();
        table.insert(TYPE, value(agent.kind.word()));
        table.insert(FOLDER, value(agent.folder.display().to_string()));
        if agent.disable_native_memory {
            table.insert(MEMORY, value(true));
        }
        self.document.insert(&agent.name, Item::Table(table));
        match self.agents.iter_mut().find(|known| known.name == agent.name) {
            Some(known) => known.clone_from(agent),
            None => self.agents.push(agent.clone()),
        }
    }

    /// Forgets an agent.
    pub(super) fn remove(&mut self, name: &str) {
        self.document.remove(name);
        self.agents.retain(|agent| agent.name != name);
    }

    /// Writes the file, unless somebody changed it meanwhile.
    pub(super) fn write(&self, home: &Home) -> Result<()> {
        let head = if self.file.is_some() { "" } else { HEAD };
        let text = format!("{head}{}", self.document);
        let expect = Expect::as_read(self.file.as_ref());
        Dir::open(home.root())?.write(NAME, text.as_bytes(), expect).map(drop)
    }
}

fn agent(name: &str, table: &dyn TableLike) -> Option<Registered> {
    let memory = match table.get(MEMORY) {
        Some(item) => item.as_bool()?,
        None => false,
    };
    let folder = PathBuf::from(table.get(FOLDER)?.as_str()?);
    Some(Registered {
        name: super::name_of(name)?,
        kind: AgentType::parse(table.get(TYPE)?.as_str()?)?,
        folder: Some(folder).filter(|folder| folder.is_absolute())?,
        disable_native_memory: memory,
    })
}
