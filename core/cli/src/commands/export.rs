//! `coffer export`: stores and knowledge bases as one archive.

use clap::Args;
use coffer_api::jobs::JobResult;
use coffer_api::routes;
use coffer_api::transfer::{ExportIn, ExportOut};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::Page;
use crate::{here, progress};

/// What is exported, and to where.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Stores, and knowledge bases as `knowledge_base:NAME`; all when none is named
    #[arg(value_name = "STORE")]
    stores: Vec<String>,
    /// The archive, a gzipped tar
    #[arg(long, value_name = "FILE")]
    to: String,
    /// Replace a file that is there already
    #[arg(long)]
    replace: bool,
}

impl Export {
    /// Runs it to its end.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let Self { stores, to, replace } = self;
        let body = ExportIn { path: here::absolute(&to)?, stores, replace };
        let client = cli.client()?;
        let work = client.work_on(routes::EXPORT, &body, progress::FIRST)?;
        let done = progress::follow(&client, work, |result| {
            if let JobResult::Export(done) = result { Some(done) } else { None }
        })?;
        cli.screen.show(&done, |page| show(page, &done))
    }
}

fn show(page: &mut Page, done: &ExportOut) {
    let ExportOut { path, stores, files, bytes, skipped, skipped_more } = done;
    page.line(format!(
        "{files} files of {stores} stores and knowledge bases, {bytes} bytes: {path}"
    ));
    super::left_out(page, skipped, *skipped_more);
}
