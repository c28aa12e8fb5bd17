//! Where agents keep their sessions, and which of their files a person may be led to.

use std::path::PathBuf;

use super::ledger::Ledger;
use super::registry::{Registered, Registry};
use super::{AgentType, Agents};
use crate::error::{Error, Result};
use crate::sessions::{Format, Shelf};

impl Agents {
    /// Where an agent's sessions are: a registered one's in its own folder, else where an agent of the
    /// type of this name usually keeps them.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; `UnsupportedAgent` for a type whose sessions cannot be read.
    pub fn shelf(&self, name: &str) -> Result<Shelf> {
        let registry = Registry::read(&self.0.home)?;
        match registry.get(name) {
            Ok(agent) => shelf_of(agent),
            Err(error) => AgentType::parse(&name.replace('-', "_"))
                .map_or(Err(error), |kind| readable(kind).map(Shelf::usual)),
        }
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
        let sessions = shelf_of(agent).map(|shelf| shelf.roots).unwrap_or_default();
        std::iter::once(agent.folder.clone()).chain(files).chain(sessions).collect()
    }
}

fn shelf_of(agent: &Registered) -> Result<Shelf> {
    let format = readable(agent.kind)?;
    Ok(match format {
        Format::ClaudeCode | Format::Codex => Shelf { format, roots: vec![agent.folder.clone()] },
        // Its settings and its sessions lie apart.
        Format::OpenCode => Shelf::usual(format),
    })
}

fn readable(kind: AgentType) -> Result<Format> {
    let what = "reading its conversations";
    kind.transcripts().ok_or(Error::UnsupportedAgent { agent: kind.word(), what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::target::target_of;

    #[test]
    fn what_an_agent_is_said_to_have_is_what_can_be_read() {
        for kind in AgentType::ALL {
            let is_said = target_of(kind).capabilities().transcripts;
            assert_eq!(kind.transcripts().is_some(), is_said, "{}", kind.word());
        }
    }
}
