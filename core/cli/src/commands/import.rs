//! `coffer import`: an archive, or what another program remembers.

use clap::Args;
use coffer_api::jobs::JobResult;
use coffer_api::routes;
use coffer_api::transfer::{ImportFormat, ImportIn, ImportOut};

use super::text;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::Page;
use crate::words::{parse, word};
use crate::{here, progress};

/// What is imported, and how.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// An archive of `coffer export`, a memory folder of Claude Code or Codex, a `memory.jsonl`,
    /// or a folder of Markdown notes
    path: String,
    /// What it is: coffer, claude-code, codex, mcp-memory or markdown; judged by its files when
    /// absent
    #[arg(long, value_parser = parse::<ImportFormat>)]
    format: Option<ImportFormat>,
    /// Of an archive: only this store, or `knowledge_base:NAME`; else the store that takes the memories, which is the one of
    /// this directory when absent
    #[arg(long)]
    store: Option<String>,
    /// Write nothing, and list what would become of each file
    #[arg(long)]
    dry_run: bool,
}

impl Import {
    /// Runs it to its end.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let Self { path, format, store, dry_run } = self;
        let path = here::absolute(&path)?;
        let cwd = Some(here::directory()?);
        let body = ImportIn { path, format, store, cwd, dry_run };
        let client = cli.client()?;
        let work = client.work_on(routes::IMPORT, &body, progress::FIRST)?;
        let done = progress::follow(&client, work, |result| {
            if let JobResult::Import(done) = result { Some(done) } else { None }
        })?;
        cli.screen.show(&done, |page| show(page, &done))
    }
}

fn show(page: &mut Page, done: &ImportOut) {
    if done.dry_run {
        let rows = done.files.iter().map(|file| {
            [word(&file.outcome), file.from.clone(), file.store.clone(), file.path.clone()]
        });
        page.table(["outcome", "from", "store", "to"], rows, "Nothing to import.");
        if done.files_more > 0 {
            page.line(format!("… and {} more.", done.files_more));
        }
    }
    let (verb, skipped) = (if done.dry_run { "would be " } else { "" }, total(done));
    page.line(format!(
        "{}: {} {verb}added, {} {verb}the same, {} {verb}put beside others, {skipped} left out.",
        word(&done.format),
        done.added,
        done.same,
        done.conflicting
    ));
    text::redacted(page, &done.redacted);
    super::left_out(page, &done.skipped, done.skipped_more);
}

fn total(done: &ImportOut) -> u64 {
    done.skipped.len() as u64 + done.skipped_more
}
