//! What can be done to an agent's files: what it is called, and how the server is asked for it.

use coffer_api::agents::{AgentIn, AgentOut, AgentPatch, AgentTrialIn, AgentType};
use coffer_api::routes;
use gloo_net::http::Method;

use crate::api::Api;
use crate::failure::Failure;
use crate::wording::agents as wording;

/// A change, and the agent that it is of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    kind: AgentType,
    name: String,
    config_dir: String,
    deed: Deed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Connect,
    Disconnect,
    MemoryOff,
    MemoryBack,
}

/// What became of the files, or would become of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    /// A unified diff.
    pub(super) diff: String,
    /// What the person still has to do.
    pub(super) notes: Vec<String>,
}

impl Change {
    /// Connects an agent whose settings are in a folder; also one that is registered already.
    pub(crate) fn connect(kind: AgentType, name: &str, config_dir: &str) -> Self {
        Self { kind, name: name.into(), config_dir: config_dir.into(), deed: Deed::Connect }
    }

    /// Undoes all of it.
    pub(crate) fn disconnect(agent: &AgentOut) -> Self {
        Self::of(agent, Deed::Disconnect)
    }

    /// Switches the agent's own memory off, or back to what it was.
    pub(crate) fn memory(agent: &AgentOut, off: bool) -> Self {
        Self::of(agent, if off { Deed::MemoryOff } else { Deed::MemoryBack })
    }

    /// Whether Coffer knows nothing of the agent afterwards.
    pub(super) fn forgets(&self) -> bool {
        self.deed == Deed::Disconnect
    }

    fn of(agent: &AgentOut, deed: Deed) -> Self {
        let AgentOut { kind, name, config_dir, .. } = agent.clone();
        Self { kind, name, config_dir, deed }
    }

    /// The heading of the dialog.
    pub(super) fn title(&self) -> String {
        let agent = wording::agent(self.kind, &self.name);
        match self.deed {
            Deed::Connect => format!("Connect {agent}"),
            Deed::Disconnect => format!("Disconnect {agent}"),
            Deed::MemoryOff => format!("Switch the own memory of {agent} off"),
            Deed::MemoryBack => format!("Restore the own memory of {agent}"),
        }
    }

    /// What it is for.
    pub(super) const fn about(&self) -> &'static str {
        match self.deed {
            Deed::Connect => {
                "Coffer adds its own entries to these files, so that the agent can use the shared \
                 memory and is given your rules when a session starts. Nothing else in them moves."
            }
            Deed::Disconnect => {
                "Coffer takes out what it wrote, and forgets the agent. What was remembered stays."
            }
            Deed::MemoryOff => {
                "The agent then keeps no notes of its own beside Coffer's. What it has kept so far \
                 stays where it is."
            }
            Deed::MemoryBack => "Its settings are then as they were before Coffer changed them.",
        }
    }

    /// The button that does it.
    pub(super) const fn verb(&self) -> &'static str {
        match self.deed {
            Deed::Connect => "Connect",
            Deed::Disconnect => "Disconnect",
            Deed::MemoryOff => "Switch off",
            Deed::MemoryBack => "Restore",
        }
    }

    /// What is said when it is done.
    pub(super) fn done(&self) -> String {
        let agent = wording::agent(self.kind, &self.name);
        match self.deed {
            Deed::Connect => {
                format!("{agent} is connected. Sessions that start from now on use Coffer.")
            }
            Deed::Disconnect => format!("{agent} is disconnected."),
            Deed::MemoryOff => format!("The own memory of {agent} is off."),
            Deed::MemoryBack => format!("The own memory of {agent} is as it was."),
        }
    }

    /// Asks for it; a trial only says what would change.
    pub(super) async fn send(&self, api: Api, dry_run: bool) -> Result<Outcome, Failure> {
        let address = routes::fill(routes::AGENT, &[&self.name]);
        let off = |off| AgentPatch { disable_native_memory: Some(off), dry_run };
        let reply: AgentOut = match self.deed {
            Deed::Connect => api.post(routes::AGENTS, &self.registration(dry_run)).await?,
            Deed::Disconnect => {
                api.with_body(Method::DELETE, &address, &AgentTrialIn { dry_run }).await?
            }
            Deed::MemoryOff => api.with_body(Method::PATCH, &address, &off(true)).await?,
            Deed::MemoryBack => api.with_body(Method::PATCH, &address, &off(false)).await?,
        };
        Ok(Outcome { diff: reply.diff, notes: reply.notes })
    }

    /// The folder says which agent it is; a new one gets its name from the server.
    fn registration(&self, dry_run: bool) -> AgentIn {
        let config_dir = Some(self.config_dir.clone());
        AgentIn { kind: self.kind, name: None, config_dir, connect: true, dry_run }
    }
}
