//! The tools: what they are called, what they say of themselves, and how a call is run.

mod forms;
mod handoff;
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
use coffer_core::memory::Memory;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::clock;
use rmcp::model::{CallToolResult, JsonObject, Tool as Definition, ToolAnnotations};
use schemars::JsonSchema;

use super::caller::Caller;
use crate::app::App;
use crate::blocking::{blocking, detached};
use crate::error::Failure;
use forms::{
    HandoffArgs, ListArgs, Listed, NoArgs, RecallArgs, Recalled, RememberArgs, Remembered,
};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tool {
    Recall,
    Remember,
    SetHandoff,
    Resume,
    ListMemory,
}

impl Tool {
    const ALL: [Self; 5] =
        [Self::Recall, Self::Remember, Self::SetHandoff, Self::Resume, Self::ListMemory];

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
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Recall => {
                "Search what was remembered: decisions, conventions, preferences, past work."
            }
            Self::Remember => {
                "Save one durable fact for later sessions and other agents. Nothing secret, nothing \
                 that the code says itself."
            }
            Self::SetHandoff => {
                "Save the working state of this project and branch for whoever continues. Replaces \
                 the one before."
            }
            Self::Resume => "Pick up the working state saved for this project and branch.",
            Self::ListMemory => "List remembered facts, newest first.",
        }
    }

    fn definition(self) -> Definition {
        let (input, output) = match self {
            Self::Recall => schemas::<RecallArgs, Recalled>(),
            Self::Remember => schemas::<RememberArgs, Remembered>(),
            Self::SetHandoff => schemas::<HandoffArgs, HandoffSavedOut>(),
            Self::Resume => schemas::<NoArgs, ResumeOut>(),
            Self::ListMemory => schemas::<ListArgs, Listed>(),
        };
        Definition::new(self.name(), self.description(), input)
            .with_raw_output_schema(output.into())
            .with_annotations(self.annotations())
    }

    fn annotations(self) -> ToolAnnotations {
        let hints = ToolAnnotations::new().open_world(false);
        match self {
            Self::Recall | Self::Resume | Self::ListMemory => hints.read_only(true),
            Self::Remember => hints.read_only(false).destructive(false).idempotent(false),
            Self::SetHandoff => hints.read_only(false).destructive(true).idempotent(true),
        }
    }

    /// What a call that succeeds is counted as.
    fn counts_as(self) -> Option<UsageKind> {
        match self {
            Self::Recall => Some(UsageKind::Recall),
            Self::Remember | Self::SetHandoff => Some(UsageKind::Write),
            Self::Resume | Self::ListMemory => None,
        }
    }

    async fn run(
        self,
        memory: Memory,
        caller: Caller,
        given: JsonObject,
    ) -> Result<CallToolResult, Failure> {
        match self {
            Self::Recall => recall::recall(memory, caller, wire::arguments(given)?).await,
            Self::Remember => remember::remember(memory, caller, wire::arguments(given)?).await,
            Self::SetHandoff => handoff::set(memory, caller, wire::arguments(given)?).await,
            Self::Resume => handoff::resume(memory, caller, wire::arguments(given)?).await,
            Self::ListMemory => list::list(memory, caller, wire::arguments(given)?).await,
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
    let (memory, history) = (app.memory.clone(), app.history.clone());
    let noted = detached(async move {
        let (started_at, started) = (clock::now(), clock::instant());
        let result = detached(tool.run(memory, caller.clone(), given)).await;
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
