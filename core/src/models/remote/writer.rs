//! A model over HTTP that writes.

use std::time::Instant;

use super::connection::Connection;
use super::wire::ChatIn;
use crate::config::{EngineConfig, Provider, Settings};
use crate::credentials::Credentials;
use crate::models::{Call, Completed, CompletionModel, ModelFailure, Said, Tool, Wait};
use crate::secrets::Custom;

/// The model, and the way to it.
pub(in crate::models) struct RemoteWriter {
    /// They name secrets that must not leave.
    settings: Settings,
    connection: Connection,
    provider: Provider,
    model: String,
}

impl RemoteWriter {
    /// Opens one; nothing is sent yet.
    pub(in crate::models) fn open(
        config: &EngineConfig,
        credentials: &Credentials,
        settings: &Settings,
    ) -> Result<Self, ModelFailure> {
        let source = &config.source;
        Ok(Self {
            settings: settings.clone(),
            connection: Connection::open(source, credentials)?,
            provider: source.provider,
            model: source.model.clone(),
        })
    }
}

impl CompletionModel for RemoteWriter {
    fn name(&self) -> &str {
        &self.model
    }

    fn complete(
        &self,
        said: &[Said],
        tools: &[Tool],
        wait: Wait<'_>,
    ) -> Result<Completed, ModelFailure> {
        let secrets = self.settings.secrets();
        let said = said.iter().map(|turn| scrubbed(turn, &secrets)).collect::<Option<Vec<_>>>();
        let said = said.ok_or_else(|| {
            let reason = "the text holds secrets that cannot be taken out of it, and stays here";
            ModelFailure::Refused(reason.to_owned())
        })?;
        let request = ChatIn::new(self.provider, &self.model, &said, tools, wait.tokens);
        let answer = self.connection.chat(request, wait.deadline, wait.go_on)?;
        answer.completed().ok_or_else(|| nothing(&self.model))
    }
}

/// A turn as it may leave.
fn scrubbed(said: &Said, secrets: &Custom) -> Option<Said> {
    let scrub = |text: &String| Some(secrets.scrub(text).ok()?.text.into_owned());
    Some(match said {
        Said::System(text) => Said::System(scrub(text)?),
        Said::User(text) => Said::User(scrub(text)?),
        Said::Tool { call, text } => Said::Tool { call: call.clone(), text: scrub(text)? },
        Said::Model { text, calls } => {
            let call = |call: &Call| {
                let Call { id, name, arguments } = call.clone();
                Some(Call { id, name, arguments: scrub(&arguments)? })
            };
            let calls = calls.iter().map(call).collect::<Option<Vec<_>>>()?;
            Said::Model { text: scrub(text)?, calls }
        }
    })
}

fn nothing(model: &str) -> ModelFailure {
    ModelFailure::Refused(format!("`{model}` answered nothing that can be read"))
}

/// Asks a model that writes for a word, and so shows that it can be reached with this key.
pub(in crate::models) fn ping(
    config: &EngineConfig,
    credentials: &Credentials,
    deadline: Instant,
) -> Result<(), ModelFailure> {
    let source = &config.source;
    let request = ChatIn::ping(source.provider, &source.model);
    let answer = Connection::open(source, credentials)?.chat(request, deadline, &|| true)?;
    answer.completed().map(drop).ok_or_else(|| nothing(&source.model))
}
