//! `coffer status`: what runs and what it holds. Never starts anything.

use coffer_api::routes;
use coffer_api::status::{EngineStatusOut, StatusOut};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::{Page, moment};

/// Shows the running server.
pub(crate) fn run(cli: &mut Cli) -> Result<(), Failure> {
    let status: StatusOut = cli.running()?.get(routes::STATUS)?;
    cli.screen.show(&status, |page| lay_out(page, &status))
}

fn lay_out(page: &mut Page, status: &StatusOut) {
    page.heading(format!("Coffer {} is running", status.version));
    page.fields(&[
        ("address", format!("http://127.0.0.1:{}", status.port)),
        ("process", status.pid.to_string()),
        ("since", moment(&status.started_at)),
        ("home", status.home.clone()),
        ("memory", format!("{} facts in {} stores", status.facts, status.stores)),
        ("knowledge", knowledge(status)),
        ("work", work(status)),
        ("engine", engine(status)),
        ("embedding", status.embedding.model.clone().unwrap_or_default()),
    ]);
    for sentence in &status.degraded {
        page.line(format!("! {sentence}"));
    }
    if status.version != env!("CARGO_PKG_VERSION") {
        let own = env!("CARGO_PKG_VERSION");
        page.line(format!("! This command is version {own}; `coffer stop` ends the other one."));
    }
}

fn knowledge(status: &StatusOut) -> String {
    if status.knowledge_bases == 0 {
        return String::new();
    }
    format!("{} documents in {} knowledge bases", status.documents, status.knowledge_bases)
}

fn engine(status: &StatusOut) -> String {
    let EngineStatusOut { configured: _, model, tokens_today, daily_token_cap } = &status.engine;
    let Some(model) = model else { return String::new() };
    format!("{model}, {tokens_today} of today's {daily_token_cap} tokens used")
}

fn work(status: &StatusOut) -> String {
    match (status.queue.running, status.queue.queued) {
        (0, 0) => String::new(),
        (running, queued) => format!("{running} running, {queued} waiting"),
    }
}
