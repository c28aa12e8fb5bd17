//! The embedding models in use: the one that the settings name, and one whose vectors still answer.

use std::sync::{Arc, Mutex, PoisonError};

use coffer_env::Home;

use super::{EmbedFailure, Embedder, ModelRef, open};
use crate::config::Settings;
use crate::credentials::Credentials;

/// So many models are kept open: the one before answers until the new one's vectors are complete.
const OPEN: usize = 2;

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

    /// The model that the settings name.
    pub(crate) fn of(home: &Home, settings: &Settings, credentials: &Credentials) -> Self {
        let (home, settings, credentials) = (home.clone(), settings.clone(), credentials.clone());
        let configured = {
            let settings = settings.clone();
            move || settings.embedding_with_key().as_ref().map(ModelRef::of)
        };
        Self::new(configured, move |model| open(&model.config()?, &credentials, &home, &settings))
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

    /// Closes a model that failed: its key or its files may be others by now.
    pub(crate) fn close(&self, model: &ModelRef) {
        self.opened().retain(|(open, _)| open != model);
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, Vec<(ModelRef, Arc<dyn Embedder>)>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
