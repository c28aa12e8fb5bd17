//! `coffer memory`: stores, their facts and lanes.

mod add;
mod address;
mod config;
mod edit;
mod facts;
mod label;
mod lanes;
mod recall;
mod remove;
mod stores;

use clap::Subcommand;

use super::reindex;
use crate::cli::Cli;
use crate::failure::Failure;

/// What to do. A store that is not named is the one of this directory.
#[derive(Debug, Subcommand)]
pub(crate) enum Memory {
    /// All stores
    List,
    /// One store
    Describe(address::OfStore),
    /// Remember a fact
    Add(add::Add),
    /// List facts, newest first
    Facts(facts::Facts),
    /// Show a fact
    Get(address::OfFact),
    /// Change a fact
    Edit(edit::Edit),
    /// Retire a fact
    Delete(remove::Delete),
    /// Retire all facts of a store
    Clear(remove::Clear),
    /// Look for what is known
    Recall(recall::Recall),
    /// Compare a store's files with the index
    Reindex(address::OfStore),
    /// The rules of a store
    Rules(address::OfStore),
    /// The journal of a store, newest day first
    Journal(address::OfStore),
    /// The working state saved for each branch
    Handoffs(address::OfStore),
    /// What was retired and organized
    Log(address::OfStore),
    /// Name a store
    Label(label::Label),
    /// Counts of a store
    Metrics(address::OfStore),
    /// Show or change a store's settings
    Config(config::Config),
}

impl Memory {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::List => stores::list(cli),
            Self::Describe(store) => stores::describe(cli, store),
            Self::Add(add) => add.run(cli),
            Self::Facts(facts) => facts.run(cli),
            Self::Get(fact) => facts::get(cli, &fact),
            Self::Edit(edit) => edit.run(cli),
            Self::Delete(delete) => delete.run(cli),
            Self::Clear(clear) => clear.run(cli),
            Self::Recall(recall) => recall.run(cli),
            Self::Reindex(store) => reindex::Reindex::of(store.name).run(cli),
            Self::Rules(store) => lanes::rules(cli, store),
            Self::Journal(store) => lanes::journal(cli, store),
            Self::Handoffs(store) => lanes::handoffs(cli, store),
            Self::Log(store) => lanes::log(cli, store),
            Self::Label(label) => label.run(cli),
            Self::Metrics(store) => stores::metrics(cli, store),
            Self::Config(config) => config.run(cli),
        }
    }
}
