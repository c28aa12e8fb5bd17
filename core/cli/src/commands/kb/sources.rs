//! `coffer kb reconvert | update-source | check-sources | watch`.

use std::thread;
use std::time::Duration;

use clap::Args;
use coffer_api::kb::{DocumentOut, SourceStatus, SourcesOut};
use coffer_api::routes;
use coffer_client::Client;

use super::{OfBase, OfDocument, documents};
use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress;
use crate::words::word;

/// Checking many sources may take so long.
const PATIENCE: Duration = Duration::from_mins(10);

/// Makes a document from its original, or its source, again.
pub(super) fn again(cli: &mut Cli, document: &OfDocument, route: &str) -> Result<(), Failure> {
    let client = cli.client()?.within(PATIENCE);
    let path = document.path(route);
    let done: DocumentOut = progress::meanwhile("converting", || client.post(&path))?;
    cli.screen.show(&done, |page| documents::lay_out(page, &done))
}

/// Looks which sources changed.
pub(super) fn check(cli: &mut Cli, base: &OfBase) -> Result<(), Failure> {
    let found = look(&cli.client()?, base)?;
    cli.screen.show(&found, |page| {
        let rows = found.documents.iter().map(|document| {
            [word(&document.status), document.id.clone(), document.source_path.clone()]
        });
        let nothing = "No document was taken in by its path.";
        page.table(["status", "document", "source"], rows, nothing);
    })
}

fn look(client: &Client, base: &OfBase) -> Result<SourcesOut, Failure> {
    let (client, path) = (client.within(PATIENCE), base.path(routes::KB_CHECK_SOURCES));
    Ok(progress::meanwhile("looking at the sources", || client.post(&path))?)
}

/// Which knowledge base, and how often.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    base: OfBase,
    /// Seconds between two looks
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

impl Watch {
    /// Looks until it is interrupted; shows what is not as it was taken in.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let mut shown: Option<SourcesOut> = None;
        loop {
            match self.changed(cli) {
                Ok(found) => {
                    if shown.as_ref() != Some(&found) {
                        tell(cli, &found)?;
                    }
                    shown = Some(found);
                }
                // Coffer is being restarted.
                Err(failure) if shown.is_some() && !failure.is_an_answer() => {}
                Err(failure) => return Err(failure),
            }
            thread::sleep(Duration::from_secs(self.every));
        }
    }

    fn changed(&self, cli: &Cli) -> Result<SourcesOut, Failure> {
        let mut found = look(&cli.client()?, &self.base)?;
        found.documents.retain(|document| document.status != SourceStatus::Unchanged);
        Ok(found)
    }
}

fn tell(cli: &mut Cli, found: &SourcesOut) -> Result<(), Failure> {
    if found.documents.is_empty() {
        return Ok(());
    }
    cli.screen.show(found, |page| {
        for document in &found.documents {
            page.line(format!("{}: {}", word(&document.status), document.source_path));
        }
    })
}
