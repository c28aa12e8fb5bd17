//! `coffer memory organize | reorg`.

use clap::Args;
use coffer_api::jobs::JobResult;
use coffer_api::organize::{
    OrganizeOut, OrganizeRehearsalOut, OrganizeStatus, ReorgOut, ReorgStatus, SkippedOut,
};
use coffer_api::routes;
use coffer_client::with_query;

use super::address::OfStore;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress::{self, FIRST};
use crate::render::Page;
use crate::words::counted;

/// Which store, and whether only to look.
#[derive(Debug, Args)]
pub(crate) struct Organize {
    #[command(flatten)]
    store: OfStore,
    /// Only show what the model would be sent
    #[arg(long)]
    dry_run: bool,
}

impl Organize {
    /// Does it.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(routes::STORE_ORGANIZE, &[&cli.store(&client, self.store.name)?]);
        if self.dry_run {
            let path = with_query(&path, &[("dry_run", Some("true".to_owned()))]);
            let would: OrganizeRehearsalOut = client.post(&path)?;
            return cli.screen.show(&would, |page| rehearsal(page, &would));
        }
        let done = progress::follow(&client, client.work(&path, FIRST)?, |result| match result {
            JobResult::Organize(done) => Some(done),
            _ => None,
        })?;
        cli.screen.show(&done, |page| organized(page, &done))
    }
}

/// Lets the engine tidy the topics.
pub(super) fn reorg(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let path = routes::fill(routes::STORE_REORG, &[&cli.store(&client, store.name)?]);
    let done = progress::follow(&client, client.work(&path, FIRST)?, |result| match result {
        JobResult::Reorg(done) => Some(done),
        _ => None,
    })?;
    cli.screen.show(&done, |page| reorganized(page, &done))
}

const NO_MODEL: &str = "No engine is configured; `coffer settings engine set` sets one.";
const UNAVAILABLE: &str = "The model gave no answer; `coffer settings engine test` says more.";
const BUDGET: &str = "Today's tokens are used up; `daily_token_cap` says how many there are.";

fn rehearsal(page: &mut Page, would: &OrganizeRehearsalOut) {
    for question in &would.would_send {
        page.line(format!("{}: about {} tokens", question.item, question.tokens));
        for slug in &question.topics {
            page.line(format!("  with knowledge/{slug}.md"));
        }
        page.block(&question.text);
        page.gap();
    }
    let items = counted(would.would_send.len() as u64, "item", "items");
    page.line(format!("{items}, about {} tokens; nothing was sent.", would.tokens));
}

fn organized(page: &mut Page, done: &OrganizeOut) {
    match done.status {
        OrganizeStatus::NoModel => return page.line(NO_MODEL),
        OrganizeStatus::Empty if done.rules_files_split == 0 => page.line("The inbox is empty."),
        OrganizeStatus::Organized
        | OrganizeStatus::Empty
        | OrganizeStatus::Budget
        | OrganizeStatus::Unavailable => page.line(format!(
            "{} filed: {}, {}, {}.",
            counted(done.items_processed, "item", "items"),
            counted(done.topics_created, "new topic", "new topics"),
            counted(done.topics_updated, "topic updated", "topics updated"),
            counted(done.rules_appended, "new rule", "new rules")
        )),
    }
    if done.rules_files_split > 0 {
        let files = counted(done.rules_files_split, "file of rules", "files of rules");
        page.line(format!("{files} split."));
    }
    if done.skipped > 0 {
        page.line(counted(done.skipped, "stays in the inbox:", "stay in the inbox:"));
    }
    problems(page, &done.problems);
    match done.status {
        OrganizeStatus::Budget => page.line(BUDGET),
        OrganizeStatus::Unavailable => page.line(UNAVAILABLE),
        OrganizeStatus::Organized | OrganizeStatus::Empty | OrganizeStatus::NoModel => {}
    }
}

fn reorganized(page: &mut Page, done: &ReorgOut) {
    match done.status {
        ReorgStatus::NoModel => return page.line(NO_MODEL),
        ReorgStatus::Empty => return page.line("There are no topics."),
        ReorgStatus::Reorganized | ReorgStatus::Budget | ReorgStatus::Unavailable => {}
    }
    page.line(format!(
        "{} topics, {} before: {} written, {} superseded.",
        done.topics_after, done.topics_before, done.topics_written, done.topics_superseded
    ));
    if !done.lost.is_empty() {
        page.line("In no topic any more, but in `superseded/`:");
        for lost in &done.lost {
            page.line(format!("  {lost}"));
        }
    }
    problems(page, &done.problems);
    match done.status {
        ReorgStatus::Budget => page.line(BUDGET),
        ReorgStatus::Unavailable => page.line(UNAVAILABLE),
        ReorgStatus::Reorganized | ReorgStatus::Empty | ReorgStatus::NoModel => {}
    }
}

fn problems(page: &mut Page, problems: &[SkippedOut]) {
    for SkippedOut { item, reason } in problems {
        page.line(format!("  {item}: {reason}"));
    }
}
