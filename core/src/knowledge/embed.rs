//! Vectors brought up to the passages, beside everything else: no reader and no writer of memory
//! waits for a model.
//!
//! A document that changes waits for its vectors; until then the keyword indexes find it. A new model
//! fills a new set, and the set before answers until that one is complete.

use std::sync::{Arc, TryLockError};
use std::time::Duration;

use coffer_env::clock;

use super::cover::Cover;
use super::{Knowledge, Progress, StoreRef, locked};
use crate::error::{Error, Result};
use crate::index::{
    Unembedded, VectorSet, begin_set, complete_set, forget_sets, put_vectors, set_settings,
    unembedded, vector_sets, waiting_for,
};
use crate::models::{Embedder, ModelFailure, ModelRef, Role};
use crate::secrets::Custom;

/// So many passages are given to the model at once.
const BATCH: u32 = 32;
/// Opening a model, and a batch, may take so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// What every model takes.
const SAMPLE: &str = "How do we deploy?";

/// What a round of embedding did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Round {
    /// Passages that were given to the model.
    pub passages: u64,
    /// Why documents still wait, where the model gave no vectors.
    pub failure: Option<String>,
}

impl Knowledge {
    /// Embeds what waits in a store, where vectors are on.
    pub(crate) fn embed(&self, store: &StoreRef, progress: Progress<'_>) -> Result<Round> {
        let _one = locked(&self.embedding);
        self.embed_alone(store, progress)
    }

    /// As `embed`, for at most so many documents; `None` when more wait, or another embeds.
    pub(crate) fn embed_few(&self, store: &StoreRef, most: u64) -> Result<Option<Round>> {
        let _one = match self.embedding.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        match self.to_embed(store)? {
            0 => Ok(Some(Round::default())),
            many if many > most => Ok(None),
            _ => self.embed_alone(store, &|_, _| true).map(Some),
        }
    }

    /// How many documents of a store wait for vectors.
    pub(crate) fn to_embed(&self, store: &StoreRef) -> Result<u64> {
        let Some(model) = self.model(store) else { return Ok(0) };
        self.read(|db| waiting_for(db, &store.scope, &model.identity))
    }

    /// Takes the vectors of a store away. Settings that say nothing for a moment, as while a person
    /// mends them, are no reason to.
    pub(crate) fn forget_vectors(&self, store: &StoreRef) -> Result<()> {
        let _one = locked(&self.embedding);
        if self.read(|db| vector_sets(db, &store.scope))?.is_empty() {
            return Ok(());
        }
        self.write_index(|tx| forget_sets(tx, &store.scope))
    }

    fn embed_alone(&self, store: &StoreRef, progress: Progress<'_>) -> Result<Round> {
        let Some(model) = self.model(store) else { return Ok(Round::default()) };
        let total = self.to_embed(store)?;
        let done = self.embedders.get(&model, clock::instant() + PATIENCE).and_then(|embedder| {
            let set = self.set(store, &model, &*embedder).map_err(failed)?;
            self.fill(store, &set, &*embedder, total, progress)
        });
        let (passages, failure) = match done {
            Ok(Filled { cancelled: true, .. }) => return Err(Error::Cancelled),
            Ok(filled) => (filled.passages, None),
            Err(failure) => {
                self.embedders.close(&model);
                (0, Some(failure.to_string()))
            }
        };
        *locked(&self.trouble) = failure.clone();
        Ok(Round { passages, failure })
    }

    /// The set of a model, begun where there is none.
    fn set(
        &self,
        store: &StoreRef,
        model: &ModelRef,
        embedder: &dyn Embedder,
    ) -> Result<VectorSet> {
        let fits = |set: &&VectorSet| {
            set.model == model.identity && set.dimensions == embedder.dimensions()
        };
        let sets = self.read(|db| vector_sets(db, &store.scope))?;
        match sets.iter().find(fits) {
            Some(set) if set.settings == model.settings => Ok(set.clone()),
            Some(set) => {
                self.write_index(|tx| set_settings(tx, set, &model.settings))?;
                Ok(set.clone())
            }
            None => self.write_index(|tx| {
                let named = (model.identity.as_str(), model.settings.as_str());
                begin_set(tx, &store.scope, named, embedder.dimensions())
            }),
        }
    }

    fn fill(
        &self,
        store: &StoreRef,
        set: &VectorSet,
        embedder: &dyn Embedder,
        total: u64,
        progress: Progress<'_>,
    ) -> Result<Filled, ModelFailure> {
        let mut filled = Filled::default();
        let mut cover = Cover::new(self, store);
        let (mut place, mut done) = ((0, 0), 0);
        loop {
            let batch = self.read(|db| unembedded(db, &store.scope, set, place, BATCH));
            let batch = batch.map_err(failed)?;
            let Some(last) = batch.last().map(Unembedded::place) else { break };
            filled.passages += batch.len() as u64;
            let may_go_on = batch.len() == BATCH as usize;
            let vectors = vectors_of(embedder, &cover.texts(&batch))?;
            let batch: Vec<_> = batch.into_iter().zip(vectors).collect();
            let settled = self.write_index(|tx| put_vectors(tx, set, &batch, may_go_on));
            // A store that went away, or was merged, takes its set along.
            let Some(settled) = settled.map_err(failed)? else { return Ok(filled) };
            place = last;
            done += settled;
            if !progress(done.min(total), total) {
                filled.cancelled = true;
                return Ok(filled);
            }
        }
        self.write_index(|tx| complete_set(tx, &store.scope, set)).map_err(failed)?;
        Ok(filled)
    }

    fn write_index<T>(
        &self,
        work: impl Fn(&crate::index::Connection) -> crate::index::SqlResult<T>,
    ) -> Result<T> {
        self.index.write(|tx| work(tx)).map_err(Error::index)
    }

    /// The secrets that only the person knows of.
    pub(super) fn own_secrets(&self) -> Arc<Custom> {
        self.embedders.secrets()
    }

    /// The model that vectors are to be made with.
    pub(crate) fn embedding_model(&self) -> Option<String> {
        self.embedders.configured().map(|model| model.identity)
    }

    /// Why the model gave no vectors when it was last asked, if so.
    pub(crate) fn trouble(&self) -> Option<String> {
        locked(&self.trouble).clone()
    }
}

/// How far a set was filled.
#[derive(Debug, Default)]
struct Filled {
    passages: u64,
    cancelled: bool,
}

/// The vectors of a batch. A text that is refused where others are taken has none, so that one odd
/// document does not keep all others waiting.
fn vectors_of(
    embedder: &dyn Embedder,
    texts: &[Option<String>],
) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
    let given: Vec<String> = texts.iter().flatten().cloned().collect();
    let mut vectors = match checked(embedder, &given) {
        Err(ModelFailure::Refused(_)) => one_by_one(embedder, given)?,
        done => done?,
    }
    .into_iter();
    Ok(texts.iter().map(|text| text.as_ref().and_then(|_| vectors.next().flatten())).collect())
}

/// Each text for itself, if the model takes any text at all.
fn one_by_one(
    embedder: &dyn Embedder,
    texts: Vec<String>,
) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
    checked(embedder, &[SAMPLE.to_owned()])?;
    let vectors = texts.into_iter().map(|text| match checked(embedder, &[text]) {
        Ok(mut vector) => Ok(vector.pop().flatten()),
        Err(ModelFailure::Refused(_)) => Ok(None),
        Err(failure) => Err(failure),
    });
    vectors.collect()
}

fn checked(
    embedder: &dyn Embedder,
    texts: &[String],
) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
    let vectors = embedder.embed(texts, Role::Passage, clock::instant() + PATIENCE)?;
    let fits = |vector: &Vec<f32>| vector.len() == embedder.dimensions();
    if vectors.len() != texts.len() || !vectors.iter().flatten().all(fits) {
        return Err(ModelFailure::Refused(
            "the model answered other vectors than asked".to_owned(),
        ));
    }
    Ok(vectors)
}

/// An index that cannot be read or written just now; the next round tries again.
#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn failed(error: Error) -> ModelFailure {
    ModelFailure::Unavailable(error.to_string())
}
