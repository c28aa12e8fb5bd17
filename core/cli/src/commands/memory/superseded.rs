//! `coffer memory superseded | restore`: retired versions, and putting one back.

use clap::Args;
use coffer_api::lanes::{RestoreIn, RestoredOut, SupersededOut};
use coffer_api::routes;
use coffer_client::{Method, with_query};

use super::address::OfStore;
use crate::cli::Cli;
use crate::commands::part::Part;
use crate::failure::Failure;
use crate::render::moment;

/// Which of them.
#[derive(Debug, Args)]
pub(crate) struct Superseded {
    #[command(flatten)]
    store: OfStore,
    #[command(flatten)]
    part: Part,
}

impl Superseded {
    /// Lists the retired versions.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.store.path(cli, &client, routes::SUPERSEDED)?;
        let retired: SupersededOut = client.get(&with_query(&path, &self.part.query()))?;
        cli.screen.show(&retired, |page| {
            let row = |file: &coffer_api::lanes::SupersededFileOut| {
                let (origin, title) = (file.origin.clone(), file.title.clone());
                [moment(&file.retired_at), origin, title, file.file.clone()]
            };
            let columns = ["retired", "was", "title", "file"];
            page.table(columns, retired.files.iter().map(row), "Nothing was retired.");
            self.part.more(page, retired.files.len(), retired.total);
        })
    }
}

/// Which version.
#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// Its file, as `coffer memory superseded` names it
    file: String,
    /// The store; the one of this directory when absent
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

impl Restore {
    /// Puts it back.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(routes::RESTORE, &[&cli.store(&client, self.store)?]);
        let asked = RestoreIn { file: self.file, dry_run: self.dry_run };
        let restored: RestoredOut = client.call(Method::POST, &path, &asked)?;
        cli.screen.show(&restored, |page| {
            if self.dry_run {
                return match restored.diff.trim_end() {
                    "" => page.line("Nothing would change."),
                    diff => page.line(diff),
                };
            }
            page.line(format!("Restored {}.", restored.path));
            if let Some(archived) = &restored.archived {
                page.line(format!("What stood there is kept as {archived}."));
            }
        })
    }
}
