//! The engine: the model that writes, within what it may cost a day. Everything that needs a model asks
//! here; without one configured nothing is asked, and nothing fails.
//!
//! No lock and no transaction may be held by whoever asks: an answer takes minutes at worst. Deliberately
//! absent: what is asked, and what is done with the answers.

mod answer;
mod budget;
#[cfg(test)]
mod tests;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use coffer_env::clock;
use serde::de::DeserializeOwned;

use crate::config::Settings;
use crate::credentials::Credentials;
use crate::error::{Error, Result};
use crate::index::Index;
use crate::models::{CompletionModel, ModelFailure, Wait, open_engine};
use budget::Budget;

pub use crate::models::{Call, Completed, Said, Tool};
pub use tokens::estimated;

/// How long one answer may take.
const LONGEST: Duration = Duration::from_secs(180);
/// The most tokens of an answer: a topic document, its fields, and room.
pub const ANSWER: u32 = 8_192;

/// The engine of a home. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    settings: Settings,
    credentials: Credentials,
    budget: Arc<Budget>,
}

/// Why there is no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineFailure {
    /// The day's tokens are used up: nothing more is asked today.
    #[error(
        "{used} of today's {cap} tokens are used, and the rest is too little for the next question"
    )]
    Budget {
        /// Tokens of today.
        used: u64,
        /// The cap.
        cap: u64,
    },
    /// Nobody wants it any more.
    #[error("it was cancelled")]
    Cancelled,
    /// The model cannot be reached just now, or takes too long.
    #[error("{0}")]
    Unavailable(String),
    /// It refuses what it was asked.
    #[error("{0}")]
    Refused(String),
    /// It answered something else than it was asked for: prose, other JSON, half of it.
    #[error("the model's answer cannot be used: {0}")]
    Malformed(String),
}

impl EngineFailure {
    /// Whether asking about the next thing would fail too.
    #[must_use]
    pub const fn ends_all(&self) -> bool {
        match self {
            Self::Budget { .. } | Self::Cancelled => true,
            Self::Unavailable(_) | Self::Refused(_) | Self::Malformed(_) => false,
        }
    }
}

/// What the engine cost today, and may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Tokens of today.
    pub tokens: u64,
    /// The most.
    pub cap: u64,
}

impl Engine {
    /// The engine of a home; nothing is opened yet.
    pub(crate) fn new(settings: &Settings, credentials: &Credentials, index: Arc<Index>) -> Self {
        let budget = Arc::new(Budget::new(settings.clone(), index));
        let (settings, credentials) = (settings.clone(), credentials.clone());
        Self(Arc::new(Inner { settings, credentials, budget }))
    }

    /// Whether one is configured.
    pub fn is_configured(&self) -> bool {
        self.0.settings.engine().is_some()
    }

    /// The name of the model that is configured.
    pub(crate) fn name(&self) -> Option<String> {
        self.0.settings.engine().map(|config| config.source.model)
    }

    /// The model that is configured; `None` where none is.
    ///
    /// # Errors
    ///
    /// `Unavailable` with what stands in its way: a key, an address.
    pub fn writer(&self) -> Result<Option<Writer>> {
        let Some(config) = self.0.settings.engine() else { return Ok(None) };
        let model = open_engine(&config, &self.0.credentials, &self.0.settings);
        let model = model.map_err(|failure| Error::EngineUnavailable(failure.to_string()))?;
        Ok(Some(Writer { model, budget: Arc::clone(&self.0.budget) }))
    }

    /// Whether a text leaves this machine as it is. One that holds a secret would come back without it.
    pub(crate) fn may_send(&self, text: &str) -> bool {
        self.0.settings.secrets().scrub(text).is_ok_and(|scrubbed| scrubbed.text == text)
    }

    /// What it cost today.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn spent(&self) -> Result<Spent> {
        self.0.budget.spent(clock::now())
    }
}

/// Reads an answer as JSON of a shape; fences and words around it are looked past.
///
/// # Errors
///
/// `Malformed`.
pub fn read<T: DeserializeOwned>(answer: &str) -> Result<T, EngineFailure> {
    answer::read(answer).map_err(EngineFailure::Malformed)
}

/// The model that writes, ready to be asked.
#[derive(Clone)]
pub struct Writer {
    model: Arc<dyn CompletionModel>,
    budget: Arc<Budget>,
}

impl Writer {
    /// The model's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// Asks one question and reads the answer as JSON of a shape: `instructions` say what is to be done,
    /// and in which shape; `material` is what it is done with. `go_on` is asked while the model works.
    ///
    /// # Errors
    ///
    /// `Malformed` for an answer of another shape; see `EngineFailure`.
    pub fn ask<T: DeserializeOwned>(
        &self,
        instructions: &str,
        material: &str,
        go_on: &dyn Fn() -> bool,
    ) -> Result<T, EngineFailure> {
        let said = [Said::System(instructions.to_owned()), Said::User(material.to_owned())];
        let completed = self.go_on(&said, &[], go_on)?;
        read(&completed.text)
    }

    /// Goes on with a conversation, with tools that may be called.
    ///
    /// # Errors
    ///
    /// See `EngineFailure`; an answer that was cut off is `Malformed`.
    pub fn go_on(
        &self,
        said: &[Said],
        tools: &[Tool],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Completed, EngineFailure> {
        if !go_on() {
            return Err(EngineFailure::Cancelled);
        }
        let asked = tokens::of_conversation(said, tools);
        let reserved = self.budget.reserve(asked + u64::from(ANSWER), clock::now())?;
        let wait = Wait { deadline: clock::instant() + LONGEST, go_on, tokens: ANSWER };
        match self.model.complete(said, tools, wait) {
            Ok(completed) => {
                let answered = tokens::of_answer(&completed);
                reserved.settle(completed.tokens.unwrap_or(asked + answered));
                if completed.is_cut {
                    return Err(EngineFailure::Malformed("it was cut off".to_owned()));
                }
                Ok(completed)
            }
            Err(failure) => Err(self.failed(failure, reserved, asked, go_on)),
        }
    }

    /// What was asked may have cost its tokens even where nothing came back; a refusal cost none.
    fn failed(
        &self,
        failure: ModelFailure,
        reserved: budget::Reserved,
        asked: u64,
        go_on: &dyn Fn() -> bool,
    ) -> EngineFailure {
        match failure {
            ModelFailure::Late => {
                reserved.settle(asked);
                if go_on() {
                    return EngineFailure::Unavailable(format!(
                        "`{}` did not answer within {} seconds",
                        self.name(),
                        LONGEST.as_secs()
                    ));
                }
                EngineFailure::Cancelled
            }
            ModelFailure::Unavailable(reason) => EngineFailure::Unavailable(reason),
            ModelFailure::Refused(reason) => EngineFailure::Refused(reason),
        }
    }
}
