//! `coffer memory add`: remembers a fact.

use clap::Args;
use coffer_api::facts::{NewFactIn, RememberedOut};
use coffer_api::routes;
use coffer_client::Method;

use super::address::ToStore;
use crate::cli::Cli;
use crate::commands::text;
use crate::failure::Failure;

/// What to remember, and where.
#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The fact, Markdown; `-` reads stdin
    #[arg(required = true)]
    text: Vec<String>,
    #[command(flatten)]
    into: ToStore,
    /// A short title; the first line serves when absent
    #[arg(long)]
    title: Option<String>,
    /// One line on what it says
    #[arg(long)]
    description: Option<String>,
}

impl Add {
    /// Remembers it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let fact = NewFactIn {
            text: text::given(&self.text)?,
            title: self.title,
            description: self.description,
            origin_session_id: None,
        };
        let client = cli.client()?;
        let path = self.into.path(cli, &client, routes::FACTS)?;
        let remembered: RememberedOut = client.call(Method::POST, &path, &fact)?;
        cli.screen.show(&remembered, |page| {
            page.line(format!("Remembered `{}`.", remembered.fact.title));
            page.fields(&[
                ("id", remembered.fact.id.clone()),
                ("store", remembered.fact.store_name.clone()),
                ("file", remembered.fact.path.clone()),
            ]);
            for similar in &remembered.similar {
                page.line(format!("Says nearly the same: `{}` {}", similar.title, similar.id));
            }
            text::redacted(page, &remembered.redacted);
            if !remembered.indexed {
                page.line("It is written, but not indexed yet; the next recall mends that.");
            }
        })
    }
}
