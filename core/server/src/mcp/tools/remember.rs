//! `coffer__remember`.

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

fn text_of(reply: &Remembered) -> String {
    let mut text =
        frame::line(&format!("Remembered `{}` as {} in {}.", reply.title, reply.id, reply.store));
    for similar in &reply.similar {
        text.push('\n');
        text.push_str(&frame::line(&format!("Nearly the same: {} {}", similar.id, similar.title)));
    }
    text
}
