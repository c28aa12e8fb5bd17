//! Models behind the narrowest interface: texts in, vectors out.
//!
//! Which model is used is a setting; what vectors are kept and compared is the index's matter. A model
//! is never fetched unasked, and no lock is held while one works.

mod catalog;
mod completion;
mod embedders;
pub mod local;
mod name;
mod reference;
mod remote;
mod trial;

use std::sync::Arc;
use std::time::{Duration, Instant};

use coffer_env::{Home, clock};

use crate::config::{EmbeddingConfig, Provider, Settings};
use crate::credentials::Credentials;
use remote::RemoteEmbedder;

pub use catalog::{Checksum, Install, InstallFrom, Model, Models};
pub use completion::{Call, Completed, Said, Tool};
pub(crate) use completion::{CompletionModel, Wait, open_engine};
pub(crate) use embedders::Embedders;
pub use name::ModelName;
pub(crate) use reference::ModelRef;
pub use trial::{Trial, Trials};

/// How long a model may take to say how wide its vectors are.
const PROBE: Duration = Duration::from_secs(10);

/// What turns texts into vectors.
pub trait Embedder: Send + Sync {
    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// One vector a text, in their order, each of length 1. `None` for a text that the model cannot
    /// take: one it cannot read, or one that must not leave.
    ///
    /// # Errors
    ///
    /// Why there are none; nothing of the answer is kept then.
    fn embed(
        &self,
        texts: &[String],
        role: Role,
        deadline: Instant,
    ) -> Result<Vec<Option<Vec<f32>>>, ModelFailure>;
}

/// What a text is, for models that are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What is asked.
    Query,
    /// What may answer.
    Passage,
}

/// Why a model gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// The model cannot be reached or is not there just now; later may do.
    #[error("{0}")]
    Unavailable(String),
    /// It took too long; later may do.
    #[error("the model did not answer in time")]
    Late,
    /// It refuses, or answers what cannot be used, and will again until the settings change.
    #[error("{0}")]
    Refused(String),
}

/// Opens the model that a configuration names (see `Settings::embedding_with_key`). One over HTTP
/// whose width is not set is asked for it, which takes ten seconds at most; its key is read once, so
/// that it is opened again when settings or credentials change. The settings name further secrets.
///
/// # Errors
///
/// What stands in the way, for people.
pub fn open(
    config: &EmbeddingConfig,
    credentials: &Credentials,
    home: &Home,
    settings: &Settings,
) -> Result<Arc<dyn Embedder>, ModelFailure> {
    open_by(config, (credentials, settings), home, clock::instant() + PROBE)
}

fn open_by(
    config: &EmbeddingConfig,
    (credentials, settings): (&Credentials, &Settings),
    home: &Home,
    deadline: Instant,
) -> Result<Arc<dyn Embedder>, ModelFailure> {
    match config.source.provider {
        Provider::OpenAi
        | Provider::OpenRouter
        | Provider::Voyage
        | Provider::Jina
        | Provider::Gemini
        | Provider::Azure
        | Provider::DashScope
        | Provider::Ollama
        | Provider::LmStudio => {
            Ok(Arc::new(RemoteEmbedder::open(config, credentials, settings, deadline)?))
        }
        Provider::Local => Ok(Arc::new(local::open(&home.models(), &config.source.model)?)),
    }
}
