//! `coffer__remember`.

use std::collections::BTreeMap;

use coffer_api::facts::Scope;
use coffer_core::memory::{FactIn, Memory};
use coffer_domain::store::StoreName;
use coffer_env::clock::Stamp;
use rmcp::model::CallToolResult;

use super::forms::{RememberArgs, Remembered};
use super::{no_project, project, wire};
use crate::blocking::blocking;
use crate::error::Failure;
use crate::mcp::caller::Caller;
use crate::mcp::frame;

pub(super) async fn remember(
    memory: Memory,
    caller: Caller,
    args: RememberArgs,
) -> Result<CallToolResult, Failure> {
    let RememberArgs { text, scope, title, description } = args;
    let (store, root) = match scope.unwrap_or(Scope::Project) {
        Scope::Global => (StoreName::Global, None),
        Scope::Project => {
            let (store, root) =
                project(&memory, &caller).await?.ok_or_else(|| no_project(&caller))?;
            (store, Some(root))
        }
    };
    let author = caller.author();
    let written = blocking(move || {
        let new = FactIn {
            text: &text,
            title: title.as_deref(),
            description: description.as_deref(),
            origin_session_id: caller.session.as_deref(),
            project_root: root.as_deref(),
        };
        memory.remember(&store, new, &author, Stamp::new())
    });
    let reply = Remembered::from(written.await?);
    let said = text_of(&reply);
    wire::success(&reply, &said)
}

/// A sentence on the secrets that were taken out, if any.
pub(super) fn taken_out(redacted: &BTreeMap<String, u64>) -> String {
    let kinds: Vec<String> =
        redacted.iter().map(|(kind, times)| format!("{times} {kind}")).collect();
    if kinds.is_empty() {
        return String::new();
    }
    format!("\nSecrets were taken out before it was written: {}.", kinds.join(", "))
}

fn text_of(reply: &Remembered) -> String {
    let mut text =
        frame::line(&format!("Remembered `{}` as {} in {}.", reply.title, reply.id, reply.store));
    text.push_str(&taken_out(&reply.redacted));
    for similar in &reply.similar {
        text.push('\n');
        text.push_str(&frame::line(&format!("Nearly the same: {} {}", similar.id, similar.title)));
    }
    text
}
