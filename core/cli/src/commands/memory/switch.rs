//! `coffer memory enable | disable | drop`: a store as a whole.

use clap::Args;
use coffer_api::resources::ResourceOut;
use coffer_api::routes;
use coffer_api::stores::MemoryStoreOut;
use coffer_client::Method;

use super::address::OfStore;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::confirm;

/// Lets recall, search and injection use a store, or leave it out.
pub(super) fn set(cli: &mut Cli, store: OfStore, enabled: bool) -> Result<(), Failure> {
    let client = cli.client()?;
    let name = cli.store(&client, store.name)?;
    let route = if enabled { routes::RESOURCE_ENABLE } else { routes::RESOURCE_DISABLE };
    let path = routes::fill(route, &["memory", &name]);
    let resource: ResourceOut = client.call(Method::POST, &path, &serde_json::json!({}))?;
    cli.screen.show(&resource, |page| {
        let does = if enabled { "takes part in" } else { "is left out of" };
        page.line(format!("`{name}` {does} recall, search and injection."));
    })
}

/// Which store.
#[derive(Debug, Args)]
pub(crate) struct Drop {
    /// The store, by its name
    name: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Drop {
    /// Deletes it with all its lanes.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(routes::STORE, &[&self.name]);
        let store: MemoryStoreOut = client.get(&path)?;
        let question = format!(
            "Move `{}` with its {} facts and all lanes to the trash?",
            store.display_name, store.fact_count
        );
        confirm(&question, self.yes)?;
        client.delete::<()>(&path)?;
        cli.screen.show(&store, |page| {
            page.line(format!("`{}` is in the trash.", store.display_name));
        })
    }
}
