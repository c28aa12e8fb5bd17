//! `coffer purge`: takes a text out of everything, after it was said where it is. Asks first.

use clap::{ArgGroup, Args};
use coffer_api::jobs::JobResult;
use coffer_api::purge::{PurgeIn, PurgeOut, PurgedPlaceOut};
use coffer_api::routes;
use coffer_client::Client;

use super::text;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress;
use crate::render::{Page, confirm};

/// What is purged.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["text", "regex", "secrets"])))]
pub(crate) struct Purge {
    /// This text, letter by letter, at least four characters. `-` reads it from stdin; without a
    /// text it is asked for and not shown, so that no history of a shell keeps it
    #[arg(long = "match", value_name = "TEXT", num_args = 0..=1)]
    text: Option<Option<String>>,
    /// Whatever matches this regular expression
    #[arg(long, value_name = "PATTERN")]
    regex: Option<String>,
    /// All keys, tokens and passwords that are found
    #[arg(long)]
    secrets: bool,
    /// Change nothing, and say where it is
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Purge {
    /// Runs it to its end.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let Self { text, regex, secrets, dry_run, yes } = self;
        let text = text.map(text::hidden).transpose()?;
        let client = cli.client()?;
        let body = PurgeIn { text, regex, secrets, dry_run: true };
        if dry_run || !yes {
            let found = work(&client, &body)?;
            if dry_run || found.places.is_empty() {
                return cli.screen.show(&found, |page| show(page, &found));
            }
            confirm(&question(&found), yes)?;
        }
        let done = work(&client, &PurgeIn { dry_run, ..body })?;
        cli.screen.show(&done, |page| show(page, &done))?;
        if done.remaining > 0 { Err(Failure::Unwell) } else { Ok(()) }
    }
}

fn work(client: &Client, body: &PurgeIn) -> Result<PurgeOut, Failure> {
    let work = client.work_on(routes::PURGE, body, progress::FIRST)?;
    progress::follow(client, work, |result| {
        if let JobResult::Purge(done) = result { Some(done) } else { None }
    })
}

fn question(found: &PurgeOut) -> String {
    let files = |deleted| found.places.iter().filter(move |row| row.deleted == deleted);
    let files = |deleted| files(deleted).map(|row| row.files).sum::<u64>();
    let (changed, times) = (files(false), found.remaining);
    let also = match files(true) {
        0 => String::new(),
        old => format!(", and delete {old} files of old databases, which may hold more"),
    };
    format!(
        "Take out {times} occurrences in {changed} files for good, with no copy of them kept{also}?"
    )
}

fn show(page: &mut Page, done: &PurgeOut) {
    let rows = done
        .places
        .iter()
        .map(|row| [place(row), row.files.to_string(), row.occurrences.to_string()]);
    page.table(["place", "files", "times"], rows, "It is nowhere in what Coffer keeps.");
    for row in &done.unreachable {
        page.line(format!("not reached: {}: {}", row.path, row.reason));
    }
    if !done.dry_run {
        page.line(format!("Looked again at everything: {} are left.", done.remaining));
    }
}

fn place(row: &PurgedPlaceOut) -> String {
    if row.deleted { format!("{}, deleted whole", row.place) } else { row.place.clone() }
}
