//! Where agents keep their sessions, and which of their files a person may be led to.

use std::path::PathBuf;

use super::Agents;
use super::ledger::Ledger;
use super::registry::{Registered, Registry};
use super::target::target_of;
use crate::error::{Error, Result};
use crate::sessions::Shelf;

impl Agents {
    /// Where an agent's sessions are: it is asked for by its name, and each has folders of its own.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; `UnsupportedAgent` where they cannot be read.
    pub fn shelf(&self, name: &str) -> Result<Shelf> {
        let registry = Registry::read(&self.0.home)?;
        let agent = registry.get(name)?;
        let what = "reading its sessions";
        let unsupported = || Error::UnsupportedAgent { agent: agent.kind.word(), what };
        self.shelf_of(agent).ok_or_else(unsupported)
    }

    fn shelf_of(&self, agent: &Registered) -> Option<Shelf> {
        target_of(agent.kind).shelf(&agent.folder, &self.0.around)
    }

    /// Folders of registered agents and their sessions, and files that something of Coffer's is or may
    /// be in. None where the list of agents is damaged: other places say that.
    pub fn places(&self) -> Vec<PathBuf> {
        let Ok(registry) = Registry::read(&self.0.home) else { return Vec::new() };
        registry.agents().iter().flat_map(|agent| self.places_of(agent)).collect()
    }

    fn places_of(&self, agent: &Registered) -> Vec<PathBuf> {
        let ledger = Ledger::read(&self.0.home, &agent.name);
        let targets = ledger.and_then(|ledger| self.targets(agent, &ledger)).unwrap_or_default();
        let files = targets.into_iter().map(|target| target.path);
        let sessions = self.shelf_of(agent).map(|shelf| shelf.roots).unwrap_or_default();
        std::iter::once(agent.folder.clone()).chain(files).chain(sessions).collect()
    }
}
