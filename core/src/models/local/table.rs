//! Static models: a vector for each word, and a text is the mean of its words.

use super::folder::{WEIGHTS, damaged};
use super::weights::{Weights, unfit};
use crate::models::ModelFailure;

/// Names of the one tensor: of model2vec, and of sentence-transformers.
const NAMES: [&str; 2] = ["embeddings", "embedding.weight"];
/// Tensors of a smaller form, which is another model than its rows alone.
const SMALLER: [&str; 2] = ["mapping", "weights"];

/// A table of vectors.
pub(super) struct Table {
    numbers: Vec<f32>,
    width: usize,
}

impl Table {
    /// Reads the table.
    pub(super) fn open(weights: &mut Weights) -> Result<Self, ModelFailure> {
        if let Some(name) = SMALLER.iter().find(|name| weights.has(name)) {
            return Err(damaged(WEIGHTS, format!("has a `{name}`, which is not supported")));
        }
        let name = name(weights);
        let (rows, width) = Self::size(weights)?;
        let numbers = weights.tensor(name, &[rows, width])?.flatten_all();
        let numbers = numbers.and_then(|numbers| numbers.to_vec1());
        Ok(Self { numbers: numbers.map_err(|error| unfit(name, &error))?, width })
    }

    /// How many words a table has, and how many numbers a vector of it.
    pub(super) fn size(weights: &Weights) -> Result<(usize, usize), ModelFailure> {
        weights.size(name(weights))
    }

    /// How many numbers a vector has.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.numbers.len() / self.width
    }

    /// The vector of a text, given by its tokens: the mean but for its length, which is made 1
    /// later. Zero for one without words.
    pub(super) fn vector(&self, ids: &[u32]) -> Vec<f32> {
        let mut sum = vec![0.0; self.width];
        let rows = ids.iter().filter_map(|id| self.row(*id));
        rows.for_each(|row| sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x));
        sum
    }

    fn row(&self, id: u32) -> Option<&[f32]> {
        let from = usize::try_from(id).ok()?.checked_mul(self.width)?;
        self.numbers.get(from..from.checked_add(self.width)?)
    }
}

fn name(weights: &Weights) -> &'static str {
    NAMES.into_iter().find(|name| weights.has(name)).unwrap_or(NAMES[0])
}
