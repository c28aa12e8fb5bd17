//! `coffer kb edit`: changes a document's text, by an argument or in an editor.

use clap::Args;
use coffer_api::kb::{DocumentOut, DocumentPut, DocumentTextOut};
use coffer_api::routes;
use coffer_client::{Client, Method};

use super::{OfDocument, documents};
use crate::cli::Cli;
use crate::commands::draft::{self, Draft};
use crate::commands::text;
use crate::failure::Failure;

/// The change.
#[derive(Debug, Args)]
#[group(id = "new_text", required = true, args = ["text", "editor"])]
pub(crate) struct Edit {
    #[command(flatten)]
    document: OfDocument,
    /// The new text; `-` reads stdin
    #[arg(long)]
    text: Option<String>,
    /// Change the text in your editor
    #[arg(long)]
    editor: bool,
    /// Only if the file still has this hash
    #[arg(long, value_name = "HASH")]
    if_sha256: Option<String>,
}

impl Edit {
    /// Makes the change.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.document.path(routes::DOCUMENT);
        let document: DocumentOut = match self.text {
            Some(text) => {
                let markdown = text::given(&[text])?;
                let body = DocumentPut { markdown, if_sha256: self.if_sha256 };
                client.call(Method::PUT, &path, &body)?
            }
            None => in_editor(&client, &path, self.if_sha256)?,
        };
        cli.screen.show(&document, |page| documents::lay_out(page, &document))
    }
}

/// Changes the text as the person does in the editor; what they typed outlives every failure.
fn in_editor(
    client: &Client,
    path: &str,
    if_sha256: Option<String>,
) -> Result<DocumentOut, Failure> {
    let DocumentTextOut { document, markdown } = client.get(path)?;
    let editor = draft::program(client)?;
    let draft = Draft::of(&markdown)?;
    let changed = draft.edited(&editor).and_then(|markdown| {
        // What somebody else wrote meanwhile is not overwritten.
        let if_sha256 = Some(if_sha256.unwrap_or(document.content_sha256));
        Ok(client.call(Method::PUT, path, &DocumentPut { markdown, if_sha256 })?)
    });
    changed.map_err(|failure| draft.outlives(failure))
}
