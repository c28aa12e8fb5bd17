//! Agents: whether what Coffer put into their files is still there, as it was.

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::agents::{Agent, FileState, Installable, InstalledFile};
use crate::error::Error;

const FIX: &str = "Run `coffer agent connect` for it again, or `coffer agent disconnect`.";

impl Doctor {
    pub(super) fn agents(&self) -> Vec<Check> {
        let path = self.home.agents_file();
        match self.agents.list() {
            Ok(agents) if agents.is_empty() => Vec::new(),
            Ok(agents) => {
                let drifted: Vec<Check> =
                    agents.iter().flat_map(|agent| self.drifted(agent)).collect();
                if !drifted.is_empty() {
                    return drifted;
                }
                let found = format!("{} agents are as they were connected", agents.len());
                vec![row("agents", CheckState::Ok, &path, &found)]
            }
            Err(error) => {
                // The list, or what was noted of one agent.
                let path = if let Error::Unavailable { path, .. } = &error { path } else { &path };
                vec![Check {
                    fix: Some("Mend the file, or move it away and connect the agents again."),
                    ..row("agents", CheckState::Error, path, &error.to_string())
                }]
            }
        }
    }

    fn drifted(&self, agent: &Agent) -> Vec<Check> {
        let parts = [Installable::Mcp, Installable::Hook];
        let stands = parts.map(|part| self.agents.installation(&agent.name, part));
        let files = stands.into_iter().flatten().flat_map(|stands| stands.files);
        let found = files.filter_map(|InstalledFile { path, state }| {
            let reason = match state {
                FileState::Changed => "somebody changed what Coffer wrote for",
                FileState::Missing => "somebody removed what Coffer wrote for",
                FileState::Unreadable => "cannot be understood; it is the file of",
                FileState::Absent | FileState::Installed => return None,
            };
            let reason = format!("{reason} agent `{}`", agent.name);
            Some(Check { fix: Some(FIX), ..row("agents", CheckState::Warning, &path, &reason) })
        });
        found.collect()
    }
}
