//! `coffer mcp`: the bridge for agents that spawn their MCP servers.

use std::path::PathBuf;

use clap::Args;
use coffer_client::Starter;
use coffer_client::shim::{self, Options};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::here;

/// For whom.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// The agent's name, instead of the one that it gives itself
    #[arg(long)]
    agent: Option<String>,
}

impl Mcp {
    /// Serves until the agent is done. Only JSON-RPC goes to stdout, and not through the screen.
    pub(crate) fn run(self, cli: &Cli) -> Result<(), Failure> {
        shim::serve(Options {
            home: cli.home.clone(),
            starter: Starter::sibling()?,
            cwd: here::directory().ok().map(PathBuf::from),
            agent: self.agent,
        });
        Ok(())
    }
}
