//! A BERT out of its file of weights, each part of the shape that it must have.

use candle_core::Tensor;
use candle_nn::LayerNorm;

use super::{Bert, Dense, Layer, Shape};
use crate::models::ModelFailure;
use crate::models::local::folder::{WEIGHTS, damaged};
use crate::models::local::pooling::Pooling;
use crate::models::local::weights::{Weights, unfit};

const WORDS: &str = "embeddings.word_embeddings.weight";
const PLACES: &str = "embeddings.position_embeddings.weight";
const KINDS: &str = "embeddings.token_type_embeddings.weight";
/// Under which names the encoder stands in files of whole models.
const PREFIXES: [&str; 3] = ["", "bert.", "roberta."];

impl Bert {
    /// Reads the weights.
    pub(in crate::models::local) fn open(
        weights: &mut Weights,
        shape: &Shape,
        pooling: Pooling,
    ) -> Result<Self, ModelFailure> {
        weights.look_below(&PREFIXES, WORDS);
        let (count, width) = weights.size(WORDS)?;
        if width != shape.width {
            let what = format!("has words of {width} numbers, where {} are needed", shape.width);
            return Err(damaged(WEIGHTS, what));
        }
        Ok(Self {
            places: places(weights, shape)?,
            words: weights.tensor(WORDS, &[count, width])?,
            norm: norm(weights, "embeddings", shape)?,
            layers: (0..shape.layers)
                .map(|at| Layer::open(weights, shape, &format!("encoder.layer.{at}")))
                .collect::<Result<_, _>>()?,
            pooling,
        })
    }
}

impl Layer {
    fn open(weights: &mut Weights, shape: &Shape, at: &str) -> Result<Self, ModelFailure> {
        let (width, inner) = (shape.width, shape.inner);
        Ok(Self {
            asked: asked(weights, shape, &format!("{at}.attention.self"))?,
            answered: linear(weights, &format!("{at}.attention.output.dense"), width, width)?,
            answered_norm: norm(weights, &format!("{at}.attention.output"), shape)?,
            widened: linear(weights, &format!("{at}.intermediate.dense"), inner, width)?,
            narrowed: linear(weights, &format!("{at}.output.dense"), width, inner)?,
            narrowed_norm: norm(weights, &format!("{at}.output"), shape)?,
            heads: shape.heads,
            activation: shape.activation,
        })
    }
}

fn places(weights: &mut Weights, shape: &Shape) -> Result<Tensor, ModelFailure> {
    let all = weights.tensor(PLACES, &[shape.positions, shape.width])?;
    let usable = shape.positions.saturating_sub(shape.first_position);
    let mut places = all.narrow(0, shape.first_position, usable).map_err(|e| unfit(PLACES, &e))?;
    if weights.has(KINDS) {
        let (count, width) = weights.size(KINDS)?;
        let all = weights.tensor(KINDS, &[count, width])?;
        let first = all.narrow(0, 0, 1).and_then(|kind| places.broadcast_add(&kind));
        places = first.map_err(|error| unfit(KINDS, &error))?;
    }
    Ok(places)
}

/// One matrix for queries, keys and values. The scores' scale is put into the queries here, so that
/// it is not multiplied again for each text.
fn asked(weights: &mut Weights, shape: &Shape, at: &str) -> Result<Dense, ModelFailure> {
    let width = shape.width;
    let head = u16::try_from(width / shape.heads).unwrap_or(u16::MAX);
    let scale = 1.0 / f64::from(head).sqrt();
    let (mut matrices, mut shifts) = (Vec::new(), Vec::new());
    for (part, scale) in [("query", scale), ("key", 1.0), ("value", 1.0)] {
        let mut scaled = |name: &str, shape: &[usize]| {
            let name = format!("{at}.{part}.{name}");
            (weights.tensor(&name, shape)? * scale).map_err(|error| unfit(&name, &error))
        };
        matrices.push(scaled("weight", &[width, width])?);
        shifts.push(scaled("bias", &[width])?);
    }
    let joined = |parts: &[Tensor]| Tensor::cat(parts, 0).map_err(|error| unfit(at, &error));
    dense(joined(&matrices)?, &joined(&shifts)?)
}

fn linear(weights: &mut Weights, at: &str, to: usize, from: usize) -> Result<Dense, ModelFailure> {
    let matrix = weights.tensor(&format!("{at}.weight"), &[to, from])?;
    dense(matrix, &weights.tensor(&format!("{at}.bias"), &[to])?)
}

fn dense(matrix: Tensor, shift: &Tensor) -> Result<Dense, ModelFailure> {
    let shift = shift.unsqueeze(0).map_err(|error| unfit("bias", &error))?;
    Ok(Dense { matrix, shift })
}

/// Older files call the two parts by other names.
fn norm(weights: &mut Weights, at: &str, shape: &Shape) -> Result<LayerNorm, ModelFailure> {
    let old = format!("{at}.LayerNorm.gamma");
    let (scale, shift) = if weights.has(&old) { ("gamma", "beta") } else { ("weight", "bias") };
    let mut part = |name| weights.tensor(&format!("{at}.LayerNorm.{name}"), &[shape.width]);
    Ok(LayerNorm::new(part(scale)?, part(shift)?, shape.epsilon))
}
