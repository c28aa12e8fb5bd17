//! What happened.

use coffer_api::history::{AuditEventOut, HistoryQuery, InvocationOut, UsageRowOut};
use coffer_core::history::{AuditRow, HistoryFilter, InvocationRow, UsageRow};

use crate::error::Failure;
use crate::extract::within;

/// Which part is asked for.
pub(crate) fn filter_in(query: HistoryQuery) -> Result<HistoryFilter, Failure> {
    let HistoryQuery { limit, before, event, store, agent } = query;
    let limit = within("limit", limit, 1..=500, 50)?;
    Ok(HistoryFilter { limit, before, event, store, agent })
}

/// Which calls are asked for: a call belongs to no store.
pub(crate) fn call_filter_in(query: HistoryQuery) -> Result<HistoryFilter, Failure> {
    match filter_in(query)? {
        HistoryFilter { store: Some(_), .. } => {
            Err(Failure::field("store", "is no part of a call; filter by `event` or `agent`"))
        }
        filter => Ok(filter),
    }
}

/// A change.
pub(crate) fn change(row: AuditRow) -> AuditEventOut {
    let AuditRow { seq, at, event, actor, store, ids, counts } = row;
    AuditEventOut { seq, time: at.to_string(), event, actor, store, ids, counts }
}

/// An MCP call.
pub(crate) fn invocation(row: InvocationRow) -> InvocationOut {
    let InvocationRow { seq, tool, agent, session, started_at, duration_us, outcome } = row;
    InvocationOut {
        seq,
        tool,
        agent,
        session,
        started_at: started_at.to_string(),
        duration_ms: duration_us as f64 / 1000.0,
        outcome,
    }
}

/// Counts of a day and agent.
pub(crate) fn usage(row: UsageRow) -> UsageRowOut {
    let UsageRow { day, agent, counts: [recalls, writes, injections] } = row;
    UsageRowOut { day, agent, recalls, writes, injections }
}
