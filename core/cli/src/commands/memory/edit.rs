//! `coffer memory edit`: changes a fact, by arguments or in an editor.

use clap::Args;
use coffer_api::facts::{FactOut, FactPatch};
use coffer_client::{Client, Method};

use super::address::OfFact;
use super::facts;
use crate::cli::Cli;
use crate::commands::draft::{self, Draft};
use crate::commands::text;
use crate::failure::Failure;

/// The change.
#[derive(Debug, Args)]
#[group(id = "change", required = true, multiple = true, args = ["text", "title", "description", "editor"])]
pub(crate) struct Edit {
    #[command(flatten)]
    fact: OfFact,
    /// The new text; `-` reads stdin
    #[arg(long, conflicts_with = "editor")]
    text: Option<String>,
    /// The new title
    #[arg(long)]
    title: Option<String>,
    /// The new description; empty removes it
    #[arg(long)]
    description: Option<String>,
    /// Change the text in your editor
    #[arg(long)]
    editor: bool,
    /// Only if the file still has this hash
    #[arg(long, value_name = "HASH")]
    if_sha256: Option<String>,
}

impl Edit {
    /// Makes the change.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.fact.path(cli, &client)?;
        let patch = FactPatch {
            text: self.text.map(|text| text::given(&[text])).transpose()?,
            title: self.title,
            description: self.description,
            if_sha256: self.if_sha256,
        };
        let fact = if self.editor {
            in_editor(&client, &path, patch)?
        } else {
            client.call(Method::PATCH, &path, &patch)?
        };
        cli.screen.show(&fact, |page| facts::lay_out(page, &fact))
    }
}

/// Changes the text as the person does in the editor; what they typed outlives every failure.
fn in_editor(client: &Client, path: &str, mut patch: FactPatch) -> Result<FactOut, Failure> {
    let fact: FactOut = client.get(path)?;
    let editor = draft::program(client)?;
    let draft = Draft::of(&fact.text)?;
    let changed = draft.edited(&editor).and_then(|text| {
        patch.text = Some(text);
        // What somebody else wrote meanwhile is not overwritten.
        patch.if_sha256.get_or_insert(fact.content_sha256);
        Ok(client.call(Method::PATCH, path, &patch)?)
    });
    changed.map_err(|failure| draft.outlives(failure))
}
