//! Vectors brought up to the passages, beside everything else: no reader and no writer of memory
//! waits for a model.
//!
//! A document that changes waits for its vectors; until then the keyword indexes find it. A new model
//! fills a new set, and the set before answers until that one is complete.

use std::sync::TryLockError;
use std::time::Duration;

use coffer_env::clock;

use super::{Knowledge, Progress, StoreRef, locked};
use crate::error::{Error, Result};
use crate::index::{
    Unembedded, VectorSet, begin_set, complete_set, forget_sets, put_vectors, set_settings,
    unembedded, vector_sets, waiting, waiting_for,
};
use crate::models::{EmbedFailure, Embedder, ModelRef, Role};

/// So many passages are given to the model at once.
const BATCH: u32 = 32;
/// Opening a model, and a batch, may take so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a round of embedding did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Embedded {
    /// Passages that were given to the model.
    pub passages: u64,
    /// Documents that still wait.
    pub waiting: u64,
    /// Why they do, where the model gave no vectors.
    pub failure: Option<String>,
}

impl Knowledge {
    /// Embeds what waits in a store. With vectors turned off, those that there are go.
    pub(crate) fn embed(&self, store: &StoreRef, progress: Progress<'_>) -> Result<Embedded> {
        let _one = locked(&self.embedding);
        self.embed_alone(store, progress)
    }

    /// As `embed`, for at most so many documents; `None` when more wait, or another embeds.
    pub(crate) fn embed_few(&self, store: &StoreRef, most: u64) -> Result<Option<Embedded>> {
        let _one = match self.embedding.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        match self.to_embed(store)? {
            0 => Ok(Some(Embedded::default())),
            many if many > most => Ok(None),
            _ => self.embed_alone(store, &|_, _| true).map(Some),
        }
    }

    /// How many documents of a store wait for vectors, or have vectors that are to go.
    pub(crate) fn to_embed(&self, store: &StoreRef) -> Result<u64> {
        let model = self.embedders.configured();
        self.read(|db| match &model {
            None => Ok(vector_sets(db, &store.scope)?.len() as u64),
            Some(model) => waiting_for(db, &store.scope, &model.identity),
        })
    }

    fn embed_alone(&self, store: &StoreRef, progress: Progress<'_>) -> Result<Embedded> {
        let Some(model) = self.embedders.configured() else {
            self.write_index(|tx| forget_sets(tx, &store.scope))?;
            return Ok(Embedded::default());
        };
        let total = self.to_embed(store)?;
        let done = self.embedders.get(&model, clock::instant() + PATIENCE).and_then(|embedder| {
            let set = self.set(store, &model, &*embedder).map_err(failed)?;
            self.fill(store, &set, &*embedder, total, progress)
        });
        let waiting = self.read(|db| waiting(db, &store.scope))?;
        let (passages, failure) = match done {
            Ok(Filled { cancelled: true, .. }) => return Err(Error::Cancelled),
            Ok(filled) => (filled.passages, None),
            Err(failure) => {
                self.embedders.close(&model);
                (0, Some(failure.to_string()))
            }
        };
        *locked(&self.trouble) = failure.clone();
        Ok(Embedded { passages, waiting, failure })
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
    ) -> Result<Filled, EmbedFailure> {
        let mut filled = Filled::default();
        let mut place = (0, 0);
        loop {
            let batch = self.read(|db| unembedded(db, &store.scope, set, place, BATCH));
            let batch = batch.map_err(failed)?;
            let Some(last) = batch.last().map(Unembedded::place) else { break };
            filled.passages += batch.len() as u64;
            let may_go_on = batch.len() == BATCH as usize;
            let vectors = vectors_of(embedder, &batch)?;
            let batch: Vec<_> = batch.into_iter().zip(vectors).collect();
            self.write_index(|tx| put_vectors(tx, set, &batch, may_go_on)).map_err(failed)?;
            place = last;
            let waiting = self.read(|db| waiting(db, &store.scope)).map_err(failed)?;
            if !progress(total.saturating_sub(waiting), total) {
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
    batch: &[Unembedded],
) -> Result<Vec<Option<Vec<f32>>>, EmbedFailure> {
    let texts: Vec<String> = batch.iter().map(|passage| passage.text.clone()).collect();
    let refusal = match checked(embedder, &texts) {
        Err(EmbedFailure::Refused(refusal)) if texts.len() > 1 => refusal,
        done => return done,
    };
    let mut vectors = Vec::with_capacity(texts.len());
    for text in texts {
        match checked(embedder, &[text]) {
            Ok(vector) => vectors.push(vector),
            Err(EmbedFailure::Refused(_)) => vectors.push(Vec::new()),
            Err(failure) => return Err(failure),
        }
    }
    if vectors.iter().all(Vec::is_empty) {
        return Err(EmbedFailure::Refused(refusal));
    }
    Ok(vectors.into_iter().map(|mut vector| vector.pop().flatten()).collect())
}

fn checked(
    embedder: &dyn Embedder,
    texts: &[String],
) -> Result<Vec<Option<Vec<f32>>>, EmbedFailure> {
    let vectors = embedder.embed(texts, Role::Passage, clock::instant() + PATIENCE)?;
    let fits = |vector: &Vec<f32>| vector.len() == embedder.dimensions();
    if vectors.len() != texts.len() || !vectors.iter().flatten().all(fits) {
        return Err(EmbedFailure::Refused(
            "the model answered other vectors than asked".to_owned(),
        ));
    }
    Ok(vectors)
}

/// An index that cannot be read or written just now; the next round tries again.
#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn failed(error: Error) -> EmbedFailure {
    EmbedFailure::Unavailable(error.to_string())
}
