//! What goes over the wire: the OpenAI-compatible requests and answers, with what providers vary.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::Provider;
use crate::models::Role;

/// How many tokens a ping may cost.
const PING_TOKENS: u32 = 16;

/// A request for vectors.
#[derive(Serialize)]
pub(super) struct EmbeddingsIn {
    model: String,
    input: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<u32>,
    /// Voyage's word for `dimensions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_dimension: Option<u32>,
    /// Voyage's word for the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_type: Option<&'static str>,
    /// Jina's word for the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'static str>,
}

impl EmbeddingsIn {
    pub(super) fn new(
        provider: Provider,
        model: &str,
        input: Vec<String>,
        width: Option<u32>,
        role: Role,
    ) -> Self {
        let (dimensions, output_dimension) = match provider {
            Provider::Voyage => (None, width),
            _ => (width, None),
        };
        let input_type = (provider == Provider::Voyage).then_some(match role {
            Role::Query => "query",
            Role::Passage => "document",
        });
        let task = (provider == Provider::Jina && knows_tasks(model)).then_some(match role {
            Role::Query => "retrieval.query",
            Role::Passage => "retrieval.passage",
        });
        let model = model.to_owned();
        Self { model, input, dimensions, output_dimension, input_type, task }
    }
}

/// Jina's general models know the tasks of retrieval since their third version.
fn knows_tasks(model: &str) -> bool {
    let version = model.strip_prefix("jina-embeddings-v").and_then(|rest| rest.chars().next());
    version.is_some_and(|digit| ('3'..='9').contains(&digit))
}

/// The answer to it.
#[derive(Deserialize)]
pub(super) struct EmbeddingsOut {
    pub(super) data: Vec<EmbeddingOut>,
}

/// The vector of one text.
#[derive(Deserialize)]
pub(super) struct EmbeddingOut {
    /// Which text, from 0.
    #[serde(default)]
    pub(super) index: Option<usize>,
    pub(super) embedding: Vec<f32>,
}

/// A request for a text.
#[derive(Serialize)]
pub(super) struct ChatIn {
    model: String,
    messages: [Message; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    /// OpenAI's newer word for `max_tokens`; its newer models refuse the older one.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
}

#[derive(Serialize)]
struct Message {
    role: &'static str,
    content: &'static str,
}

impl ChatIn {
    pub(super) fn ping(provider: Provider, model: &str) -> Self {
        let (max_tokens, max_completion_tokens) = match provider {
            Provider::OpenAi | Provider::Azure => (None, Some(PING_TOKENS)),
            _ => (Some(PING_TOKENS), None),
        };
        let messages = [Message { role: "user", content: "Say: ok" }];
        Self { model: model.to_owned(), messages, max_tokens, max_completion_tokens }
    }
}

/// The answer to it: how many there are is all that counts.
#[derive(Deserialize)]
pub(super) struct ChatOut {
    pub(super) choices: Vec<IgnoredAny>,
}

/// What an error's body says, in any of the forms that providers use.
pub(super) fn message(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    // Gemini wraps its errors into a list.
    let body = body.get(0).unwrap_or(&body);
    let error = body.get("error").unwrap_or(body);
    let text =
        ["message", "detail"].iter().find_map(|key| error.get(key).or_else(|| body.get(key)));
    text.unwrap_or(error).as_str().map(str::to_owned)
}
