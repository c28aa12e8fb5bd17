//! The tools: what they are called, what they say of themselves, and how a call is run.

mod forms;
mod handoff;
mod knowledge;
mod list;
mod recall;
mod remember;
mod wire;

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use coffer_api::error::ErrorCode;
use coffer_api::handoff::{HandoffSavedOut, ResumeOut};
use coffer_core::history::{History, Invocation, UsageKind};
use coffer_core::kb::KnowledgeBases;
use coffer_core::memory::Memory;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::clock;
use rmcp::model::{CallToolResult, JsonObject, MetaObject, Tool as Definition, ToolAnnotations};
use schemars::JsonSchema;

use super::caller::Caller;
use crate::app::App;
use crate::blocking::{blocking, detached};
use crate::error::Failure;
use forms::{
    HandoffArgs, ListArgs, Listed, NoArgs, RecallArgs, Recalled, RememberArgs, Remembered,
};

/// Claude Code's word for a tool that it does not put off until somebody asks for it.
const ALWAYS_THERE: &str = "anthropic/alwaysLoad";

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tool {
    Recall,
    Remember,
    SetHandoff,
    Resume,
    ListMemory,
    ListBases,
    SearchKnowledge,
    GrepKnowledge,
    ReadDocument,
    AddDocument,
    EditDocument,
    DeleteDocument,
}

impl Tool {
    const ALL: [Self; 12] = [
        Self::Recall,
        Self::Remember,
        Self::SetHandoff,
        Self::Resume,
        Self::ListMemory,
        Self::ListBases,
        Self::SearchKnowledge,
        Self::GrepKnowledge,
        Self::ReadDocument,
        Self::AddDocument,
        Self::EditDocument,
        Self::DeleteDocument,
    ];

    /// The tool of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Recall => "coffer__recall",
            Self::Remember => "coffer__remember",
            Self::SetHandoff => "coffer__set_handoff",
            Self::Resume => "coffer__resume",
            Self::ListMemory => "coffer__list_memory",
            Self::ListBases => "coffer__list_knowledge_bases",
            Self::SearchKnowledge => "coffer__search_knowledge",
            Self::GrepKnowledge => "coffer__grep_knowledge",
            Self::ReadDocument => "coffer__read_document",
            Self::AddDocument => "coffer__add_document",
            Self::EditDocument => "coffer__edit_document",
            Self::DeleteDocument => "coffer__delete_document",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Recall => "Search what was remembered: decisions, conventions, past work.",
            Self::Remember => {
                "Save one durable fact for later sessions and all agents. Nothing secret, nothing \
                 that the code says."
            }
            Self::SetHandoff => {
                "Save the working state of this branch for whoever continues. Replaces the one before."
            }
            Self::Resume => "Pick up the working state saved for this branch.",
            Self::ListMemory => "List remembered facts, newest first.",
            Self::ListBases => "List knowledge bases of documents.",
            Self::SearchKnowledge => "Search a knowledge base; read on by doc_id and lines.",
            Self::GrepKnowledge => "Find lines in a knowledge base.",
            Self::ReadDocument => "Read lines of a document.",
            Self::AddDocument => "Add a text file as a new document.",
            Self::EditDocument => "Replace a document's text.",
            Self::DeleteDocument => "Delete a document for good.",
        }
    }

    fn definition(self) -> Definition {
        let (input, output) = match self {
            Self::Recall => schemas::<RecallArgs, Recalled>(),
            Self::Remember => schemas::<RememberArgs, Remembered>(),
            Self::SetHandoff => schemas::<HandoffArgs, HandoffSavedOut>(),
            Self::Resume => schemas::<NoArgs, ResumeOut>(),
            Self::ListMemory => schemas::<ListArgs, Listed>(),
            Self::ListBases => schemas::<NoArgs, knowledge::Bases>(),
            Self::SearchKnowledge => schemas::<knowledge::SearchArgs, knowledge::Passages>(),
            Self::GrepKnowledge => schemas::<knowledge::GrepArgs, knowledge::Grepped>(),
            Self::ReadDocument => schemas::<knowledge::ReadArgs, knowledge::Read>(),
            Self::AddDocument => schemas::<knowledge::AddArgs, knowledge::Written>(),
            Self::EditDocument => schemas::<knowledge::EditArgs, knowledge::Written>(),
            Self::DeleteDocument => schemas::<knowledge::DocumentArgs, knowledge::Deleted>(),
        };
        let mut definition = Definition::new(self.name(), self.description(), input)
            .with_raw_output_schema(output.into())
            .with_annotations(self.annotations());
        if self.is_always_there() {
            let meta = JsonObject::from_iter([(ALWAYS_THERE.to_owned(), true.into())]);
            definition.meta = Some(MetaObject(meta));
        }
        definition
    }

    /// Whether an agent that looks tools up only when it thinks of them has this one at hand: memory that
    /// nobody thinks of is none.
    const fn is_always_there(self) -> bool {
        matches!(self, Self::Recall | Self::Remember)
    }

    fn annotations(self) -> ToolAnnotations {
        let hints = ToolAnnotations::new().open_world(false);
        match self {
            Self::Recall
            | Self::Resume
            | Self::ListMemory
            | Self::ListBases
            | Self::SearchKnowledge
            | Self::GrepKnowledge
            | Self::ReadDocument => hints.read_only(true),
            Self::Remember => hints.read_only(false).destructive(false).idempotent(false),
            // The very file again changes nothing.
            Self::AddDocument => hints.read_only(false).destructive(false).idempotent(true),
            Self::SetHandoff | Self::EditDocument => {
                hints.read_only(false).destructive(true).idempotent(true)
            }
            Self::DeleteDocument => hints.read_only(false).destructive(true).idempotent(false),
        }
    }

    /// What a call that succeeds is counted as.
    fn counts_as(self) -> Option<UsageKind> {
        match self {
            Self::Recall | Self::SearchKnowledge | Self::GrepKnowledge => Some(UsageKind::Recall),
            Self::Remember
            | Self::SetHandoff
            | Self::AddDocument
            | Self::EditDocument
            | Self::DeleteDocument => Some(UsageKind::Write),
            Self::Resume | Self::ListMemory | Self::ListBases | Self::ReadDocument => None,
        }
    }

    async fn run(
        self,
        (memory, kb): (Memory, KnowledgeBases),
        caller: Caller,
        given: JsonObject,
    ) -> Result<CallToolResult, Failure> {
        match self {
            Self::Recall => recall::recall(memory, caller, wire::arguments(given)?).await,
            Self::Remember => remember::remember(memory, caller, wire::arguments(given)?).await,
            Self::SetHandoff => handoff::set(memory, caller, wire::arguments(given)?).await,
            Self::Resume => handoff::resume(memory, caller, wire::arguments(given)?).await,
            Self::ListMemory => list::list(memory, caller, wire::arguments(given)?).await,
            Self::ListBases => {
                let NoArgs {} = wire::arguments(given)?;
                knowledge::list(kb).await
            }
            Self::SearchKnowledge => knowledge::search(kb, wire::arguments(given)?).await,
            Self::GrepKnowledge => knowledge::grep(kb, wire::arguments(given)?).await,
            Self::ReadDocument => knowledge::read(kb, wire::arguments(given)?).await,
            Self::AddDocument => knowledge::add(kb, caller, wire::arguments(given)?).await,
            Self::EditDocument => knowledge::edit(kb, caller, wire::arguments(given)?).await,
            Self::DeleteDocument => knowledge::delete(kb, caller, wire::arguments(given)?).await,
        }
    }
}

fn schemas<I: JsonSchema, O: JsonSchema>() -> (JsonObject, JsonObject) {
    (wire::input_schema::<I>(), wire::output_schema::<O>())
}

/// What `tools/list` shows.
pub(super) fn definitions() -> &'static [Definition] {
    static DEFINITIONS: LazyLock<Vec<Definition>> =
        LazyLock::new(|| Tool::ALL.into_iter().map(Tool::definition).collect());
    &DEFINITIONS
}

/// Runs a call to its end, whatever becomes of the connection, and notes that it happened. A panic
/// in a tool is answered too: the library itself would leave its caller waiting.
pub(super) async fn call(
    app: &App,
    tool: Tool,
    caller: Caller,
    given: JsonObject,
) -> CallToolResult {
    let (faces, history) = ((app.memory.clone(), app.kb.clone()), app.history.clone());
    let noted = detached(async move {
        let (started_at, started) = (clock::now(), clock::instant());
        let result = detached(tool.run(faces, caller.clone(), given)).await;
        note(&history, tool, caller, &result, (started_at, started.elapsed()));
        result
    });
    noted.await.unwrap_or_else(wire::failure)
}

fn note(
    history: &History,
    tool: Tool,
    caller: Caller,
    result: &Result<CallToolResult, Failure>,
    (started_at, duration): (Timestamp, Duration),
) {
    let Caller { agent, session, cwd: _ } = caller;
    if let (Ok(_), Some(kind)) = (result, tool.counts_as()) {
        history.record_use(agent.as_deref().unwrap_or("unknown"), kind, started_at);
    }
    let outcome = result.as_ref().map_or_else(|failure| failure.code().as_str(), |_| "ok");
    let (tool, outcome) = (tool.name().to_owned(), outcome.to_owned());
    history.record_invocation(Invocation { tool, agent, session, started_at, duration, outcome });
}

/// The project that a caller is in: its store, and its folder for the store's first write.
async fn project(
    memory: &Memory,
    caller: &Caller,
) -> Result<Option<(StoreName, PathBuf)>, Failure> {
    let Some(cwd) = caller.cwd.clone() else { return Ok(None) };
    let memory = memory.clone();
    let resolved = blocking(move || memory.scope(&cwd)).await?;
    Ok(resolved.root.map(|root| (resolved.store, root)))
}

/// Why there is no project for a call that needs one.
fn no_project(caller: &Caller) -> Failure {
    match &caller.cwd {
        Some(cwd) => coffer_core::Error::ScopeUnresolved(cwd.clone()).into(),
        None => {
            let message = "the client did not say which directory it works in";
            let hint = "use the scope `global`, or set the header `X-Coffer-Cwd`.";
            Failure::new(ErrorCode::ScopeUnresolved, message)
                .with(|details| details.hint = Some(hint.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_tools_is_small_and_complete() {
        let list = serde_json::to_string(definitions()).unwrap();
        assert!(list.len() <= 8 << 10, "{} bytes", list.len());
        for tool in definitions() {
            assert!(Tool::named(&tool.name).is_some());
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
            assert!(tool.output_schema.is_some() && tool.annotations.is_some(), "{}", tool.name);
        }
        assert_eq!(Tool::named("coffer__forget"), None);
    }
}
