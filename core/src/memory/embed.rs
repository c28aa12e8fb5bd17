//! Vectors of all stores, brought up in one job or, where little waits, quietly.

use std::time::Duration;

use coffer_domain::store::Mode;

use super::Memory;
use crate::error::Result;
use crate::knowledge::{Embedded, Heard, Left, StoreRef};

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
        self.knowledge().embed_all(&self.embedded_stores()?, progress)
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
        self.knowledge().embed_little(&self.embedded_stores()?)
    }

    /// How many documents of all stores wait for vectors.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn waiting_for_vectors(&self) -> Result<u64> {
        self.knowledge().all_to_embed(&self.embedded_stores()?)
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
    fn embedded_stores(&self) -> Result<Vec<StoreRef>> {
        let mut stores = Vec::new();
        for store in self.stores()? {
            let file = self.store_file(&store.name)?.unwrap_or_default();
            if file.is_enabled() && file.allows(Mode::Hybrid) {
                stores.push(self.store_ref(&store.name));
            }
        }
        Ok(stores)
    }
}
