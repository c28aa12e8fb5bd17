//! `coffer memory facts | get`.

use clap::Args;
use coffer_api::facts::{FactOut, FactsOut};
use coffer_api::routes;
use coffer_client::with_query;

use super::address::OfFact;
use crate::cli::Cli;
use crate::commands::part::Part;
use crate::failure::Failure;
use crate::render::{Page, moment};
use crate::words::word;

/// Which facts.
#[derive(Debug, Args)]
pub(crate) struct Facts {
    /// The store; the one of this directory when absent
    name: Option<String>,
    #[command(flatten)]
    part: Part,
    /// Only facts whose title or description holds this
    #[arg(short)]
    query: Option<String>,
}

impl Facts {
    /// Lists them.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(routes::FACTS, &[&cli.store(&client, self.name)?]);
        let [limit, offset] = self.part.query();
        let query = [limit, offset, ("q", self.query)];
        let facts: FactsOut = client.get(&with_query(&path, &query))?;
        cli.screen.show(&facts, |page| {
            let rows = facts.facts.iter().map(row);
            page.table(["id", "title", "by", "changed"], rows, "There are no facts here.");
            self.part.more(page, facts.facts.len(), facts.total);
        })
    }
}

fn row(fact: &FactOut) -> [String; 4] {
    [fact.id.clone(), fact.title.clone(), by(fact), moment(&fact.updated_at)]
}

fn by(fact: &FactOut) -> String {
    fact.agent.clone().unwrap_or_else(|| word(&fact.actor))
}

/// Shows one fact.
pub(super) fn get(cli: &mut Cli, fact: &OfFact) -> Result<(), Failure> {
    let client = cli.client()?;
    let fact: FactOut = client.get(&fact.path(cli, &client)?)?;
    cli.screen.show(&fact, |page| lay_out(page, &fact))
}

/// Lays a whole fact out.
pub(super) fn lay_out(page: &mut Page, fact: &FactOut) {
    page.heading(&fact.title);
    page.fields(&[
        ("about", fact.description.clone().unwrap_or_default()),
        ("by", by(fact)),
        ("session", fact.origin_session_id.clone().unwrap_or_default()),
        ("changed", moment(&fact.updated_at)),
        ("file", fact.path.clone()),
        ("sha256", fact.content_sha256.clone()),
    ]);
    page.gap();
    page.line(fact.text.trim_end());
}
