//! `coffer kb docs | get | delete`.

use clap::Args;
use coffer_api::kb::{DocumentOut, DocumentTextOut, DocumentsOut};
use coffer_api::routes;
use coffer_client::with_query;

use super::{OfBase, OfDocument};
use crate::cli::Cli;
use crate::commands::part::Part;
use crate::failure::Failure;
use crate::render::{Page, confirm, moment};
use crate::words::word;

/// Which documents.
#[derive(Debug, Args)]
pub(crate) struct Docs {
    #[command(flatten)]
    base: OfBase,
    #[command(flatten)]
    part: Part,
    /// Only documents whose title or description holds this
    #[arg(short)]
    query: Option<String>,
}

impl Docs {
    /// Lists them.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let [limit, offset] = self.part.query();
        let path =
            with_query(&self.base.path(routes::DOCUMENTS), &[limit, offset, ("q", self.query)]);
        let found: DocumentsOut = cli.client()?.get(&path)?;
        cli.screen.show(&found, |page| {
            let rows = found.documents.iter().map(row);
            let headers = ["id", "title", "from", "", "changed"];
            page.table(headers, rows, "There are no documents here.");
            self.part.more(page, found.documents.len(), found.total);
        })
    }
}

fn row(document: &DocumentOut) -> [String; 5] {
    [
        document.id.clone(),
        document.title.clone(),
        document.metadata.original_filename.clone().unwrap_or_default(),
        word(&document.source_mode),
        moment(&document.updated_at),
    ]
}

/// Shows one document.
pub(super) fn get(cli: &mut Cli, document: &OfDocument) -> Result<(), Failure> {
    let found: DocumentTextOut = cli.client()?.get(&document.path(routes::DOCUMENT))?;
    cli.screen.show(&found, |page| {
        lay_out(page, &found.document);
        page.gap();
        page.line(&found.markdown);
    })
}

/// Lays out what is known of a document.
pub(super) fn lay_out(page: &mut Page, document: &DocumentOut) {
    let from = document.metadata.clone();
    page.heading(&document.title);
    page.fields(&[
        ("document", document.id.clone()),
        ("description", document.description.clone().unwrap_or_default()),
        ("text", word(&document.source_mode)),
        ("file", document.path.clone()),
        ("original", from.original_filename.unwrap_or_default()),
        ("format", from.original_format.unwrap_or_default()),
        ("source", from.source_path.unwrap_or_default()),
        ("converter", from.conversion_engine.unwrap_or_default()),
        ("passages", document.chunk_count.to_string()),
        ("hash", document.content_sha256.clone()),
        ("created", moment(&document.created_at)),
        ("changed", moment(&document.updated_at)),
    ]);
}

/// Which document.
#[derive(Debug, Args)]
pub(crate) struct Delete {
    #[command(flatten)]
    document: OfDocument,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Delete {
    /// Deletes it.
    pub(super) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.document.path(routes::DOCUMENT);
        let DocumentTextOut { document, .. } = client.get(&path)?;
        confirm(&format!("Delete `{}` and its original, for good?", document.title), self.yes)?;
        client.delete::<()>(&path)?;
        cli.screen.show(&document, |page| page.line(format!("Deleted `{}`.", document.title)))
    }
}
