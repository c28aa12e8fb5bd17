//! Embedding models that run in this process: folders as Hugging Face has them, never fetched here.
//!
//! Two kinds: BERT and its relatives, and static models, which are a table of vectors. A folder is
//! judged when it is opened: whatever is wrong with it is said then, and no file of it can stop the
//! program. Deliberately absent: other kinds of models, graphics cards, quantized weights.

mod batches;
mod bert;
mod folder;
mod pooling;
mod prompts;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod tokens;
mod weights;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use coffer_env::clock;

use super::name::ModelName;
use super::{Embedder, ModelFailure, Role};
use crate::vault::Dir;
use bert::Bert;
use folder::Folder;
use prompts::Prompts;
use table::Table;
use tokens::{Reader, Tokens};

pub(super) use folder::{FILES, NEEDED, WEIGHTS};

/// How many tokens of a text a BERT reads at most. Memory and time grow with their square, and a
/// chunk has fewer.
const MOST_TOKENS: usize = 512;

/// What a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// BERT or a relative.
    Bert,
    /// A table of vectors.
    Static,
}

/// An embedding model in this process.
pub struct LocalEmbedder {
    engine: Engine,
    reader: Reader,
    prompts: Prompts,
}

enum Engine {
    Bert(Box<Bert>),
    Table(Table),
}

impl ModelKind {
    const ALL: [Self; 2] = [Self::Bert, Self::Static];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::Static => "static",
        }
    }

    /// The kind of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Opens the model `name` of the folder of models.
///
/// # Errors
///
/// `Unavailable` when there is none of that name or its files cannot be reached, `Refused` when
/// they are incomplete, damaged or of a kind that cannot be used.
pub fn open(folder: &Path, name: &str) -> Result<LocalEmbedder, ModelFailure> {
    let Some(known) = ModelName::parse(name) else {
        return Err(ModelFailure::Refused(format!("the model's name {}", ModelName::RULE)));
    };
    let models = Dir::find(folder).map_err(|error| unreachable(&error))?;
    let found = models.map_or(Ok(None), |models| models.find_at(known.as_str()));
    let found = found.map_err(|error| unreachable(&error))?.ok_or_else(|| {
        let hint = "`coffer models list` shows which are";
        ModelFailure::Unavailable(format!("no model `{known}` is installed; {hint}"))
    })?;
    open_folder(found, &known)
}

/// Opens a folder as the model of a name.
pub(super) fn open_folder(dir: Dir, name: &ModelName) -> Result<LocalEmbedder, ModelFailure> {
    guarded(|| LocalEmbedder::open(&Folder::new(dir), name)).map_err(|failure| match failure {
        ModelFailure::Refused(reason) => {
            ModelFailure::Refused(format!("the model `{name}` cannot be used: {reason}"))
        }
        other => other,
    })
}

/// Size and time of an installed model's weights: others have others. `None` where there are none.
pub(super) fn weights(folder: &Path, name: &str) -> Option<String> {
    let name = ModelName::parse(name)?;
    let stat = Dir::open(folder).ok()?.at(name.as_str()).ok()?.stat(WEIGHTS).ok()??;
    Some(format!("{}-{}", stat.size, stat.mtime_ns))
}

/// What a folder's model is and how many numbers a vector of it has, without reading its weights.
pub(super) fn measure(dir: Dir) -> Result<(ModelKind, usize), ModelFailure> {
    guarded(|| {
        let folder = Folder::new(dir);
        let (config, weights) = (folder.config()?, folder.weights()?);
        match config.kind()? {
            ModelKind::Bert => Ok((ModelKind::Bert, config.bert()?.width)),
            ModelKind::Static => Ok((ModelKind::Static, Table::size(&weights)?.1)),
        }
    })
}

fn unreachable(error: &crate::error::Error) -> ModelFailure {
    ModelFailure::Unavailable(error.to_string())
}

/// Files from elsewhere are read by libraries of others: a panic of theirs is a refusal.
fn guarded<T>(work: impl FnOnce() -> Result<T, ModelFailure>) -> Result<T, ModelFailure> {
    let refused = || ModelFailure::Refused("its files are not what they seem to be".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(refused()))
}

impl LocalEmbedder {
    fn open(folder: &Folder, name: &ModelName) -> Result<Self, ModelFailure> {
        let config = folder.config()?;
        let pooling = folder.pooling()?;
        let mut weights = folder.weights()?;
        let (engine, frame) = match config.kind()? {
            ModelKind::Bert => {
                let bert = Bert::open(&mut weights, &config.bert()?, pooling)?;
                let taught = folder.max_tokens()?.unwrap_or(MOST_TOKENS);
                let most = taught.min(bert.max_tokens()).min(MOST_TOKENS);
                (Engine::Bert(Box::new(bert)), Tokens::Framed { most })
            }
            ModelKind::Static => (Engine::Table(Table::open(&mut weights)?), Tokens::Bare),
        };
        let reader = Reader::open(&folder.tokenizer()?, frame, engine.words())?;
        let prompts = Prompts::of(folder.prompts()?, name);
        Ok(Self { engine, reader, prompts })
    }

    /// What the model is.
    pub fn kind(&self) -> ModelKind {
        match self.engine {
            Engine::Bert(_) => ModelKind::Bert,
            Engine::Table(_) => ModelKind::Static,
        }
    }

    fn embed_all(
        &self,
        texts: &[String],
        role: Role,
        deadline: Instant,
    ) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
        let in_time = || if clock::instant() < deadline { Ok(()) } else { Err(ModelFailure::Late) };
        let mut inputs = Vec::with_capacity(texts.len());
        for text in texts {
            in_time()?;
            inputs.push(self.reader.read(self.prompts.of_role(role), text)?);
        }
        let mut vectors = vec![None; texts.len()];
        for batch in batches::by_length(&inputs) {
            in_time()?;
            let ids: Vec<&[u32]> = batch.iter().filter_map(|at| inputs[*at].as_deref()).collect();
            let found = threads::of_role(role)?.install(|| self.engine.vectors(&ids))?;
            for (at, vector) in batch.into_iter().zip(found) {
                vectors[at] = unit(vector)?;
            }
        }
        Ok(vectors)
    }
}

impl Embedder for LocalEmbedder {
    fn dimensions(&self) -> usize {
        match &self.engine {
            Engine::Bert(bert) => bert.width(),
            Engine::Table(table) => table.width(),
        }
    }

    fn embed(
        &self,
        texts: &[String],
        role: Role,
        deadline: Instant,
    ) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
        guarded(|| self.embed_all(texts, role, deadline))
    }
}

impl Engine {
    /// How many words it has vectors for.
    fn words(&self) -> usize {
        match self {
            Self::Bert(bert) => bert.words(),
            Self::Table(table) => table.words(),
        }
    }

    fn vectors(&self, batch: &[&[u32]]) -> Result<Vec<Vec<f32>>, ModelFailure> {
        match self {
            Self::Bert(bert) => bert.vectors(batch).map_err(|error| {
                ModelFailure::Refused(format!("the model cannot work on a text: {error}"))
            }),
            Self::Table(table) => Ok(batch.iter().map(|ids| table.vector(ids)).collect()),
        }
    }
}

/// The vector at length 1; `None` for one without direction.
fn unit(mut vector: Vec<f32>) -> Result<Option<Vec<f32>>, ModelFailure> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if !length.is_finite() {
        let reason = "its weights hold what are no numbers; install the model anew";
        return Err(ModelFailure::Refused(reason.to_owned()));
    }
    if length == 0.0 {
        return Ok(None);
    }
    vector.iter_mut().for_each(|x| *x /= length);
    Ok(Some(vector))
}
