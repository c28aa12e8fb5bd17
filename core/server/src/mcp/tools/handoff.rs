//! `coffer__set_handoff` and `coffer__resume`.

use coffer_api::handoff::ResumeOut;
use coffer_core::memory::Memory;
use coffer_env::clock;
use rmcp::model::CallToolResult;

use super::forms::{HandoffArgs, NoArgs};
use super::remember::taken_out;
use super::{no_project, wire};
use crate::blocking::blocking;
use crate::error::Failure;
use crate::mcp::caller::Caller;
use crate::mcp::frame;
use crate::wire::handoff;

pub(super) async fn set(
    memory: Memory,
    caller: Caller,
    args: HandoffArgs,
) -> Result<CallToolResult, Failure> {
    let author = caller.author();
    let cwd = caller.cwd.clone().ok_or_else(|| no_project(&caller))?;
    let saved =
        blocking(move || memory.set_handoff(&cwd, &args.body, &author, clock::now())).await?;
    let reply = handoff::saved(saved);
    let mut text = format!("Saved for branch `{}` of {}.", frame::line(&reply.branch), reply.scope);
    text.push_str(&taken_out(&reply.redacted));
    wire::success(&reply, &text)
}

pub(super) async fn resume(
    memory: Memory,
    caller: Caller,
    NoArgs {}: NoArgs,
) -> Result<CallToolResult, Failure> {
    let cwd = caller.cwd.clone().ok_or_else(|| no_project(&caller))?;
    let reply = handoff::resumed(blocking(move || memory.resume(&cwd)).await?);
    let text = text(&reply);
    wire::success(&reply, &text)
}

fn text(reply: &ResumeOut) -> String {
    let ResumeOut { found: true, branch: Some(branch), body: Some(body), updated_at, note } = reply
    else {
        return "No working state is saved for this project and branch.".to_owned();
    };
    let at = updated_at.as_deref().unwrap_or_default();
    let head = frame::line(&format!("Working state of branch `{branch}`, saved {at}; data:"));
    let note = note.as_deref().map(|note| format!("\nNote: {}\n", frame::line(note)));
    format!("{head}\n{}{}", frame::quoted(body), note.unwrap_or_default())
}
