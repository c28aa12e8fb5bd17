//! `coffer memory rules | journal | handoffs | log`: the lanes beside knowledge, shown, added to,
//! retired.

use clap::{Args, Subcommand};
use coffer_api::lanes::{
    ConsolidationLogOut, HandoffLaneOut, JournalOut, RuleIn, RulesFileOut, RulesOut,
};
use coffer_api::routes;
use coffer_client::{Client, Method};

use super::address::{OfStore, ToStore};
use crate::cli::Cli;
use crate::commands::text;
use crate::failure::Failure;
use crate::render::{Page, confirm, moment};

/// The rules.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Rules {
    #[command(flatten)]
    store: OfStore,
    #[command(subcommand)]
    act: Option<RulesAct>,
}

#[derive(Debug, Subcommand)]
enum RulesAct {
    /// Add a rule
    Add(AddRule),
    /// Retire all rules
    Delete(Retire),
}

/// The rule.
#[derive(Debug, Args)]
struct AddRule {
    /// What to do or not to do; `-` reads it from stdin
    #[arg(required = true)]
    text: Vec<String>,
    #[command(flatten)]
    into: ToStore,
    /// The file below `rules/`, such as `style`
    #[arg(long)]
    file: Option<String>,
}

/// What is retired as a whole.
#[derive(Debug, Args)]
struct Retire {
    #[command(flatten)]
    store: OfStore,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// A part that is retired.
#[derive(Debug, Args)]
struct RetirePart {
    /// Which one: a day as `2026-06-09`, or a branch
    part: String,
    /// The store; the one of this directory when absent
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// The journal.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Journal {
    #[command(flatten)]
    store: OfStore,
    #[command(subcommand)]
    act: Option<PartAct>,
}

/// The working state of each branch.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Handoffs {
    #[command(flatten)]
    store: OfStore,
    #[command(subcommand)]
    act: Option<PartAct>,
}

#[derive(Debug, Subcommand)]
enum PartAct {
    /// Retire one
    Delete(RetirePart),
}

/// The consolidation log.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Log {
    #[command(flatten)]
    store: OfStore,
    #[command(subcommand)]
    act: Option<LogAct>,
}

#[derive(Debug, Subcommand)]
enum LogAct {
    /// Retire the log
    Delete(Retire),
}

impl Rules {
    /// Shows or changes them.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self.act {
            None => show_rules(cli, self.store),
            Some(RulesAct::Add(add)) => add.run(cli),
            Some(RulesAct::Delete(retire)) => retire.run(cli, "all rules", routes::RULES),
        }
    }
}

impl AddRule {
    fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let rule = RuleIn { text: text::given(&self.text)?, file: self.file };
        let client = cli.client()?;
        let path = self.into.path(cli, &client, routes::RULES)?;
        let file: RulesFileOut = client.call(Method::POST, &path, &rule)?;
        cli.screen.show(&file, |page| page.line(format!("Added to {}.", file.path)))
    }
}

impl Journal {
    /// Shows it, or retires a day.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self.act {
            None => show_journal(cli, self.store),
            Some(PartAct::Delete(part)) => part.run(cli, "journal of", routes::JOURNAL_DAY),
        }
    }
}

impl Handoffs {
    /// Shows them, or retires one.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self.act {
            None => show_handoffs(cli, self.store),
            Some(PartAct::Delete(part)) => part.run(cli, "handoff of", routes::HANDOFF_BRANCH),
        }
    }
}

impl Log {
    /// Shows it, or retires it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self.act {
            None => show_log(cli, self.store),
            Some(LogAct::Delete(retire)) => retire.run(cli, "the log", routes::CONSOLIDATION_LOG),
        }
    }
}

impl Retire {
    fn run(self, cli: &mut Cli, what: &str, route: &str) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.store.path(cli, &client, route)?;
        retire(cli, &client, what, &path, self.yes)
    }
}

impl RetirePart {
    fn run(self, cli: &mut Cli, what: &str, route: &str) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(route, &[&cli.store(&client, self.store)?, &self.part]);
        retire(cli, &client, &format!("the {what} {}", self.part), &path, self.yes)
    }
}

fn retire(
    cli: &mut Cli,
    client: &Client,
    what: &str,
    path: &str,
    yes: bool,
) -> Result<(), Failure> {
    confirm(&format!("Delete {what}?"), yes)?;
    client.delete::<()>(path)?;
    cli.screen.show(&(), |page| {
        page.line(format!("Deleted {what}; `coffer memory superseded` has it."));
    })
}

fn show_rules(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let rules: RulesOut = client.get(&store.path(cli, &client, routes::RULES)?)?;
    cli.screen.show(&rules, |page| {
        for file in &rules.files {
            part(page, &file.name, &file.text);
        }
        nothing(page, rules.files.is_empty(), "There are no rules.");
    })
}

fn show_journal(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let journal: JournalOut = client.get(&store.path(cli, &client, routes::JOURNAL)?)?;
    cli.screen.show(&journal, |page| {
        for day in &journal.files {
            part(page, &day.period, &day.text);
        }
        nothing(page, journal.files.is_empty(), "The journal is empty.");
    })
}

fn show_handoffs(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let lane: HandoffLaneOut = client.get(&store.path(cli, &client, routes::STORE_HANDOFF)?)?;
    cli.screen.show(&lane, |page| {
        for scene in &lane.scenes {
            part(page, &format!("{}, {}", scene.branch, moment(&scene.updated_at)), &scene.text);
        }
        nothing(page, lane.scenes.is_empty(), "Nothing was handed off.");
    })
}

fn show_log(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let log: ConsolidationLogOut =
        client.get(&store.path(cli, &client, routes::CONSOLIDATION_LOG)?)?;
    cli.screen.show(&log, |page| match &log.text {
        Some(text) => page.line(text.trim_end()),
        None => page.aside("Nothing was retired or organized."),
    })
}

fn part(page: &mut Page, title: &str, text: &str) {
    page.gap();
    page.heading(title);
    page.line(text.trim_end());
}

fn nothing(page: &mut Page, empty: bool, sentence: &str) {
    if empty {
        page.aside(sentence);
    }
}
