//! A model's folder: its files, read within bounds, and what they say of the model.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ModelKind;
use super::bert::{Activation, Shape};
use super::pooling::{Pooling, PoolingFile};
use super::unreachable;
use super::weights::Weights;
use crate::models::ModelFailure;
use crate::vault::Dir;

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
pub(in crate::models) const WEIGHTS: &str = "model.safetensors";
const MODULES: &str = "modules.json";
const POOLING: &str = "1_Pooling/config.json";
const SENTENCES: &str = "sentence_bert_config.json";
const PROMPTS: &str = "config_sentence_transformers.json";

/// The files of a model without which it cannot be.
pub(in crate::models) const NEEDED: [&str; 3] = [CONFIG, TOKENIZER, WEIGHTS];
/// All files of a model.
pub(in crate::models) const FILES: [&str; 7] =
    [CONFIG, TOKENIZER, WEIGHTS, MODULES, POOLING, SENTENCES, PROMPTS];

/// The longest file of settings that is read.
const SETTINGS_BYTES: u64 = 1 << 20;
/// The longest vocabulary that is read; that of 250,000 words has 17 MB.
const TOKENIZER_BYTES: u64 = 64 << 20;

/// What is wrong with a file of a model.
pub(super) fn damaged(file: &str, what: impl std::fmt::Display) -> ModelFailure {
    ModelFailure::Refused(format!("`{file}` {what}"))
}

/// A model's open folder.
pub(super) struct Folder {
    dir: Dir,
}

impl Folder {
    /// The folder of a model.
    pub(super) fn new(dir: Dir) -> Self {
        Self { dir }
    }

    /// What the model says of itself.
    pub(super) fn config(&self) -> Result<Config, ModelFailure> {
        self.json(CONFIG)?.ok_or_else(|| damaged(CONFIG, "is missing"))
    }

    /// The bytes of the tokenizer.
    pub(super) fn tokenizer(&self) -> Result<Vec<u8>, ModelFailure> {
        self.bytes(TOKENIZER, TOKENIZER_BYTES)?.ok_or_else(|| damaged(TOKENIZER, "is missing"))
    }

    /// The weights.
    pub(super) fn weights(&self) -> Result<Weights, ModelFailure> {
        let (file, size) = self.file(WEIGHTS)?.ok_or_else(|| damaged(WEIGHTS, "is missing"))?;
        Weights::open(file, size)
    }

    /// How the vectors of words become that of a text. A step that is none of ours is refused.
    pub(super) fn pooling(&self) -> Result<Pooling, ModelFailure> {
        for module in self.json::<Vec<Module>>(MODULES)?.unwrap_or_default() {
            let step = module.kind.rsplit('.').next().unwrap_or_default();
            if !["Transformer", "Pooling", "Normalize", "StaticEmbedding"].contains(&step) {
                return Err(damaged(MODULES, format!("asks for `{step}`, which is not supported")));
            }
        }
        self.json::<PoolingFile>(POOLING)?
            .map_or(Ok(Pooling::Mean), |file| file.pooling().map_err(|what| damaged(POOLING, what)))
    }

    /// How many tokens of a text the model was taught to read.
    pub(super) fn max_tokens(&self) -> Result<Option<usize>, ModelFailure> {
        let file = self.json::<Sentences>(SENTENCES)?;
        Ok(file.and_then(|file| file.max_seq_length).map(|most| most.max(FEWEST_TOKENS)))
    }

    /// What is to be said before texts, by names of roles.
    pub(super) fn prompts(&self) -> Result<BTreeMap<String, String>, ModelFailure> {
        Ok(self.json::<PromptsFile>(PROMPTS)?.and_then(|file| file.prompts).unwrap_or_default())
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, ModelFailure> {
        let Some(bytes) = self.bytes(name, SETTINGS_BYTES)? else { return Ok(None) };
        let read = serde_json::from_slice(&bytes);
        read.map(Some).map_err(|error| damaged(name, format!("cannot be understood: {error}")))
    }

    fn bytes(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, ModelFailure> {
        let Some((file, size)) = self.file(name)? else { return Ok(None) };
        if size > limit {
            return Err(damaged(name, format!("is larger than {} MiB", limit >> 20)));
        }
        let mut bytes = Vec::new();
        let read = file.take(limit).read_to_end(&mut bytes);
        read.map_err(|error| ModelFailure::Unavailable(format!("cannot read `{name}`: {error}")))?;
        Ok(Some(bytes))
    }

    fn file(&self, name: &str) -> Result<Option<(File, u64)>, ModelFailure> {
        let found = self.dir.open_at(name).map_err(|error| unreachable(&error))?;
        Ok(found.map(|(file, stat)| (file, stat.size)))
    }
}

/// Fewer tokens are no text.
const FEWEST_TOKENS: usize = 8;

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Sentences {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize)]
struct PromptsFile {
    prompts: Option<BTreeMap<String, String>>,
}

/// `config.json`: only what is used of it.
#[derive(Deserialize)]
pub(super) struct Config {
    model_type: Option<String>,
    hidden_size: Option<usize>,
    num_hidden_layers: Option<usize>,
    num_attention_heads: Option<usize>,
    intermediate_size: Option<usize>,
    max_position_embeddings: Option<usize>,
    layer_norm_eps: Option<f64>,
    hidden_act: Option<String>,
    position_embedding_type: Option<String>,
    pad_token_id: Option<usize>,
}

impl Config {
    /// What the model is.
    pub(super) fn kind(&self) -> Result<ModelKind, ModelFailure> {
        match self.model_type.as_deref() {
            Some("bert" | "roberta" | "xlm-roberta" | "camembert") => Ok(ModelKind::Bert),
            Some("model2vec") => Ok(ModelKind::Static),
            other => {
                let (found, known) = (other.unwrap_or_default(), "bert, xlm-roberta and model2vec");
                let what = format!("is of a model of type `{found}`; {known} can be used");
                Err(damaged(CONFIG, what))
            }
        }
    }

    /// The measures of a BERT.
    pub(super) fn bert(&self) -> Result<Shape, ModelFailure> {
        let number = |name: &str, value: Option<usize>, most: usize| match value {
            Some(value) if (1..=most).contains(&value) => Ok(value),
            _ => Err(damaged(CONFIG, format!("needs a `{name}` of 1 to {most}"))),
        };
        let width = number("hidden_size", self.hidden_size, 8_192)?;
        let heads = number("num_attention_heads", self.num_attention_heads, 256)?;
        if !width.is_multiple_of(heads) {
            let what = "has a `hidden_size` that its `num_attention_heads` do not divide";
            return Err(damaged(CONFIG, what));
        }
        if self.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") {
            return Err(damaged(CONFIG, "asks for a `position_embedding_type` but `absolute`"));
        }
        Ok(Shape {
            width,
            heads,
            layers: number("num_hidden_layers", self.num_hidden_layers, 64)?,
            inner: number("intermediate_size", self.intermediate_size, 32_768)?,
            positions: number("max_position_embeddings", self.max_position_embeddings, 32_768)?,
            first_position: self.first_position()?,
            epsilon: self.layer_norm_eps.unwrap_or(1e-12),
            activation: self.activation()?,
        })
    }

    /// The relatives of RoBERTa begin to count behind the token that fills up.
    fn first_position(&self) -> Result<usize, ModelFailure> {
        match (self.model_type.as_deref(), self.pad_token_id.unwrap_or(1)) {
            (Some("bert"), _) => Ok(0),
            (_, filler @ 0..=16) => Ok(filler + 1),
            _ => Err(damaged(CONFIG, "needs a `pad_token_id` of 0 to 16")),
        }
    }

    fn activation(&self) -> Result<Activation, ModelFailure> {
        match self.hidden_act.as_deref() {
            None | Some("gelu") => Ok(Activation::Gelu),
            Some("gelu_new" | "gelu_pytorch_tanh") => Ok(Activation::GeluTanh),
            Some("relu") => Ok(Activation::Relu),
            Some(other) => {
                Err(damaged(CONFIG, format!("asks for the activation `{other}`; use `gelu`")))
            }
        }
    }
}
