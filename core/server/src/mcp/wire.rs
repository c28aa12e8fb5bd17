//! What travels in MCP: arguments in, results out, and the schemas of both.

use axum::response::{IntoResponse as _, Response};
use coffer_api::error::ErrorBody;
use coffer_api::facts::{FactOut, RememberedOut, Scope, SimilarOut};
use coffer_api::recall::{Hit, Mode, RecallScope};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, JsonObject, JsonRpcError};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Failure;
use crate::extract::of_shape;
use crate::wire::facts;

/// The code by which clients know that their session is gone.
const NO_SESSION: ErrorCode = ErrorCode(-32001);
/// The longest refusal of the library that is passed on, in bytes.
const SAID: usize = 16 << 10;

/// The arguments of `coffer__recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallArgs {
    /// What to look for, in plain words.
    pub(super) query: String,
    /// Default both.
    pub(super) scope: Option<RecallScope>,
    /// Default: the store's.
    pub(super) mode: Option<Mode>,
    /// 1 to 20, default 5.
    pub(super) top_k: Option<u32>,
}

/// The arguments of `coffer__remember`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RememberArgs {
    /// The fact, Markdown; one fact a call.
    pub(super) text: String,
    /// Default project.
    pub(super) scope: Option<Scope>,
    /// Default: the first line.
    pub(super) title: Option<String>,
    /// One line on what it says.
    pub(super) description: Option<String>,
}

/// The arguments of `coffer__set_handoff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandoffArgs {
    /// What is done, what is next, what to watch out for; Markdown.
    pub(super) body: String,
}

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoArgs {}

/// The arguments of `coffer__list_memory`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListArgs {
    /// Default: the project's store, outside a project the global one.
    pub(super) scope: Option<Scope>,
    /// 1 to 200, default 50.
    pub(super) limit: Option<u32>,
    /// How many to skip.
    pub(super) offset: Option<u32>,
}

/// The result of `coffer__recall`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Recalled {
    /// Best first.
    pub(super) hits: Vec<Hit>,
    /// How it was looked for.
    pub(super) mode: Mode,
    /// Whether a mode was asked for that could not be had.
    pub(super) fallback: bool,
    /// The stores that were asked.
    pub(super) stores: Vec<String>,
    /// Why the answer is partial or empty, when it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

/// The result of `coffer__remember`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Remembered {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) store: String,
    pub(super) path: String,
    /// Facts that say nearly the same; nothing was merged.
    pub(super) similar: Vec<SimilarOut>,
}

impl From<coffer_core::memory::Remembered> for Remembered {
    fn from(written: coffer_core::memory::Remembered) -> Self {
        let RememberedOut { fact, similar, indexed: _ } = facts::remembered(written);
        let FactOut { id, title, store_name: store, path, .. } = fact;
        Self { id, title, store, path, similar }
    }
}

/// Reads arguments; a wrong or unknown one is named.
pub(super) fn arguments<T: DeserializeOwned>(given: JsonObject) -> Result<T, Failure> {
    serde_path_to_error::deserialize(Value::Object(given))
        .map_err(|error| of_shape(&error.path().to_string(), &error.inner().to_string()))
}

/// A result: for programs as it is, for people and models as text.
pub(super) fn success(reply: &impl Serialize, text: String) -> Result<CallToolResult, Failure> {
    let structured = serde_json::to_value(reply).map_err(|error| Failure::internal(&error))?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    Ok(result)
}

/// A failure of a tool, with the code that REST would give. It is text only: structured content
/// would have to follow the tool's output schema.
pub(super) fn failure(failure: Failure) -> CallToolResult {
    let body = ErrorBody { error: failure.into_wire() };
    let text = serde_json::to_string(&body).unwrap_or_else(|_| body.error.message.clone());
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// The schema of arguments, as small as agents need it.
pub(super) fn input_schema<T: JsonSchema>() -> JsonObject {
    schema::<T>(&["title", "format", "minimum"])
}

/// The schema of a result: its shape without words.
pub(super) fn output_schema<T: JsonSchema>() -> JsonObject {
    schema::<T>(&["title", "format", "minimum", "description"])
}

fn schema<T: JsonSchema>(left_out: &'static [&str]) -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let mut slim = RecursiveTransform(move |schema: &mut schemars::Schema| {
        for key in left_out {
            schema.remove(*key);
        }
    });
    slim.transform(&mut schema);
    schema.as_object().cloned().unwrap_or_default()
}

/// Looks at a body; what is no JSON object gets the protocol's own error. What else a message has
/// to be is the library's to say.
pub(super) fn check_message(body: &[u8]) -> Result<(), Box<Response>> {
    let refusal = match serde_json::from_slice::<IgnoredAny>(body) {
        Ok(_) if body.trim_ascii_start().first() == Some(&b'{') => return Ok(()),
        Ok(_) => ErrorData::invalid_request("a body is one JSON-RPC message, an object", None),
        Err(error) => ErrorData::parse_error(format!("the body is no JSON: {error}"), None),
    };
    Err(Box::new(error(StatusCode::BAD_REQUEST, refusal)))
}

/// The library refuses in plain text; here it becomes the protocol's error, status kept. What it
/// calls an unsupported type is a message of the wrong shape: the guard has seen to the type.
pub(super) async fn translated(response: Response) -> Response {
    let status = response.status();
    let plain = response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "application/json");
    if !(plain && (status.is_client_error() || status.is_server_error())) {
        return response;
    }
    let said = axum::body::to_bytes(response.into_body(), SAID).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    match status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            error(StatusCode::BAD_REQUEST, ErrorData::invalid_request(said, None))
        }
        StatusCode::NOT_FOUND => error(status, ErrorData::new(NO_SESSION, said, None)),
        _ if status.is_client_error() => error(status, ErrorData::invalid_request(said, None)),
        _ => error(
            status,
            ErrorData::internal_error(Failure::internal(&said).into_wire().message, None),
        ),
    }
}

fn error(status: StatusCode, error: ErrorData) -> Response {
    let body = serde_json::to_string(&JsonRpcError::new(None, error)).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_named_when_refused() {
        let check = |json: &str, field: &str| {
            let given = serde_json::from_str(json).unwrap();
            let wire = arguments::<RecallArgs>(given).unwrap_err().into_wire();
            assert_eq!(wire.details.fields.keys().collect::<Vec<_>>(), [field], "{json}");
        };
        check("{}", "query");
        check(r#"{"query":"x","extra":1}"#, "extra");
        check(r#"{"query":"x","scope":"everything"}"#, "scope");
        check(r#"{"query":"x","top_k":"five"}"#, "top_k");
        let given = serde_json::from_str(r#"{"query":"x","scope":"both","mode":null}"#).unwrap();
        assert_eq!(arguments::<RecallArgs>(given).unwrap().scope, Some(RecallScope::Both));
    }

    #[test]
    fn bodies_are_one_message() {
        assert!(check_message(br#" {"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_ok());
        for bad in [&b"{"[..], b"", b"[]", b"1", b"\xff"] {
            assert_eq!(
                check_message(bad).unwrap_err().status(),
                StatusCode::BAD_REQUEST,
                "{bad:?}"
            );
        }
    }
}
