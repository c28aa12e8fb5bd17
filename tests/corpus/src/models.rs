//! Tiny embedding models, in the form in which Hugging Face has them: a BERT, and a static model
//! whose words of one topic point the same way.

mod files;

use std::io;
use std::path::Path;

use crate::Numbers;
use files::{Tensor, safetensors, tokenizer};

/// How many numbers a vector of the BERT has.
pub const BERT_WIDTH: usize = 32;
/// How many numbers a vector of the static model has.
pub const TABLE_WIDTH: usize = 16;
/// How many tokens the BERT reads of a text.
pub const BERT_TOKENS: usize = 96;

const INNER: usize = 64;
const LAYERS: usize = 2;
const POSITIONS: usize = 128;

/// Words that mean much the same; the static model gives each row a direction.
pub const TOPICS: [&[&str]; 12] = [
    &["car", "automobile", "vehicle", "truck"],
    &["release", "deploy", "ship", "publish", "rollout"],
    &["database", "postgres", "sqlite", "table", "query"],
    &["test", "check", "verify", "assert"],
    &["password", "secret", "token", "key", "credential"],
    &["error", "failure", "crash", "panic", "bug"],
    &["fast", "quick", "speed", "performance", "slow"],
    &["memory", "remember", "recall", "note"],
    &["money", "price", "cost", "invoice", "payment"],
    &["color", "theme", "dark", "light", "style"],
    &["file", "folder", "path", "directory"],
    &["user", "person", "customer", "account"],
];

/// Words without a topic.
const PLAIN: [&str; 30] = [
    "the", "a", "an", "we", "you", "it", "is", "are", "do", "how", "what", "which", "when", "why",
    "to", "of", "in", "on", "by", "for", "with", "and", "or", "not", "never", "always", "this",
    "that", "use", "project",
];

/// Writes the BERT: two layers, seeded weights, less than 200 KB. `folder` has to be there.
///
/// # Errors
///
/// Files that cannot be written.
pub fn write_bert(folder: &Path) -> io::Result<()> {
    let words = words();
    let config = format!(
        r#"{{"model_type": "bert", "hidden_size": {BERT_WIDTH}, "num_hidden_layers": {LAYERS},
"num_attention_heads": 4, "intermediate_size": {INNER}, "hidden_act": "gelu",
"max_position_embeddings": {POSITIONS}, "layer_norm_eps": 1e-12, "type_vocab_size": 2,
"pad_token_id": 0, "vocab_size": {}}}"#,
        words.len()
    );
    std::fs::write(folder.join("config.json"), config)?;
    std::fs::write(folder.join("tokenizer.json"), tokenizer(&words))?;
    let sentences = format!(r#"{{"max_seq_length": {BERT_TOKENS}}}"#);
    std::fs::write(folder.join("sentence_bert_config.json"), sentences)?;
    std::fs::create_dir_all(folder.join("1_Pooling"))?;
    let pooling = r#"{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}"#;
    std::fs::write(folder.join("1_Pooling/config.json"), pooling)?;
    std::fs::write(folder.join("model.safetensors"), safetensors(&bert_tensors(words.len())))
}

/// Writes the static model. `folder` has to be there.
///
/// # Errors
///
/// Files that cannot be written.
pub fn write_table(folder: &Path) -> io::Result<()> {
    let words = words();
    let config = r#"{"model_type": "model2vec", "normalize": true}"#;
    std::fs::write(folder.join("config.json"), config)?;
    std::fs::write(folder.join("tokenizer.json"), tokenizer(&words))?;
    let rows = words.iter().flat_map(|word| direction(word)).collect();
    let tensor = Tensor::new("embeddings", &[words.len(), TABLE_WIDTH], rows);
    std::fs::write(folder.join("model.safetensors"), safetensors(&[tensor]))
}

/// The vocabulary: marks, letters, so that every Latin word can be spelled, and words.
fn words() -> Vec<String> {
    let marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned);
    let letters = || "abcdefghijklmnopqrstuvwxyz0123456789".chars();
    let inside = letters().map(|letter| format!("##{letter}"));
    let signs = ".,:;!?'\"-_/()".chars().map(String::from);
    let single = letters().filter(|letter| *letter != 'a').map(String::from);
    let whole = TOPICS.iter().flat_map(|topic| topic.iter()).chain(&PLAIN);
    let whole = whole.map(|word| (*word).to_owned());
    marks.into_iter().chain(single).chain(inside).chain(signs).chain(whole).collect()
}

/// A word's vector in the static model: that of its topic, a little moved.
fn direction(word: &str) -> Vec<f32> {
    let topic = TOPICS.iter().position(|topic| topic.contains(&word));
    let (mut of_word, strength) =
        (Numbers::new(seed(word)), if topic.is_some() { 0.3 } else { 0.1 });
    let mut of_topic = Numbers::new(topic.map_or(0, |topic| 1_000 + topic as u64));
    let base = |numbers: &mut Numbers| if topic.is_some() { number(numbers) } else { 0.0 };
    (0..TABLE_WIDTH).map(|_| base(&mut of_topic) + strength * number(&mut of_word)).collect()
}

fn seed(word: &str) -> u64 {
    u64::from(crc32fast::hash(word.as_bytes()))
}

/// A number between -1 and 1.
fn number(numbers: &mut Numbers) -> f32 {
    let drawn = u16::try_from(numbers.below(20_001)).unwrap_or(0);
    f32::from(drawn) / 10_000.0 - 1.0
}

fn bert_tensors(words: usize) -> Vec<Tensor> {
    let mut numbers = Numbers::new(7);
    let mut drawn = |name: String, shape: &[usize]| {
        let count = shape.iter().product();
        Tensor::new(&name, shape, (0..count).map(|_| 0.3 * number(&mut numbers)).collect())
    };
    let even =
        |name: String, value: f32| Tensor::new(&name, &[BERT_WIDTH], vec![value; BERT_WIDTH]);
    let norm = |at: &str| {
        [even(format!("{at}.LayerNorm.weight"), 1.0), even(format!("{at}.LayerNorm.bias"), 0.0)]
    };
    let mut tensors = Vec::from(norm("embeddings"));
    for (name, rows) in [("word", words), ("position", POSITIONS), ("token_type", 2)] {
        tensors.push(drawn(format!("embeddings.{name}_embeddings.weight"), &[rows, BERT_WIDTH]));
    }
    for layer in (0..LAYERS).map(|at| format!("encoder.layer.{at}")) {
        for (name, to, from) in [
            ("attention.self.query", BERT_WIDTH, BERT_WIDTH),
            ("attention.self.key", BERT_WIDTH, BERT_WIDTH),
            ("attention.self.value", BERT_WIDTH, BERT_WIDTH),
            ("attention.output.dense", BERT_WIDTH, BERT_WIDTH),
            ("intermediate.dense", INNER, BERT_WIDTH),
            ("output.dense", BERT_WIDTH, INNER),
        ] {
            tensors.push(drawn(format!("{layer}.{name}.weight"), &[to, from]));
            tensors.push(drawn(format!("{layer}.{name}.bias"), &[to]));
        }
        tensors.extend(norm(&format!("{layer}.attention.output")));
        tensors.extend(norm(&format!("{layer}.output")));
    }
    tensors
}
