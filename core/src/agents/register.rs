//! Which agents there are on this machine, and which of them are registered.

use std::path::{Path, PathBuf};

use coffer_domain::time::Timestamp;
use coffer_env::AgentFolder;

use super::install::Way;
use super::registry::{Registered, Registry};
use super::target::target_of;
use super::{Agent, AgentType, Agents, By, Candidate, Edited, NewAgent, name_of};
use crate::agent_files::Part;
use crate::error::{Error, Result};

impl Agents {
    /// The registered agents.
    ///
    /// # Errors
    ///
    /// An `agents.toml` that is damaged.
    pub fn list(&self) -> Result<Vec<Agent>> {
        let registry = Registry::read(&self.0.home)?;
        registry.agents().iter().map(|agent| self.shown(agent)).collect()
    }

    /// One of them.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`.
    pub fn get(&self, name: &str) -> Result<Agent> {
        let registry = Registry::read(&self.0.home)?;
        self.shown(registry.get(name)?)
    }

    /// What kind of agent one is; nothing of its files is looked at.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`.
    pub fn kind_of(&self, name: &str) -> Result<AgentType> {
        Ok(Registry::read(&self.0.home)?.get(name)?.kind)
    }

    /// The agents that are on this machine and are not registered: by their folder or their program.
    ///
    /// # Errors
    ///
    /// An `agents.toml` that is damaged.
    pub fn candidates(&self) -> Result<Vec<Candidate>> {
        Ok(self.found(&Registry::read(&self.0.home)?))
    }

    fn found(&self, registry: &Registry) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for kind in AgentType::ALL {
            let has_program = self.has_program(kind);
            let folders = target_of(kind).folders(&self.0.around);
            for (index, folder) in folders.into_iter().enumerate() {
                let is_there = AgentFolder::at(&folder).is_there();
                let is_known = registry.agents().iter().any(|agent| agent.folder == folder)
                    || found.iter().any(|it| it.folder == folder);
                // A program without any folder makes the first one when it starts.
                if (is_there || (has_program && index == 0)) && !is_known {
                    let is_taken = |name: &str| {
                        registry.get(name).is_ok() || found.iter().any(|it| it.name == name)
                    };
                    let name = free_name(&kind.default_name(), is_taken);
                    found.push(Candidate { name, kind, folder, has_program });
                }
            }
        }
        found
    }

    /// Registers an agent; with `connect`, its MCP server and hook too. A trial only says what would
    /// change in the agent's files. One that is registered already is connected.
    ///
    /// # Errors
    ///
    /// `AgentExists` for a name that another one has, or, without `connect`, for the same agent;
    /// `PathNotAllowed` for a page that names another folder than Coffer found; `AgentConfigUnsafe`,
    /// after which nothing is registered or changed.
    pub fn register(
        &self,
        new: &NewAgent,
        by: By,
        is_trial: bool,
        now: Timestamp,
    ) -> Result<(Agent, Edited)> {
        let _one = self.lock();
        let mut registry = Registry::read(&self.0.home)?;
        if let (By::Page, Some(folder)) = (by, &new.folder)
            && !self.is_known(&registry, new.kind, folder)
        {
            return Err(Error::PathNotAllowed(folder.clone()));
        }
        let (agent, is_new) = self.named(&registry, new)?;
        if !is_new && !new.connect {
            return Err(Error::AgentExists(agent.name));
        }
        let connected = |is_trial| match new.connect {
            true => self.edit(&agent, &self.parts(&agent), Way::In, is_trial, now),
            false => Ok(Edited::default()),
        };
        let edited = match is_new && !is_trial {
            true => {
                connected(true)?;
                self.with_name(&mut registry, &agent, || connected(false))?
            }
            false => connected(is_trial)?,
        };
        if !is_trial && (is_new || !edited.files.is_empty()) {
            (self.0.on_change)();
        }
        Ok((self.shown(&agent)?, edited))
    }

    /// Switches an agent's own memory off, or back to what it was.
    ///
    /// # Errors
    ///
    /// `UnsupportedAgent` where there is no switch; `AgentConfigUnsafe`.
    pub fn set_native_memory(
        &self,
        name: &str,
        disable: bool,
        is_trial: bool,
        now: Timestamp,
    ) -> Result<(Agent, Edited)> {
        let _one = self.lock();
        let mut registry = Registry::read(&self.0.home)?;
        let mut agent = registry.get(name)?.clone();
        if !target_of(agent.kind).capabilities().native_memory {
            let what = "switching its own memory off";
            return Err(Error::UnsupportedAgent { agent: agent.kind.word(), what });
        }
        let way = if disable { Way::In } else { Way::Out };
        let edited = self.edit(&agent, &[Part::Memory], way, is_trial, now)?;
        let is_other = !is_trial && agent.disable_native_memory != disable;
        if is_other {
            agent.disable_native_memory = disable;
            registry.put(&agent);
            registry.write(&self.0.home)?;
        }
        if is_other || !edited.files.is_empty() {
            (self.0.on_change)();
        }
        Ok((self.shown(&agent)?, edited))
    }

    /// Disconnects an agent and forgets it. A trial only says what would change.
    ///
    /// # Errors
    ///
    /// `AgentNotFound`; `AgentConfigUnsafe`, after which it is still registered.
    pub fn remove(&self, name: &str, is_trial: bool, now: Timestamp) -> Result<(Agent, Edited)> {
        let _one = self.lock();
        let mut registry = Registry::read(&self.0.home)?;
        let agent = registry.get(name)?.clone();
        let parts = [Part::Mcp, Part::Hook, Part::Memory];
        let edited = self.edit(&agent, &parts, Way::Out, is_trial, now)?;
        let shown = self.shown(&agent)?;
        if !is_trial {
            registry.remove(name);
            registry.write(&self.0.home)?;
            (self.0.on_change)();
        }
        Ok((shown, edited))
    }

    /// Registers an agent, and then connects it, so that what a kill leaves in its files is of a name
    /// that can be disconnected. One that cannot be connected is forgotten again.
    fn with_name(
        &self,
        registry: &mut Registry,
        agent: &Registered,
        connect: impl FnOnce() -> Result<Edited>,
    ) -> Result<Edited> {
        registry.put(agent);
        registry.write(&self.0.home)?;
        connect().inspect_err(|_| {
            if let Err(error) = self.forget(&agent.name) {
                tracing::warn!(?error, agent = agent.name, "stays registered");
            }
        })
    }

    fn forget(&self, name: &str) -> Result<()> {
        let mut registry = Registry::read(&self.0.home)?;
        registry.remove(name);
        registry.write(&self.0.home)
    }

    fn is_known(&self, registry: &Registry, kind: AgentType, folder: &Path) -> bool {
        let registered = registry.agents().iter().map(|agent| (agent.kind, agent.folder.clone()));
        let found = self.found(registry).into_iter().map(|found| (found.kind, found.folder));
        registered.chain(found).any(|known| known == (kind, folder.to_owned()))
    }

    fn shown(&self, agent: &Registered) -> Result<Agent> {
        let Registered { name, kind, folder, disable_native_memory } = agent.clone();
        let parts = [Part::Mcp, Part::Hook, Part::Memory];
        let [mcp, hook, memory] = parts.map(|part| self.stands(agent, part));
        let (mcp, hook, memory) = (mcp?, hook?, memory?);
        // A switch that Coffer never touched is the person's.
        let drifted = [mcp.drift, hook.drift, memory.drift && disable_native_memory];
        let drift = parts.into_iter().zip(drifted).filter_map(|(part, is)| is.then_some(part));
        Ok(Agent {
            detected: AgentFolder::at(&folder).is_there() || self.has_program(kind),
            mcp_installed: mcp.installed,
            hook_installed: hook.installed,
            drift: drift.collect(),
            capabilities: target_of(kind).capabilities(),
            name,
            kind,
            folder,
            disable_native_memory,
        })
    }

    fn has_program(&self, kind: AgentType) -> bool {
        let programs = target_of(kind).programs();
        programs.iter().any(|program| self.0.around.has_program(program))
    }

    /// What connecting puts into the files; a memory that was switched off stays off.
    fn parts(&self, agent: &Registered) -> Vec<Part> {
        let memory = agent.disable_native_memory.then_some(Part::Memory);
        [Part::Mcp, Part::Hook].into_iter().chain(memory).collect()
    }

    /// The agent that is meant, and whether it is a new one.
    fn named(&self, registry: &Registry, new: &NewAgent) -> Result<(Registered, bool)> {
        let kind = new.kind;
        let folder = match &new.folder {
            Some(folder) => folder.clone(),
            None => self.likeliest(registry, new)?,
        };
        if !folder.is_absolute() {
            let reason = "must be an absolute path".to_owned();
            return Err(Error::Invalid { field: "config_dir", reason });
        }
        let same = |agent: &&Registered| agent.kind == kind && agent.folder == folder;
        if let Some(known) = registry.agents().iter().find(same) {
            return match &new.name {
                Some(name) if *name != known.name => Err(Error::AgentExists(known.name.clone())),
                _ => Ok((known.clone(), false)),
            };
        }
        let name = match &new.name {
            Some(name) => name_of(name).ok_or_else(|| Error::Invalid {
                field: "name",
                reason: "must be 1 to 64 small letters, digits and `-`".to_owned(),
            })?,
            None => free_name(&kind.default_name(), |name| registry.get(name).is_ok()),
        };
        if registry.get(&name).is_ok() {
            return Err(Error::AgentExists(name));
        }
        Ok((Registered { name, kind, folder, disable_native_memory: false }, true))
    }

    /// The folder of the agent that a name stands for, else the first that is there.
    fn likeliest(&self, registry: &Registry, new: &NewAgent) -> Result<PathBuf> {
        let name = new.name.as_deref();
        let is_named =
            |agent: &&Registered| agent.kind == new.kind && Some(agent.name.as_str()) == name;
        if let Some(known) = registry.agents().iter().find(is_named) {
            return Ok(known.folder.clone());
        }
        let mut folders = target_of(new.kind).folders(&self.0.around).into_iter();
        let first = folders.next().ok_or_else(|| Error::Invalid {
            field: "config_dir",
            reason: "must be given: there is no home directory".to_owned(),
        })?;
        let is_there = |folder: &PathBuf| AgentFolder::at(folder).is_there();
        if is_there(&first) {
            return Ok(first);
        }
        Ok(folders.find(is_there).unwrap_or(first))
    }
}

fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
