//! `coffer memory rules | journal | handoffs | log`: the lanes beside knowledge.

use coffer_api::lanes::{ConsolidationLogOut, HandoffLaneOut, JournalOut, RulesOut};
use coffer_api::routes;

use super::address::OfStore;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::{Page, moment};

/// Shows the rules.
pub(super) fn rules(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let rules: RulesOut = client.get(&store.path(cli, &client, routes::RULES)?)?;
    cli.screen.show(&rules, |page| {
        for file in &rules.files {
            part(page, &file.name, &file.text);
        }
        nothing(page, rules.files.is_empty(), "There are no rules.");
    })
}

/// Shows the journal.
pub(super) fn journal(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let journal: JournalOut = client.get(&store.path(cli, &client, routes::JOURNAL)?)?;
    cli.screen.show(&journal, |page| {
        for day in &journal.files {
            part(page, &day.period, &day.text);
        }
        nothing(page, journal.files.is_empty(), "The journal is empty.");
    })
}

/// Shows the working state of each branch.
pub(super) fn handoffs(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let lane: HandoffLaneOut = client.get(&store.path(cli, &client, routes::STORE_HANDOFF)?)?;
    cli.screen.show(&lane, |page| {
        for scene in &lane.scenes {
            part(page, &format!("{}, {}", scene.branch, moment(&scene.updated_at)), &scene.text);
        }
        nothing(page, lane.scenes.is_empty(), "Nothing was handed off.");
    })
}

/// Shows what was retired and organized.
pub(super) fn log(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
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
