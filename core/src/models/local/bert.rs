//! BERT and its relatives: the encoder only, as far as sentence embeddings need it.

mod read;
mod sums;

use candle_core::{Device, Module as _, Result, Tensor};
use candle_nn::LayerNorm;
use candle_nn::ops::softmax_last_dim;

use super::pooling::Pooling;
use sums::add;

pub(super) use sums::Activation;

/// What is added to the score of a token that only fills up.
const HIDDEN: f32 = -1e9;

/// The measures of a model.
pub(super) struct Shape {
    pub width: usize,
    pub heads: usize,
    pub layers: usize,
    pub inner: usize,
    pub positions: usize,
    pub first_position: usize,
    pub epsilon: f64,
    pub activation: Activation,
}

/// An encoder with its weights.
pub(super) struct Bert {
    words: Tensor,
    /// A row for each place in a text; the kind of sentence is added already.
    places: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    pooling: Pooling,
}

struct Layer {
    /// Queries, keys and values at once.
    asked: Dense,
    answered: Dense,
    answered_norm: LayerNorm,
    widened: Dense,
    narrowed: Dense,
    narrowed_norm: LayerNorm,
    heads: usize,
    activation: Activation,
}

impl Bert {
    /// How many numbers a vector has.
    pub(super) fn width(&self) -> usize {
        self.words.dims()[1]
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.words.dims()[0]
    }

    /// How many tokens a text may have.
    pub(super) fn max_tokens(&self) -> usize {
        self.places.dims()[0]
    }

    /// The vectors of texts, each given by its tokens; not yet of length 1.
    pub(super) fn vectors(&self, batch: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        let (texts, longest) = (batch.len(), batch.iter().map(|ids| ids.len()).max().unwrap_or(0));
        let mut ids = Vec::with_capacity(texts * longest);
        for text in batch {
            ids.extend_from_slice(text);
            ids.resize(ids.len() + longest - text.len(), 0);
        }
        let ids = Tensor::from_vec(ids, texts * longest, &Device::Cpu)?;
        let embedded = self.words.index_select(&ids, 0)?;
        let places = self.places.narrow(0, 0, longest)?;
        add(&embedded, &places.reshape((1, longest * self.width()))?, None)?;
        let mut state = self.norm.forward(&embedded)?;
        let mask = Mask::of(batch, longest)?;
        for layer in &self.layers {
            state = layer.forward(&state, &mask)?;
        }
        let state = state.reshape((texts, longest, self.width()))?;
        self.pool(&state, &mask)?.to_vec2()
    }

    fn pool(&self, state: &Tensor, mask: &Mask) -> Result<Tensor> {
        match self.pooling {
            Pooling::First => state.narrow(1, 0, 1)?.squeeze(1)?.contiguous(),
            // The mean but for its length, which is made 1 later.
            Pooling::Mean => mask.real.unsqueeze(1)?.matmul(state)?.squeeze(1),
        }
    }
}

/// Which tokens of a batch are real: 1 and 0, and what hides the others from attention.
struct Mask {
    real: Tensor,
    hidden: Option<Tensor>,
}

impl Mask {
    fn of(batch: &[&[u32]], longest: usize) -> Result<Self> {
        let is_real = |at: usize, ids: &[u32]| if at < ids.len() { 1.0 } else { 0.0 };
        let real: Vec<f32> =
            batch.iter().flat_map(|ids| (0..longest).map(move |at| is_real(at, ids))).collect();
        let is_full = real.iter().all(|real| *real > 0.0);
        let hidden: Vec<f32> = real.iter().map(|real| (1.0 - real) * HIDDEN).collect();
        let hidden = Tensor::from_vec(hidden, (batch.len(), longest), &Device::Cpu)?;
        let real = Tensor::from_vec(real, (batch.len(), longest), &Device::Cpu)?;
        Ok(Self { real, hidden: (!is_full).then_some(hidden) })
    }
}

/// A matrix, and what is added behind it.
struct Dense {
    matrix: Tensor,
    shift: Tensor,
}

impl Dense {
    fn forward(&self, state: &Tensor, then: Option<Activation>) -> Result<Tensor> {
        let product = state.matmul(&self.matrix.t()?)?;
        add(&product, &self.shift, then)?;
        Ok(product)
    }
}

impl Layer {
    /// The state has a row for each token of each text.
    fn forward(&self, state: &Tensor, mask: &Mask) -> Result<Tensor> {
        let attended = self.answered.forward(&self.attend(state, mask)?, None)?;
        add(&attended, state, None)?;
        let state = self.answered_norm.forward(&attended)?;
        let widened = self.widened.forward(&state, Some(self.activation))?;
        let narrowed = self.narrowed.forward(&widened, None)?;
        add(&narrowed, &state, None)?;
        self.narrowed_norm.forward(&narrowed)
    }

    fn attend(&self, state: &Tensor, mask: &Mask) -> Result<Tensor> {
        let (texts, length) = mask.real.dims2()?;
        let (tokens, width) = state.dims2()?;
        let head = width / self.heads;
        let asked = self.asked.forward(state, None)?;
        let asked = asked.reshape((texts, length, 3, self.heads, head))?;
        let part = |at| asked.narrow(2, at, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
        let (query, key, value) = (part(0)?, part(1)?, part(2)?);
        let scores = query.matmul(&key.t()?)?;
        if let Some(hidden) = &mask.hidden {
            add(&scores, hidden, None)?;
        }
        let answers = softmax_last_dim(&scores)?.matmul(&value)?;
        answers.transpose(1, 2)?.reshape((tokens, width))
    }
}
