//! `coffer audit`: what changed, and which calls agents made. Never content.

use clap::Args;
use coffer_api::history::{AuditEventOut, AuditOut, InvocationOut, InvocationsOut};
use coffer_api::routes;
use coffer_client::with_query;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::moment;

/// Which part of the history.
#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// How many rows, newest first
    #[arg(long)]
    limit: Option<u32>,
    /// Only rows before this number
    #[arg(long)]
    before: Option<i64>,
    /// Only this event, such as `memory_added`; of calls, only this tool
    #[arg(long)]
    event: Option<String>,
    /// Only this store
    #[arg(long, conflicts_with = "calls")]
    store: Option<String>,
    /// Only this actor or agent
    #[arg(long)]
    agent: Option<String>,
    /// Calls by agents instead of changes
    #[arg(long)]
    calls: bool,
}

impl Audit {
    /// Shows it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let calls = self.calls;
        let query = [
            ("limit", self.limit.map(|limit| limit.to_string())),
            ("before", self.before.map(|before| before.to_string())),
            ("event", self.event),
            ("store", self.store),
            ("agent", self.agent),
        ];
        if calls { show_calls(cli, &query) } else { show_changes(cli, &query) }
    }
}

fn show_changes(cli: &mut Cli, query: &[(&str, Option<String>)]) -> Result<(), Failure> {
    let audit: AuditOut = cli.client()?.get(&with_query(routes::AUDIT, query))?;
    cli.screen.show(&audit, |page| {
        let headers = ["#", "time", "event", "by", "store", "about"];
        page.table(headers, audit.events.iter().map(change), "Nothing has happened yet.");
    })
}

fn change(event: &AuditEventOut) -> [String; 6] {
    let counts = event.counts.iter().map(|(name, count)| format!("{name}={count}"));
    let about: Vec<String> = event.ids.iter().cloned().chain(counts).collect();
    [
        event.seq.to_string(),
        moment(&event.time),
        event.event.clone(),
        event.actor.clone(),
        event.store.clone().unwrap_or_default(),
        about.join(" "),
    ]
}

fn show_calls(cli: &mut Cli, query: &[(&str, Option<String>)]) -> Result<(), Failure> {
    let calls: InvocationsOut = cli.client()?.get(&with_query(routes::INVOCATIONS, query))?;
    cli.screen.show(&calls, |page| {
        let headers = ["#", "time", "tool", "agent", "ms", "outcome"];
        page.table(headers, calls.invocations.iter().map(call), "No agent has called yet.");
    })
}

fn call(call: &InvocationOut) -> [String; 6] {
    [
        call.seq.to_string(),
        moment(&call.started_at),
        call.tool.clone(),
        call.agent.clone().unwrap_or_default(),
        format!("{:.1}", call.duration_ms),
        call.outcome.clone(),
    ]
}
