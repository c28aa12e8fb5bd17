//! Which store, which fact.

use clap::Args;
use coffer_api::routes;
use coffer_client::Client;

use crate::cli::Cli;
use crate::failure::Failure;

/// A store.
#[derive(Debug, Args)]
pub(crate) struct OfStore {
    /// The store; the one of this directory when absent
    pub(super) name: Option<String>,
}

impl OfStore {
    /// A route of the store.
    pub(super) fn path(self, cli: &Cli, client: &Client, route: &str) -> Result<String, Failure> {
        Ok(routes::fill(route, &[&cli.store(client, self.name)?]))
    }
}

/// The store that something is written to.
#[derive(Debug, Args)]
pub(super) struct ToStore {
    /// The store; the one of this directory when absent
    #[arg(long, value_name = "STORE", conflicts_with = "global")]
    store: Option<String>,
    /// The global store: for everything, not for this project
    #[arg(long)]
    global: bool,
}

impl ToStore {
    /// A route of the store.
    pub(super) fn path(self, cli: &Cli, client: &Client, route: &str) -> Result<String, Failure> {
        let named = if self.global { Some("global".to_owned()) } else { self.store };
        Ok(routes::fill(route, &[&cli.store(client, named)?]))
    }
}

/// A fact.
#[derive(Debug, Args)]
pub(crate) struct OfFact {
    /// The store, which is the one of this directory when absent, and the fact's id
    #[arg(value_names = ["STORE", "ID"], num_args = 1..=2, required = true)]
    address: Vec<String>,
}

impl OfFact {
    /// The route of the fact.
    pub(super) fn path(&self, cli: &Cli, client: &Client) -> Result<String, Failure> {
        let (store, id) = match self.address.as_slice() {
            [store, id] => (cli.store(client, Some(store.clone()))?, id),
            [id] => (cli.store(client, None)?, id),
            _ => return Err(Failure::usage("a fact is named by its store and its id")),
        };
        Ok(routes::fill(routes::FACT, &[&store, id]))
    }
}
