//! Adding, editing, deleting documents.

use coffer_core::kb::{Incoming, KnowledgeBases};
use coffer_env::clock::{self, Stamp};
use rmcp::model::CallToolResult;

use super::forms::{AddArgs, Deleted, DocumentArgs, EditArgs, Written};
use crate::blocking::blocking;
use crate::error::Failure;
use crate::extract::{base, document};
use crate::mcp::caller::Caller;
use crate::mcp::frame;
use crate::mcp::tools::wire;

/// `coffer__add_document`.
pub(in crate::mcp::tools) async fn add(
    kb: KnowledgeBases,
    caller: Caller,
    args: AddArgs,
) -> Result<CallToolResult, Failure> {
    let AddArgs { kb: name, filename, content } = args;
    let name = base(&name)?;
    let incoming = Incoming { filename, bytes: content.into_bytes(), source_path: None };
    let added = blocking(move || kb.add(&name, incoming, false, &caller.author(), &Stamp::new()));
    let reply = Written::from(added.await?.document);
    let said = format!("`{}` is document {}.", reply.title, reply.doc_id);
    wire::success(&reply, &frame::line(&said))
}

/// `coffer__edit_document`.
pub(in crate::mcp::tools) async fn edit(
    kb: KnowledgeBases,
    caller: Caller,
    args: EditArgs,
) -> Result<CallToolResult, Failure> {
    let EditArgs { kb: name, doc_id, content, if_sha256 } = args;
    let name = base(&name)?;
    let id = document(&name, &doc_id)?;
    let edited = blocking(move || {
        let text = (content.as_str(), if_sha256.as_deref());
        kb.edit(&name, &id, text, &caller.author(), clock::now())
    });
    let reply = Written::from(edited.await?);
    let said = format!("Document {} `{}` has the new text.", reply.doc_id, reply.title);
    wire::success(&reply, &frame::line(&said))
}

/// `coffer__delete_document`.
pub(in crate::mcp::tools) async fn delete(
    kb: KnowledgeBases,
    caller: Caller,
    args: DocumentArgs,
) -> Result<CallToolResult, Failure> {
    let DocumentArgs { kb: name, doc_id } = args;
    let name = base(&name)?;
    let id = document(&name, &doc_id)?;
    let deleted = id.to_string();
    blocking(move || kb.delete_document(&name, &id, &caller.author(), clock::now())).await?;
    let said = format!("Document {deleted} is deleted.");
    wire::success(&Deleted { deleted }, &said)
}
