//! `coffer__list_memory`.

use coffer_api::facts::Scope;
use coffer_core::memory::{Memory, Page};
use coffer_domain::store::StoreName;
use rmcp::model::CallToolResult;

use super::forms::{ListArgs, Listed};
use super::{no_project, project, wire};
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::within;
use crate::mcp::caller::Caller;
use crate::mcp::frame;
use crate::wire::facts;

pub(super) async fn list(
    memory: Memory,
    caller: Caller,
    args: ListArgs,
) -> Result<CallToolResult, Failure> {
    let ListArgs { scope, limit, offset } = args;
    let limit = within("limit", limit, 1..=200, 50)?;
    let store = store(&memory, &caller, scope).await?;
    let page = Page { limit, offset: offset.unwrap_or(0), q: None };
    let found = blocking(move || memory.facts(&store, &page)).await?;
    let reply = Listed::from(facts::page(found));
    let text = text(&reply);
    wire::success(&reply, &text)
}

async fn store(
    memory: &Memory,
    caller: &Caller,
    scope: Option<Scope>,
) -> Result<StoreName, Failure> {
    if scope == Some(Scope::Global) {
        return Ok(StoreName::Global);
    }
    match (project(memory, caller).await?, scope) {
        (Some((store, _)), _) => Ok(store),
        (None, None) => Ok(StoreName::Global),
        (None, Some(_)) => Err(no_project(caller)),
    }
}

fn text(reply: &Listed) -> String {
    let mut text = format!("{} of {} facts:\n", reply.facts.len(), reply.total);
    for fact in &reply.facts {
        text.push_str(&frame::line(&format!("- {} {}", fact.id, fact.title)));
        text.push('\n');
    }
    text
}
