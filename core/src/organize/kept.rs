//! Questions that a model answered with `keep`. Asked again word for word they would cost again and say the
//! same; another text, another topic that may fit, or another model makes another question. Known as long as
//! the program runs.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coffer_domain::id::sha256;

use super::Question;

/// So many are known at most.
const MOST: usize = 10_000;

/// The questions of one home, by what they ask.
#[derive(Clone, Default)]
pub(super) struct Kept(Arc<Mutex<HashSet<String>>>);

impl Kept {
    /// Whether a model answered a question so.
    pub(super) fn knows(&self, model: &str, question: &Question) -> bool {
        self.all().contains(&key(model, question))
    }

    /// It did.
    pub(super) fn note(&self, model: &str, question: &Question) {
        let mut all = self.all();
        if all.len() == MOST {
            all.clear();
        }
        all.insert(key(model, question));
    }

    fn all(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(model: &str, question: &Question) -> String {
    sha256(format!("{model}\n{}", question.material))
}
