//! `coffer kb add`: takes files and folders in.

use clap::Args;
use coffer_api::jobs::JobResult;
use coffer_api::kb::{DocumentOut, IngestIn, IngestOut, IngestStatus};
use coffer_api::routes;
use coffer_client::{Client, Work};
use serde::{Deserialize, Serialize};

use super::OfBase;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::Page;
use crate::words::word;
use crate::{here, progress};

/// What is taken in.
#[derive(Debug, Args)]
pub(crate) struct Add {
    #[command(flatten)]
    base: OfBase,
    /// Files and folders; in folders, hidden files and those that `.gitignore` names are passed over
    #[arg(required = true)]
    paths: Vec<String>,
    /// Put other versions of what is there in its place; in folders, edited documents stay
    #[arg(long)]
    replace: bool,
}

/// What became of a path.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Taken {
    File(Box<DocumentOut>),
    Folder(IngestOut),
}

impl Add {
    /// Takes it in, one path after the other; a file that is not taken holds up no other.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let route = self.base.path(routes::DOCUMENTS);
        let client = cli.client()?;
        let (mut all, mut failed) = (Vec::new(), Vec::new());
        for path in &self.paths {
            match take(&client, &route, path, self.replace) {
                Ok(taken) => all.push(taken),
                Err(failure) => {
                    let goes_on = failure.is_about_file();
                    failed.push(failure);
                    if !goes_on {
                        break;
                    }
                }
            }
        }
        match &all[..] {
            [] => {}
            [one] if self.paths.len() == 1 => cli.screen.show(one, |page| lay_out(page, one))?,
            all => cli.screen.show(all, |page| all.iter().for_each(|one| lay_out(page, one)))?,
        }
        let last = failed.pop();
        for failure in failed {
            let _ = failure.report();
        }
        last.map_or(Ok(()), Err)
    }
}

fn take(client: &Client, route: &str, path: &str, replace: bool) -> Result<Taken, Failure> {
    let body = IngestIn { path: here::absolute(path)?, replace: Some(replace) };
    let work: Work<Taken> = client.work_on(route, &body, progress::FIRST)?;
    progress::follow(client, work, |result| {
        if let JobResult::Ingest(done) = result { Some(Taken::Folder(done)) } else { None }
    })
}

fn lay_out(page: &mut Page, taken: &Taken) {
    match taken {
        Taken::File(document) => {
            page.line(format!("`{}` is document {}.", document.title, document.id));
        }
        Taken::Folder(done) => {
            let is_odd = |status| matches!(status, IngestStatus::Skipped | IngestStatus::Failed);
            for file in done.files.iter().filter(|file| is_odd(file.status)) {
                let reason = file.reason.as_deref().unwrap_or_default();
                page.line(format!("{}: {}: {reason}", word(&file.status), file.path));
            }
            page.line(format!(
                "{} ingested, {} unchanged, {} skipped, {} failed.",
                done.ingested, done.unchanged, done.skipped, done.failed
            ));
        }
    }
}
