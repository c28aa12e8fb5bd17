//! Models behind the narrowest interface: texts in, vectors out.
//!
//! Which model is used is a setting; what vectors are kept and compared is the index's matter. A model
//! is never fetched unasked, and no lock is held while one works.

mod catalog;
mod embedders;
pub mod local;
mod name;

use std::time::Instant;

pub use catalog::{Checksum, Install, InstallFrom, Model, Models};
pub(crate) use embedders::{Embedders, ModelRef};
pub use name::ModelName;

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
    ) -> Result<Vec<Option<Vec<f32>>>, EmbedFailure>;
}

/// What a text is, for models that are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What is asked.
    Query,
    /// What may answer.
    Passage,
}

/// Why texts have no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedFailure {
    /// The model cannot be reached or is not there just now; later may do.
    #[error("{0}")]
    Unavailable(String),
    /// It took too long; later may do.
    #[error("the embedding model did not answer in time")]
    Late,
    /// It refuses, or answers what cannot be used, and will again until the settings change.
    #[error("{0}")]
    Refused(String),
}
