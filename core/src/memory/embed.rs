//! Vectors of all stores, brought up in one job or, where little waits, quietly.

use std::cell::Cell;
use std::time::Duration;

use coffer_domain::store::{Mode, StoreName};

use super::Memory;
use crate::error::Result;
use crate::knowledge::{Embedded as Round, Heard};

/// So many documents of a store are embedded without a job.
const FEW: u64 = 256;

/// What a round of embedding did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Passages that were given to the model.
    pub passages: u64,
    /// Documents that still wait.
    pub waiting: u64,
    /// Why they do, where the model gave no vectors.
    pub failure: Option<String>,
}

/// What a quiet round left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Nothing waits.
    Nothing,
    /// The model gave no vectors; later may do.
    Failed,
    /// More waits than is done quietly.
    Much,
}

impl Memory {
    /// Embeds what waits in every store that allows it; with vectors turned off, those that there are
    /// go. `progress` is told done and total documents, and ends the
    /// work by `false`.
    ///
    /// # Errors
    ///
    /// Index that cannot be read; `Cancelled`. A model that gives no vectors is none: documents wait.
    pub fn embed(&self, progress: &dyn Fn(u64, u64) -> bool) -> Result<Embedded> {
        if !self.knowledge().has_vectors() {
            self.forget_vectors()?;
            return Ok(Embedded::default());
        }
        let stores = self.embedded_stores()?;
        let waiting = stores.iter().map(|store| self.knowledge().to_embed(&self.store_ref(store)));
        let waiting: Vec<u64> = waiting.collect::<Result<_>>()?;
        let total: u64 = waiting.iter().sum();
        let before = Cell::new(0);
        let mut done = Embedded::default();
        for (store, waiting) in stores.iter().zip(waiting) {
            let told = |done: u64, _: u64| progress((before.get() + done).min(total), total);
            done += self.knowledge().embed(&self.store_ref(store), &told)?;
            before.set(before.get() + waiting);
            if done.failure.is_some() {
                break;
            }
        }
        done.waiting = self.waiting_for_vectors()?;
        Ok(done)
    }

    /// Takes all vectors away: they were turned off.
    fn forget_vectors(&self) -> Result<()> {
        let stores = self.stores()?;
        stores
            .iter()
            .try_for_each(|store| self.knowledge().forget_vectors(&self.store_ref(&store.name)))
    }

    /// Embeds what little waits in any store.
    pub(crate) fn embed_few(&self) -> Result<Left> {
        let mut left = Left::Nothing;
        for store in self.embedded_stores()? {
            match self.knowledge().embed_few(&self.store_ref(&store), FEW)? {
                None => left = Left::Much,
                Some(Round { failure: Some(_), .. }) => return Ok(Left::Failed),
                Some(Round { failure: None, .. }) => {}
            }
        }
        Ok(left)
    }

    /// How many documents of all stores wait for vectors.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn waiting_for_vectors(&self) -> Result<u64> {
        let stores = self.embedded_stores()?;
        stores.iter().map(|store| self.knowledge().to_embed(&self.store_ref(store))).sum()
    }

    /// Waits until documents may wait for vectors, or for so long.
    pub(crate) fn await_embedding(&self, patience: Duration) -> Heard {
        self.knowledge().bell().wait(patience)
    }

    /// Ends the waiting of `await_embedding`.
    pub(crate) fn ring_for_change(&self) {
        self.knowledge().bell().ring_for_change();
    }

    /// The model that vectors are to be made with; `None`: they are off.
    pub(crate) fn embedding_model(&self) -> Option<String> {
        self.knowledge().embedding_model()
    }

    /// Why documents wait for vectors, if the model gave none when it was last asked.
    pub fn embedding_trouble(&self) -> Option<String> {
        self.knowledge().trouble()
    }

    /// The stores whose texts a model may see: those that recall uses and that allow vectors.
    fn embedded_stores(&self) -> Result<Vec<StoreName>> {
        let mut names = Vec::new();
        for store in self.stores()? {
            let file = self.store_file(&store.name)?.unwrap_or_default();
            if file.is_enabled() && file.allows(Mode::Hybrid) {
                names.push(store.name);
            }
        }
        Ok(names)
    }
}

impl std::ops::AddAssign<Round> for Embedded {
    fn add_assign(&mut self, round: Round) {
        let Round { passages, failure } = round;
        self.passages += passages;
        self.failure = self.failure.take().or(failure);
    }
}
