//! `coffer memory merge-scan | merge`: stores of one project that became two.

use std::time::Duration;

use clap::Args;
use coffer_api::merge::{MergeEvidenceOut, MergeIn, MergeOut, MergeScanOut};
use coffer_api::routes;
use coffer_api::stores::MemoryStoreOut;
use coffer_client::{Client, Method};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress;
use crate::render::{Page, confirm};
use crate::words::word;

/// A model may judge for a hundred seconds.
const PATIENCE: Duration = Duration::from_mins(2);

/// Shows which stores may be one project's.
pub(super) fn scan(cli: &mut Cli) -> Result<(), Failure> {
    let client = cli.client()?.within(PATIENCE);
    let found: MergeScanOut =
        progress::meanwhile("comparing stores", || client.post(routes::MERGE_SCAN))?;
    cli.screen.show(&found, |page| {
        for proposal in &found.proposals {
            page.heading(format!("{}: {}", word(&proposal.confidence), proposal.reason));
            side(page, "from", &proposal.source, &proposal.source_evidence);
            side(page, "into", &proposal.target, &proposal.target_evidence);
        }
        if found.truncated {
            page.line(
                "Not every pair was judged: there are too many, or the model gave no answer.",
            );
        }
        page.aside(if found.proposals.is_empty() {
            "No two stores seem to be one project's."
        } else {
            "`coffer memory merge FROM INTO` merges two."
        });
    })
}

fn side(page: &mut Page, name: &str, store: &str, evidence: &MergeEvidenceOut) {
    let root = match &evidence.project_root {
        Some(root) if evidence.root_exists => root.clone(),
        Some(root) => format!("{root} (gone)"),
        None => String::new(),
    };
    page.fields(&[
        (name, store.to_owned()),
        ("name", evidence.display_name.clone()),
        ("project", root),
        ("facts", evidence.fact_count.to_string()),
        ("newest", evidence.titles.join("; ")),
    ]);
}

/// Which stores.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The store that goes
    source: String,
    /// The store that takes it in
    target: String,
    /// Leave the facts as they are, even if a model could put them in order
    #[arg(long)]
    no_organize: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Merge {
    /// Merges them.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let question = format!(
            "Merge {} into {}? The first one is gone then.",
            shown(&client, &self.source)?,
            shown(&client, &self.target)?
        );
        confirm(&question, self.yes)?;
        let organize = self.no_organize.then_some(false);
        let merge = MergeIn { source: self.source, target: self.target, organize };
        let merged: MergeOut = client.call(Method::POST, routes::MERGE, &merge)?;
        cli.screen.show(&merged, |page| {
            page.line(format!("Merged {} files into `{}`.", merged.merged_files, merged.target));
        })
    }
}

/// A store as a person knows it.
fn shown(client: &Client, name: &str) -> Result<String, Failure> {
    let store: MemoryStoreOut = client.get(&routes::fill(routes::STORE, &[name]))?;
    Ok(format!("`{}` ({} facts, `{name}`)", store.display_name, store.fact_count))
}
