//! Models that write: what was said so far in, what comes next out.

use std::sync::Arc;
use std::time::Instant;

use super::ModelFailure;
use super::remote::RemoteWriter;
use crate::config::{EngineConfig, Settings};
use crate::credentials::Credentials;

/// What writes texts.
pub(crate) trait CompletionModel: Send + Sync {
    /// Its name, as it is set.
    fn name(&self) -> &str;

    /// Goes on with a conversation: a text, or calls of tools. Every text is scrubbed of secrets right
    /// before it leaves. `go_on` is asked while the model works; once it says no, nobody waits.
    ///
    /// # Errors
    ///
    /// Why there is no answer; `Late` when nobody waited.
    fn complete(
        &self,
        said: &[Said],
        tools: &[Tool],
        wait: Wait<'_>,
    ) -> Result<Completed, ModelFailure>;
}

/// How long somebody waits.
#[derive(Clone, Copy)]
pub(crate) struct Wait<'a> {
    /// Not longer than this.
    pub deadline: Instant,
    /// Asked a few times a second.
    pub go_on: &'a dyn Fn() -> bool,
    /// The most tokens of the answer.
    pub tokens: u32,
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// What the model is to do.
    System(String),
    /// What it is given.
    User(String),
    /// What it said.
    Model {
        /// Its text.
        text: String,
        /// Tools that it called.
        calls: Vec<Call>,
    },
    /// What a tool gave.
    Tool {
        /// The call's id.
        call: String,
        /// Its text.
        text: String,
    },
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The JSON schema of its arguments.
    pub parameters: &'static str,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments: JSON, if the model did well.
    pub arguments: String,
}

/// What a model said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completed {
    /// Its text.
    pub text: String,
    /// Tools that it calls.
    pub calls: Vec<Call>,
    /// Whether it was cut off.
    pub is_cut: bool,
    /// What it cost, where the provider says.
    pub tokens: Option<u64>,
}

/// Opens the model that a configuration names; nothing is sent yet.
///
/// # Errors
///
/// What stands in the way, for people.
pub(crate) fn open_engine(
    config: &EngineConfig,
    credentials: &Credentials,
    settings: &Settings,
) -> Result<Arc<dyn CompletionModel>, ModelFailure> {
    Ok(Arc::new(RemoteWriter::open(config, credentials, settings)?))
}
