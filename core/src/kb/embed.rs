//! Vectors of the documents, for knowledge bases that turn them on.

use super::{KnowledgeBases, Opened};
use crate::error::Result;
use crate::knowledge::{Embedded, Left, StoreRef, Vectors};

impl KnowledgeBases {
    /// Embeds what waits; where vectors were turned off, those that there are go. `progress` is told done
    /// and total documents, and ends the work by `false`.
    ///
    /// # Errors
    ///
    /// Index that cannot be read; `Cancelled`. A model that gives no vectors is none: documents wait.
    pub fn embed(&self, progress: &dyn Fn(u64, u64) -> bool) -> Result<Embedded> {
        for Opened { at, .. } in self.opened()? {
            if self.knowledge().model(&at).is_none() {
                self.knowledge().forget_vectors(&at)?;
            }
        }
        self.knowledge().embed_all(&self.embedded()?, progress)
    }

    /// Embeds what little waits.
    pub(crate) fn embed_few(&self) -> Result<Left> {
        self.knowledge().embed_little(&self.embedded()?)
    }

    /// How many documents wait for vectors.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn waiting_for_vectors(&self) -> Result<u64> {
        self.knowledge().all_to_embed(&self.embedded()?)
    }

    /// Whether one has vectors by a model of its own.
    pub(crate) fn has_own_vectors(&self) -> bool {
        let opened = self.opened().unwrap_or_default();
        opened.iter().any(|opened| matches!(opened.at.vectors, Vectors::Own(_)))
    }

    /// The knowledge bases whose texts a model may see.
    fn embedded(&self) -> Result<Vec<StoreRef>> {
        let opened = self.opened()?.into_iter();
        let used = opened.filter(|opened| opened.is_enabled).map(|opened| opened.at);
        Ok(used.filter(|at| self.knowledge().model(at).is_some()).collect())
    }

    /// All that can be read.
    pub(crate) fn opened(&self) -> Result<Vec<Opened>> {
        Ok(self.names()?.iter().filter_map(|name| self.open(name).ok()).collect())
    }
}
