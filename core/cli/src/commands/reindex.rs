//! `coffer reindex`: compares files with the index and heals what differs.

use clap::Args;
use coffer_api::routes;
use coffer_api::stores::ReindexOut;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress;

/// Which stores.
#[derive(Debug, Args)]
pub(crate) struct Reindex {
    /// The store; the one of this directory when absent
    #[arg(conflicts_with = "all")]
    name: Option<String>,
    /// All stores
    #[arg(long)]
    all: bool,
}

impl Reindex {
    /// Of one store.
    pub(crate) fn of(name: Option<String>) -> Self {
        Self { name, all: false }
    }

    /// Runs it to its end.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = if self.all {
            routes::REINDEX.to_owned()
        } else {
            routes::fill(routes::STORE_REINDEX, &[&cli.store(&client, self.name)?])
        };
        let report = progress::reindex(&client, &path)?;
        show(cli, &report)
    }
}

/// Says what a reindex did.
pub(super) fn show(cli: &mut Cli, report: &ReindexOut) -> Result<(), Failure> {
    cli.screen.show(report, |page| {
        page.line(format!(
            "{} files looked at, {} indexed anew, {} removed.",
            report.documents_scanned, report.documents_reindexed, report.documents_removed
        ));
        if report.documents_skipped > 0 {
            let skipped = report.documents_skipped;
            page.line(format!("{skipped} could not be read; `coffer doctor` names them."));
        }
        if report.documents_degraded > 0 {
            page.line(format!("{} wait for vectors.", report.documents_degraded));
        }
    })
}
