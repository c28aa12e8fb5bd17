//! `coffer memory`: stores, their facts and lanes.

mod add;
mod address;
mod config;
mod edit;
mod facts;
mod label;
mod lanes;
mod merge;
mod organize;
mod recall;
mod remove;
mod stores;
mod superseded;
mod switch;

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
    /// The rules of a store; `add` adds one, `delete` retires all
    Rules(lanes::Rules),
    /// The journal of a store, newest day first; `delete` retires a day
    Journal(lanes::Journal),
    /// The working state saved for each branch; `delete` retires one
    Handoffs(lanes::Handoffs),
    /// What was retired and organized; `delete` retires the log
    Log(lanes::Log),
    /// Retired versions, the latest first
    Superseded(superseded::Superseded),
    /// Put a retired version back
    Restore(superseded::Restore),
    /// Let recall, search and injection use a store
    Enable(address::OfStore),
    /// Leave a store out of recall, search and injection
    Disable(address::OfStore),
    /// Delete a store with all its lanes, into the trash
    Drop(switch::Drop),
    /// Name a store
    Label(label::Label),
    /// Counts of a store
    Metrics(address::OfStore),
    /// Find stores that may be one project's
    MergeScan,
    /// Merge a store into another one
    Merge(merge::Merge),
    /// File the inbox into topics and rules, by the engine
    Organize(organize::Organize),
    /// Tidy the topics, by the engine
    Reorg(address::OfStore),
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
            Self::Rules(rules) => rules.run(cli),
            Self::Journal(journal) => journal.run(cli),
            Self::Handoffs(handoffs) => handoffs.run(cli),
            Self::Log(log) => log.run(cli),
            Self::Superseded(list) => list.run(cli),
            Self::Restore(restore) => restore.run(cli),
            Self::Enable(store) => switch::set(cli, store, true),
            Self::Disable(store) => switch::set(cli, store, false),
            Self::Drop(drop) => drop.run(cli),
            Self::Label(label) => label.run(cli),
            Self::Metrics(store) => stores::metrics(cli, store),
            Self::MergeScan => merge::scan(cli),
            Self::Merge(merge) => merge.run(cli),
            Self::Organize(organize) => organize.run(cli),
            Self::Reorg(store) => organize::reorg(cli, store),
            Self::Config(config) => config.run(cli),
        }
    }
}
