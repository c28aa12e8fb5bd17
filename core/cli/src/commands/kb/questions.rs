//! `coffer kb search | grep`.

use clap::Args;
use coffer_api::kb::{GrepIn, GrepOut, KbSearchIn, PassagesOut};
use coffer_api::routes;
use coffer_client::Method;

use super::OfBase;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::Page;

/// The question.
#[derive(Debug, Args)]
pub(crate) struct Search {
    #[command(flatten)]
    base: OfBase,
    /// What to look for
    #[arg(required = true)]
    query: Vec<String>,
    /// How many answers, 1 to 20
    #[arg(long)]
    top_k: Option<u32>,
}

impl Search {
    /// Asks.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let body = KbSearchIn { query: self.query.join(" "), top_k: self.top_k };
        let path = self.base.path(routes::KB_SEARCH);
        let found: PassagesOut = cli.client()?.call(Method::POST, &path, &body)?;
        cli.screen.show(&found, |page| lay_out(page, &found))
    }
}

fn lay_out(page: &mut Page, found: &PassagesOut) {
    for (at, passage) in found.passages.iter().enumerate() {
        let heading = Some(&passage.heading_path).filter(|path| !path.is_empty());
        let heading = heading.map(|path| format!(" · {path}")).unwrap_or_default();
        page.gap();
        page.heading(format!("{}. {}{heading}", at + 1, passage.title));
        page.block(&passage.text);
        let (first, last) = (passage.line_start, passage.line_end);
        page.aside(format!("   {}  {}:{first}-{last}", passage.document_id, passage.path));
    }
    if found.passages.is_empty() {
        page.aside("The documents say nothing about that.");
    }
    if let Some(note) = &found.note {
        page.aside(note);
    }
}

/// The pattern.
#[derive(Debug, Args)]
pub(crate) struct Grep {
    #[command(flatten)]
    base: OfBase,
    /// A regular expression
    pattern: String,
    /// How many lines, 1 to 1000
    #[arg(long)]
    max_matches: Option<u32>,
    /// Letters match in their own case only
    #[arg(long, conflicts_with = "ignore_case")]
    case_sensitive: bool,
    /// Letters match in either case
    #[arg(long)]
    ignore_case: bool,
}

impl Grep {
    /// Looks.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let case_sensitive = match (self.case_sensitive, self.ignore_case) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let body = GrepIn { pattern: self.pattern, max_matches: self.max_matches, case_sensitive };
        let path = self.base.path(routes::KB_GREP);
        let found: GrepOut = cli.client()?.call(Method::POST, &path, &body)?;
        cli.screen.show(&found, |page| {
            for hit in &found.hits {
                page.line(format!("{}:{}: {}", hit.path, hit.line_number, hit.line));
            }
            match (found.hits.is_empty(), found.truncated) {
                (true, false) => page.aside("No line matches."),
                (_, true) => page.aside("There may be more; `--max-matches` shows more."),
                (false, false) => {}
            }
            found.note.iter().for_each(|note| page.aside(note));
        })
    }
}
