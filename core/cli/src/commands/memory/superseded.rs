//! `coffer memory superseded | restore`: retired versions, and putting one back.

use clap::Args;
use coffer_api::lanes::{RestoreIn, RestoredOut, SupersededOut};
use coffer_api::routes;
use coffer_client::Method;

use super::address::OfStore;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::moment;

/// Lists the retired versions.
pub(super) fn list(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let retired: SupersededOut = client.get(&store.path(cli, &client, routes::SUPERSEDED)?)?;
    cli.screen.show(&retired, |page| {
        let row = |file: &coffer_api::lanes::SupersededFileOut| {
            [moment(&file.retired_at), file.origin.clone(), file.title.clone(), file.file.clone()]
        };
        let columns = ["retired", "was", "title", "file"];
        page.table(columns, retired.files.iter().map(row), "Nothing was retired.");
    })
}

/// Which version.
#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// Its file, as `coffer memory superseded` names it
    file: String,
    /// The store; the one of this directory when absent
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
}

impl Restore {
    /// Puts it back.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(routes::RESTORE, &[&cli.store(&client, self.store)?]);
        let restored: RestoredOut =
            client.call(Method::POST, &path, &RestoreIn { file: self.file })?;
        cli.screen.show(&restored, |page| {
            page.line(format!("Restored {}.", restored.path));
            if let Some(archived) = &restored.archived {
                page.line(format!("What stood there is kept as {archived}."));
            }
        })
    }
}
