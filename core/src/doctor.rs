//! Health: what was checked, how it stands, and the one action that mends it.

mod agents;
mod bases;
mod checks;
mod conversion;
mod deep;
mod machine;
mod mend;
mod stores;
mod transcripts;
mod vectors;

use std::sync::Arc;

use coffer_env::Home;

use crate::agents::Agents;
use crate::config::Settings;
use crate::credentials::Credentials;
use crate::kb::KnowledgeBases;
use crate::knowledge::Knowledge;
use crate::memory::Memory;

/// How a check stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// Works, but a person should know.
    Warning,
    /// Does not work.
    Error,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at, such as `database`.
    pub check: &'static str,
    /// How it stands.
    pub state: CheckState,
    /// The file or folder concerned.
    pub path: Option<String>,
    /// What was found, in plain words.
    pub reason: String,
    /// The one action that mends it.
    pub fix: Option<&'static str>,
    /// Whether `Doctor::mend` does that by itself.
    pub fixable: bool,
}

/// The health of one home.
#[derive(Clone)]
pub struct Doctor {
    home: Home,
    knowledge: Arc<Knowledge>,
    memory: Memory,
    kb: KnowledgeBases,
    settings: Settings,
    credentials: Credentials,
    agents: Agents,
}

impl Doctor {
    /// A doctor for what is open.
    pub(crate) fn new(
        home: &Home,
        knowledge: Arc<Knowledge>,
        (memory, kb): (&Memory, &KnowledgeBases),
        settings: &Settings,
        (credentials, agents): (&Credentials, &Agents),
    ) -> Self {
        Self {
            home: home.clone(),
            knowledge,
            memory: memory.clone(),
            kb: kb.clone(),
            settings: settings.clone(),
            credentials: credentials.clone(),
            agents: agents.clone(),
        }
    }
}
