//! Vectors of several stores, brought up in one job or, where little waits, quietly.

use std::cell::Cell;

use super::embed::Round;
use super::{Knowledge, Progress, StoreRef};
use crate::error::Result;

/// So many documents of a store are embedded without a job.
const FEW: u64 = 256;

/// What bringing vectors up did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Passages that were given to the model.
    pub passages: u64,
    /// Documents that still wait.
    pub waiting: u64,
    /// Why they do, where the model gave no vectors.
    pub failure: Option<String>,
}

impl std::ops::AddAssign for Embedded {
    fn add_assign(&mut self, other: Self) {
        self.passages += other.passages;
        self.waiting += other.waiting;
        self.failure = self.failure.take().or(other.failure);
    }
}

/// What a quiet round left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Left {
    /// Nothing waits.
    Nothing,
    /// More waits than is done quietly.
    Much,
    /// The model gave no vectors; later may do.
    Failed,
}

impl Knowledge {
    /// Embeds what waits in stores. `progress` is told done and total documents, and ends the work by
    /// `false`.
    pub(crate) fn embed_all(
        &self,
        stores: &[StoreRef],
        progress: Progress<'_>,
    ) -> Result<Embedded> {
        let waiting: Vec<u64> =
            stores.iter().map(|store| self.to_embed(store)).collect::<Result<_>>()?;
        let total: u64 = waiting.iter().sum();
        let before = Cell::new(0);
        let mut done = Embedded::default();
        for (store, waiting) in stores.iter().zip(waiting) {
            let told = |done: u64, _: u64| progress((before.get() + done).min(total), total);
            let Round { passages, failure } = self.embed(store, &told)?;
            before.set(before.get() + waiting);
            done += Embedded { passages, waiting: 0, failure };
            if done.failure.is_some() {
                break;
            }
        }
        done.waiting = self.all_to_embed(stores)?;
        Ok(done)
    }

    /// Embeds what little waits in any of some stores.
    pub(crate) fn embed_little(&self, stores: &[StoreRef]) -> Result<Left> {
        let mut left = Left::Nothing;
        for store in stores {
            match self.embed_few(store, FEW)? {
                None => left = Left::Much,
                Some(Round { failure: Some(_), .. }) => return Ok(Left::Failed),
                Some(Round { failure: None, .. }) => {}
            }
        }
        Ok(left)
    }

    /// How many documents of some stores wait for vectors.
    pub(crate) fn all_to_embed(&self, stores: &[StoreRef]) -> Result<u64> {
        stores.iter().map(|store| self.to_embed(store)).sum()
    }
}
