//! `coffer memory recall`: looks for what is known.

use clap::Args;
use coffer_api::recall::{Hit, Mode, RecallIn, RecallOut, RecallScope};
use coffer_api::routes;
use coffer_client::Method;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::{Page, moment};
use crate::words::{self, word};

/// The question.
#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// What to look for
    #[arg(required = true)]
    query: Vec<String>,
    /// The store; that of this directory and the global one when absent
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// `project`, `global` or `both`
    #[arg(long, value_parser = words::parse::<RecallScope>)]
    scope: Option<RecallScope>,
    /// `grep`, `keyword`, `vector` or `hybrid`
    #[arg(long, value_parser = words::parse::<Mode>)]
    mode: Option<Mode>,
    /// How many answers, 1 to 20
    #[arg(long)]
    top_k: Option<u32>,
}

impl Recall {
    /// Asks.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        // As an agent here would be answered.
        let everything = self.store.is_none().then_some(RecallScope::Both);
        let path = routes::fill(routes::RECALL, &[&cli.store(&client, self.store)?]);
        let question = RecallIn {
            query: self.query.join(" "),
            scope: self.scope.or(everything),
            mode: self.mode,
            top_k: self.top_k,
        };
        let recalled: RecallOut = client.call(Method::POST, &path, &question)?;
        cli.screen.show(&recalled, |page| lay_out(page, &recalled))
    }
}

fn lay_out(page: &mut Page, recalled: &RecallOut) {
    for (number, hit) in recalled.hits.iter().enumerate() {
        page.gap();
        lay_out_hit(page, number + 1, hit);
    }
    if recalled.hits.is_empty() {
        page.aside("Nothing is known about that.");
    }
    if recalled.fallback {
        page.aside(format!(
            "That mode cannot be had here; searched by `{}`.",
            word(&recalled.mode)
        ));
    }
    if let Some(note) = &recalled.note {
        page.aside(note);
    }
}

fn lay_out_hit(page: &mut Page, number: usize, hit: &Hit) {
    page.heading(format!("{number}. {}", hit.title));
    page.block(&hit.text);
    page.aside(format!("   {}  {}  {}", hit.id, moment(&hit.time), hit.source));
}
