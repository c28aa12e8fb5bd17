//! `coffer kb`: knowledge bases and their documents.

mod add;
mod bases;
mod config;
mod documents;
mod edit;
mod questions;
mod sources;

use clap::{Args, Subcommand};
use coffer_api::routes;

use crate::cli::Cli;
use crate::failure::Failure;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Kb {
    /// All knowledge bases
    List,
    /// Make a knowledge base
    Create(config::Create),
    /// One knowledge base
    Describe(OfBase),
    /// Show or change settings and description
    Config(config::Config),
    /// Take files and folders in
    Add(add::Add),
    /// List documents, newest first
    Docs(documents::Docs),
    /// Show a document
    Get(OfDocument),
    /// Change a document's text
    Edit(edit::Edit),
    /// Delete a document, its original and its retired versions, for good
    Delete(documents::Delete),
    /// Look for what the documents say
    Search(questions::Search),
    /// Find lines by a regular expression
    Grep(questions::Grep),
    /// Make a document's Markdown from its original again
    Reconvert(OfDocument),
    /// Take in what stands at a document's source now
    UpdateSource(OfDocument),
    /// Look which sources changed
    CheckSources(OfBase),
    /// Look which sources changed, again and again
    Watch(sources::Watch),
    /// Compare the documents with the index
    Reindex(OfBase),
    /// Counts
    Metrics(OfBase),
    /// Let search use a knowledge base
    Enable(OfBase),
    /// Leave a knowledge base out of search
    Disable(OfBase),
    /// Delete a knowledge base with all its documents, for good
    Drop(bases::Drop),
}

/// Which knowledge base.
#[derive(Debug, Args)]
pub(crate) struct OfBase {
    /// The knowledge base
    name: String,
}

impl OfBase {
    fn path(&self, route: &str) -> String {
        routes::fill(route, &[&self.name])
    }
}

/// Which document.
#[derive(Debug, Args)]
pub(crate) struct OfDocument {
    /// The knowledge base
    name: String,
    /// The document
    id: String,
}

impl OfDocument {
    fn path(&self, route: &str) -> String {
        routes::fill(route, &[&self.name, &self.id])
    }
}

impl Kb {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::List => bases::list(cli),
            Self::Create(create) => create.run(cli),
            Self::Describe(base) => bases::describe(cli, &base),
            Self::Config(config) => config.run(cli),
            Self::Add(add) => add.run(cli),
            Self::Docs(docs) => docs.run(cli),
            Self::Get(document) => documents::get(cli, &document),
            Self::Edit(edit) => edit.run(cli),
            Self::Delete(delete) => delete.run(cli),
            Self::Search(search) => search.run(cli),
            Self::Grep(grep) => grep.run(cli),
            Self::Reconvert(document) => sources::again(cli, &document, routes::DOCUMENT_RECONVERT),
            Self::UpdateSource(document) => sources::again(cli, &document, routes::DOCUMENT_UPDATE),
            Self::CheckSources(base) => sources::check(cli, &base),
            Self::Watch(watch) => watch.run(cli),
            Self::Reindex(base) => bases::reindex(cli, &base),
            Self::Metrics(base) => bases::metrics(cli, &base),
            Self::Enable(base) => bases::set(cli, &base, true),
            Self::Disable(base) => bases::set(cli, &base, false),
            Self::Drop(drop) => drop.run(cli),
        }
    }
}
