//! `coffer memory delete | clear`: retires facts. Both ask first.

use clap::Args;
use coffer_api::facts::{ClearedOut, FactOut};
use coffer_api::routes;

use super::address::OfFact;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::confirm;

/// Which fact.
#[derive(Debug, Args)]
pub(crate) struct Delete {
    #[command(flatten)]
    fact: OfFact,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Delete {
    /// Retires it.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.fact.path(cli, &client)?;
        let fact: FactOut = client.get(&path)?;
        confirm(&format!("Delete `{}`?", fact.title), self.yes)?;
        client.delete::<()>(&path)?;
        cli.screen.show(&fact, |page| page.line(format!("Deleted `{}`.", fact.title)))
    }
}

/// Which store.
#[derive(Debug, Args)]
pub(crate) struct Clear {
    /// The store; the one of this directory when absent
    name: Option<String>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Clear {
    /// Retires all its facts.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let store = cli.store(&client, self.name)?;
        confirm(&format!("Delete all facts of `{store}`?"), self.yes)?;
        let cleared: ClearedOut = client.delete(&routes::fill(routes::FACTS, &[&store]))?;
        cli.screen.show(&cleared, |page| page.line(format!("Deleted {} facts.", cleared.cleared)))
    }
}
