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
