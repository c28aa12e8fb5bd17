//! A question, and its vectors: one for each model that is asked, made once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use coffer_env::clock;

use super::{Knowledge, StoreRef, Vectors};
use crate::error::Result;
use crate::index::{VectorSet, vector_sets};
use crate::models::{ModelFailure, ModelRef, Role};

/// A question waits for its vector so long, all models together; then the keyword indexes answer.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// What is asked.
pub(crate) struct Question<'a> {
    pub text: &'a str,
    deadline: std::time::Instant,
    vectors: RefCell<HashMap<String, Option<Rc<[f32]>>>>,
}

impl<'a> Question<'a> {
    /// A question of this moment.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, deadline: clock::instant() + PATIENCE, vectors: RefCell::default() }
    }
}

impl Knowledge {
    /// Whether the settings name a model for vectors.
    pub(crate) fn has_vectors(&self) -> bool {
        self.embedders.configured().is_some()
    }

    /// The model that makes the vectors of a store; `None`: there are to be none.
    pub(crate) fn model(&self, store: &StoreRef) -> Option<ModelRef> {
        match &store.vectors {
            Vectors::Off => None,
            Vectors::OfSettings => self.embedders.configured(),
            Vectors::Own(config) => self.embedders.own(config),
        }
    }

    /// The vectors of a store that answer, and the question's vector among them; `None` where there
    /// are none, or the model gives none in time.
    pub(super) fn aimed(
        &self,
        store: &StoreRef,
        question: &Question<'_>,
    ) -> Result<Option<(VectorSet, Rc<[f32]>)>> {
        if self.model(store).is_none() {
            return Ok(None);
        }
        let sets = self.read(|db| vector_sets(db, &store.scope))?;
        let Some(set) = sets.into_iter().rfind(|set| set.complete) else { return Ok(None) };
        let vector = self.vector(question, &set).filter(|vector| vector.len() == set.dimensions);
        Ok(vector.map(|vector| (set, vector)))
    }

    fn vector(&self, question: &Question<'_>, set: &VectorSet) -> Option<Rc<[f32]>> {
        if let Some(known) = question.vectors.borrow().get(&set.model) {
            return known.clone();
        }
        let model = ModelRef { identity: set.model.clone(), settings: set.settings.clone() };
        let asked = [question.text.to_owned()];
        let vector = self
            .embedders
            .get(&model, question.deadline)
            .and_then(|embedder| embedder.embed(&asked, Role::Query, question.deadline));
        let vector = match vector {
            Ok(mut vectors) => vectors.pop().flatten().map(Rc::from),
            Err(failure) => {
                if matches!(failure, ModelFailure::Refused(_)) {
                    self.embedders.close(&model);
                }
                tracing::warn!(%failure, "a question was answered without its vector");
                None
            }
        };
        question.vectors.borrow_mut().insert(model.identity, vector.clone());
        vector
    }
}
