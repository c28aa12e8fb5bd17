//! The embedding models in use: the one that the settings name, and one whose vectors still answer.

use std::sync::{Arc, Mutex, PoisonError};

use super::{EmbedFailure, Embedder};

/// So many models are kept open: the one before answers until the new one's vectors are complete.
const OPEN: usize = 2;

/// Which model, and how to reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelRef {
    /// What makes vectors comparable: those of one identity are.
    pub identity: String,
    /// How to reach it, JSON.
    pub settings: String,
}

type Configured = dyn Fn() -> Option<ModelRef> + Send + Sync;
type Open = dyn Fn(&ModelRef) -> Result<Arc<dyn Embedder>, EmbedFailure> + Send + Sync;

/// The models, opened when they are needed.
pub(crate) struct Embedders {
    configured: Box<Configured>,
    open: Box<Open>,
    opened: Mutex<Vec<(ModelRef, Arc<dyn Embedder>)>>,
}

impl Embedders {
    /// `configured` says which model the settings name now; `open` opens one.
    pub(crate) fn new(
        configured: impl Fn() -> Option<ModelRef> + Send + Sync + 'static,
        open: impl Fn(&ModelRef) -> Result<Arc<dyn Embedder>, EmbedFailure> + Send + Sync + 'static,
    ) -> Self {
        Self { configured: Box::new(configured), open: Box::new(open), opened: Mutex::default() }
    }

    /// No model: vectors are off.
    pub(crate) fn off() -> Self {
        let none = || EmbedFailure::Unavailable("no embedding model is configured".to_owned());
        Self::new(|| None, move |_| Err(none()))
    }

    /// The model of the settings; `None`: vectors are off, and no model stays open.
    pub(crate) fn configured(&self) -> Option<ModelRef> {
        let configured = (self.configured)();
        if configured.is_none() {
            self.opened().clear();
        }
        configured
    }

    /// A model, opened.
    ///
    /// # Errors
    ///
    /// Why it cannot be.
    pub(crate) fn get(&self, model: &ModelRef) -> Result<Arc<dyn Embedder>, EmbedFailure> {
        let found = self.opened().iter().find(|(open, _)| open == model).map(|(_, it)| it.clone());
        if let Some(embedder) = found {
            return Ok(embedder);
        }
        // Two may open one at a time; the second to come is kept.
        let embedder = (self.open)(model)?;
        let mut opened = self.opened();
        opened.retain(|(open, _)| open.identity != model.identity);
        opened.truncate(OPEN - 1);
        opened.insert(0, (model.clone(), Arc::clone(&embedder)));
        Ok(embedder)
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, Vec<(ModelRef, Arc<dyn Embedder>)>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
