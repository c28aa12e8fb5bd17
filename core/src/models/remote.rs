//! Models over HTTP, by the OpenAI-compatible interface that all providers have.
//!
//! Every text is scrubbed of secrets right before it leaves; one that cannot be scrubbed stays here
//! and has no vector. The asynchronous client is blocked on here and nowhere else.

mod account;
mod connection;
mod failure;
mod line;
mod send;
#[cfg(test)]
mod tests;
mod vectors;
mod wire;
mod writer;

use std::time::Instant;

use coffer_env::clock;

use super::{Embedder, ModelFailure, Role};
use crate::config::{EmbeddingConfig, Provider, Settings};
use crate::credentials::Credentials;
use crate::secrets;
use connection::Connection;
use wire::EmbeddingsIn;

pub(super) use writer::{RemoteWriter, ping};

/// The most texts of one request.
const BATCH_TEXTS: usize = 64;
/// About so many bytes of text go into one request; a longer text goes alone.
const BATCH_BYTES: usize = 100_000;
/// What a model is asked so that it shows the width of its vectors.
const SAMPLE: &str = "How wide is a vector?";

type Scrub<'a> = Result<secrets::Scrubbed<'a>, secrets::Unscrubbed>;

/// A model over HTTP that embeds.
pub(super) struct RemoteEmbedder {
    /// They name secrets that must not leave.
    settings: Settings,
    connection: Connection,
    provider: Provider,
    model: String,
    /// The width that is asked for, where it is set.
    asked: Option<u32>,
    width: usize,
}

impl RemoteEmbedder {
    /// Opens one. A width that is not set is asked for.
    pub(super) fn open(
        config: &EmbeddingConfig,
        credentials: &Credentials,
        settings: &Settings,
        deadline: Instant,
    ) -> Result<Self, ModelFailure> {
        let EmbeddingConfig { source, dimensions } = config;
        let mut embedder = Self {
            settings: settings.clone(),
            connection: Connection::open(source, credentials)?,
            provider: source.provider,
            model: source.model.clone(),
            asked: *dimensions,
            width: dimensions.map_or(0, |width| width as usize),
        };
        if dimensions.is_none() {
            let sample = vec![SAMPLE.to_owned()];
            let vectors = embedder.ask(sample, None, Role::Passage, deadline)?;
            embedder.width = vectors.first().map_or(0, Vec::len);
        }
        Ok(embedder)
    }

    /// One request.
    fn ask(
        &self,
        texts: Vec<String>,
        width: Option<usize>,
        role: Role,
        deadline: Instant,
    ) -> Result<Vec<Vec<f32>>, ModelFailure> {
        let count = texts.len();
        let request = EmbeddingsIn::new(self.provider, &self.model, texts, self.asked, role);
        let answer = self.connection.embeddings(request, deadline)?;
        vectors::of_answer(answer, count, width)
            .map_err(|reason| ModelFailure::Refused(format!("`{}` {reason}", self.model)))
    }
}

impl Embedder for RemoteEmbedder {
    fn dimensions(&self) -> usize {
        self.width
    }

    fn embed(
        &self,
        texts: &[String],
        role: Role,
        deadline: Instant,
    ) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
        let mut vectors = vec![None; texts.len()];
        let secrets = self.settings.secrets();
        let fit = |text: &String| fit_by(|text| secrets.scrub(text), text);
        let mut texts = texts.iter().enumerate().filter_map(|(at, text)| Some((at, fit(text)?)));
        let mut waiting = None;
        loop {
            let (places, batch) = batch(&mut waiting, &mut texts);
            if batch.is_empty() {
                return Ok(vectors);
            }
            if clock::instant() >= deadline {
                return Err(ModelFailure::Late);
            }
            let found = self.ask(batch, Some(self.width), role, deadline)?;
            for (place, vector) in places.into_iter().zip(found) {
                vectors[place] = Some(vector);
            }
        }
    }
}

/// A text as it may leave; `None` for an empty one, which no model takes, and for one that cannot be
/// scrubbed.
fn fit_by(scrub: impl Fn(&str) -> Scrub<'_>, text: &str) -> Option<String> {
    let scrubbed = scrub(text).ok()?.text;
    (!scrubbed.trim().is_empty()).then(|| scrubbed.into_owned())
}

/// Takes the next texts that go into one request, and what does not fit aside for the one after it.
fn batch(
    waiting: &mut Option<(usize, String)>,
    texts: &mut impl Iterator<Item = (usize, String)>,
) -> (Vec<usize>, Vec<String>) {
    let (mut places, mut batch, mut bytes) = (Vec::new(), Vec::new(), 0);
    while let Some((place, text)) = waiting.take().or_else(|| texts.next()) {
        let is_full = batch.len() == BATCH_TEXTS || bytes + text.len() > BATCH_BYTES;
        if is_full && !batch.is_empty() {
            *waiting = Some((place, text));
            break;
        }
        bytes += text.len();
        places.push(place);
        batch.push(text);
    }
    (places, batch)
}
