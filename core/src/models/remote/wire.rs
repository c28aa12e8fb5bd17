//! What goes over the wire: the OpenAI-compatible requests and answers, with what providers vary.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::config::Provider;
use crate::models::{Call, Completed, Role, Said, Tool};

/// How many tokens a ping may cost.
const PING_TOKENS: u32 = 16;

/// More than any answer takes.
const MOST_TOKENS: u64 = 1 << 32;

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

/// A request for a text, or for calls of tools.
#[derive(Serialize)]
pub(super) struct ChatIn {
    model: String,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    /// OpenAI's newer word for `max_tokens`; its newer models refuse the older one.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
}

impl ChatIn {
    pub(super) fn ping(provider: Provider, model: &str) -> Self {
        let said = Said::User("Say: ok".to_owned());
        Self::new(provider, model, &[said], &[], PING_TOKENS)
    }

    pub(super) fn new(
        provider: Provider,
        model: &str,
        said: &[Said],
        tools: &[Tool],
        tokens: u32,
    ) -> Self {
        let (max_tokens, max_completion_tokens) = match provider {
            Provider::OpenAi | Provider::Azure => (None, Some(tokens)),
            _ => (Some(tokens), None),
        };
        let messages = said.iter().map(message_in).collect();
        let tools = tools.iter().map(tool_in).collect();
        Self { model: model.to_owned(), messages, tools, max_tokens, max_completion_tokens }
    }
}

fn message_in(said: &Said) -> Value {
    match said {
        Said::System(text) => json!({"role": "system", "content": text}),
        Said::User(text) => json!({"role": "user", "content": text}),
        Said::Model { text, calls } if calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Said::Model { text, calls } => {
            let content = (!text.is_empty()).then_some(text);
            let calls: Vec<Value> = calls.iter().map(call_in).collect();
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Said::Tool { call, text } => json!({"role": "tool", "tool_call_id": call, "content": text}),
    }
}

fn call_in(call: &Call) -> Value {
    let Call { id, name, arguments } = call;
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn tool_in(tool: &Tool) -> Value {
    let Tool { name, description, parameters } = tool;
    let parameters: Value = serde_json::from_str(parameters).unwrap_or_default();
    let function = json!({"name": name, "description": description, "parameters": parameters});
    json!({"type": "function", "function": function})
}

/// The answer to it.
#[derive(Deserialize)]
pub(super) struct ChatOut {
    pub(super) choices: Vec<ChoiceOut>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
pub(super) struct ChoiceOut {
    #[serde(default)]
    message: Option<MessageOut>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct MessageOut {
    #[serde(default)]
    content: Option<ContentOut>,
    #[serde(default)]
    tool_calls: Option<Vec<CallOut>>,
}

/// A text, or parts of one, as some providers have it.
#[derive(Deserialize)]
#[serde(untagged)]
enum ContentOut {
    Text(String),
    Parts(Vec<PartOut>),
}

#[derive(Deserialize)]
struct PartOut {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct CallOut {
    #[serde(default)]
    id: String,
    function: FunctionOut,
}

#[derive(Deserialize)]
struct FunctionOut {
    name: String,
    #[serde(default)]
    arguments: ArgumentsOut,
}

/// JSON as a text; some providers give the JSON itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum ArgumentsOut {
    Text(String),
    Json(Value),
}

impl Default for ArgumentsOut {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl ChatOut {
    /// What was said; `None` where nothing was.
    pub(super) fn completed(self) -> Option<Completed> {
        let tokens = cost(&self.usage);
        let ChoiceOut { message, finish_reason } = self.choices.into_iter().next()?;
        let message = message.unwrap_or_default();
        let text = match message.content {
            Some(ContentOut::Text(text)) => text,
            Some(ContentOut::Parts(parts)) => parts.into_iter().map(|part| part.text).collect(),
            None => String::new(),
        };
        let calls = message.tool_calls.unwrap_or_default().into_iter();
        let calls = calls.enumerate().map(|(at, call)| call.call(at)).collect();
        let is_cut = matches!(finish_reason.as_deref(), Some("length" | "content_filter"));
        Some(Completed { text, calls, is_cut, tokens })
    }
}

/// The tokens that a provider says it took, if it says so: no answer is free, and what is odd there must not
/// cost the answer.
fn cost(usage: &Value) -> Option<u64> {
    let of = |name| usage.get(name).and_then(Value::as_u64).unwrap_or_default();
    let sum = of("prompt_tokens").saturating_add(of("completion_tokens"));
    Some(of("total_tokens").max(sum).min(MOST_TOKENS)).filter(|tokens| *tokens > 0)
}

impl CallOut {
    /// A call without an id gets its number.
    fn call(self, at: usize) -> Call {
        let arguments = match self.function.arguments {
            ArgumentsOut::Text(text) => text,
            ArgumentsOut::Json(value) => value.to_string(),
        };
        let id = if self.id.is_empty() { format!("call_{at}") } else { self.id };
        Call { id, name: self.function.name, arguments }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(body: Value) -> Option<Completed> {
        serde_json::from_value::<ChatOut>(body).unwrap().completed()
    }

    #[test]
    fn what_an_answer_took_is_believed_only_where_it_makes_sense() {
        for (usage, tokens) in [
            (json!({"prompt_tokens": 90, "completion_tokens": 10}), Some(100)),
            (json!({"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 120}), Some(120)),
            (json!({"prompt_tokens": -5, "completion_tokens": 10}), Some(10)),
            (json!({"total_tokens": u64::MAX}), Some(MOST_TOKENS)),
            (json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}), None),
            (json!({"prompt_tokens": null, "total_tokens": "12"}), None),
            (json!({"total_tokens": 3.5}), None),
            (json!([]), None),
            (Value::Null, None),
        ] {
            let body = json!({"choices": [{"message": {"content": "a"}}], "usage": usage});
            let completed = completed(body).unwrap();
            assert_eq!((completed.text.as_str(), completed.tokens), ("a", tokens), "{usage}");
        }
        let silent = completed(json!({"choices": [{"message": null}]})).unwrap();
        assert_eq!((silent.text.as_str(), silent.tokens), ("", None));
        assert!(completed(json!({"choices": []})).is_none());
    }

    #[test]
    fn half_an_answer_says_so() {
        for (reason, is_cut) in [("stop", false), ("length", true), ("content_filter", true)] {
            let choice = json!({"message": {"content": "a"}, "finish_reason": reason});
            assert_eq!(completed(json!({"choices": [choice]})).unwrap().is_cut, is_cut, "{reason}");
        }
    }
}
