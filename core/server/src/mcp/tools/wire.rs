//! Between a tool's types and JSON: arguments in, results out, and the schemas of both. Agents pay
//! for the schemas in every session, so that these say no word more than is needed.
//!
//! What a person would not see in a text no agent gets to see either.

use coffer_api::error::ErrorBody;
use coffer_domain::hidden;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Failure;
use crate::extract::of_shape;
use crate::mcp::frame;

/// Reads arguments; a wrong or unknown one is named.
pub(super) fn arguments<T: DeserializeOwned>(given: JsonObject) -> Result<T, Failure> {
    serde_path_to_error::deserialize(Value::Object(given))
        .map_err(|error| of_shape(&error.path().to_string(), &error.inner().to_string()))
}

/// A result: for programs as it is, for people and models as text.
pub(super) fn success(reply: &impl Serialize, text: &str) -> Result<CallToolResult, Failure> {
    let mut structured = serde_json::to_value(reply).map_err(|error| Failure::internal(&error))?;
    strip(&mut structured);
    let mut result = CallToolResult::success(vec![ContentBlock::text(hidden::strip(text))]);
    result.structured_content = Some(structured);
    Ok(result)
}

/// A failure of a tool, with the code that REST would give. It is text only: structured content
/// would have to follow the tool's output schema.
pub(super) fn failure(failure: Failure) -> CallToolResult {
    let body = serde_json::to_value(ErrorBody { error: failure.into_wire() });
    let mut body = body.unwrap_or_default();
    strip(&mut body);
    CallToolResult::error(vec![ContentBlock::text(body.to_string())])
}

/// Leaves hidden characters out of every text of an answer; rare line breaks become usual ones.
fn strip(value: &mut Value) {
    match value {
        Value::String(text) => {
            let seen = hidden::replace(text, |hidden, into| {
                into.extend(frame::is_break(hidden).then_some('\n'));
            });
            *text = seen.into_owned();
        }
        Value::Array(values) => values.iter_mut().for_each(strip),
        Value::Object(fields) => fields.values_mut().for_each(strip),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The schema of arguments, as small as agents need it: what is optional may be left out, so that
/// no null has to be allowed.
pub(super) fn input_schema<T: JsonSchema>() -> JsonObject {
    schema::<T>(|schema| {
        leave_out(schema, &["title", "format", "minimum"]);
        without_null(schema);
        collapse(schema);
        if schema.get("type").is_some_and(|kind| kind == "object") {
            // Some clients take an object without properties for a mistake.
            let none = Value::Object(JsonObject::new());
            schema.ensure_object().entry("properties").or_insert(none);
        }
    })
}

/// The schema of a result: its shape without words. Which parts are always there its reader sees.
pub(super) fn output_schema<T: JsonSchema>() -> JsonObject {
    schema::<T>(|schema| {
        leave_out(schema, &["title", "format", "minimum", "description", "required"]);
        collapse(schema);
    })
}

fn schema<T: JsonSchema>(slim: impl FnMut(&mut Schema)) -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(slim).transform(&mut schema);
    schema.remove("description");
    schema.as_object().cloned().unwrap_or_default()
}

fn leave_out(schema: &mut Schema, keys: &[&str]) {
    for key in keys {
        schema.remove(*key);
    }
}

fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.remove("anyOf") {
        let value = choices.into_iter().find(|choice| choice["type"] != "null");
        let value = value.and_then(|value| value.as_object().cloned()).unwrap_or_default();
        for (key, value) in value {
            if key != "description" {
                schema.insert(key, value);
            }
        }
    }
}

/// Alternatives that are one word each become one list of words.
fn collapse(schema: &mut Schema) {
    let words: Option<Vec<Value>> = schema.get("oneOf").and_then(Value::as_array).and_then(|all| {
        all.iter().map(|one| one.get("const").filter(|word| word.is_string()).cloned()).collect()
    });
    if let Some(words) = words {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), words.into());
    }
}

#[cfg(test)]
mod tests {
    use coffer_api::recall::RecallScope;

    use super::*;
    use crate::mcp::tools::forms::{NoArgs, RecallArgs, Recalled};

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
    fn what_does_not_show_is_left_out() {
        let text =
            "a\u{200b}b\u{202e}c\u{e0041}d\u{feff}\u{1b}[31me\tf\u{e0101}\u{115f}\u{fe05} 👩‍💻";
        let seen = "abcd[31me\tf 👩‍💻";
        let reply = serde_json::json!({"hits": [{"text": text}], "note": text, "n": 1});
        let result = success(&reply, &format!("> {text}\n")).unwrap();
        let said = serde_json::to_value(&result).unwrap();
        assert_eq!(said["content"][0]["text"], format!("> {seen}\n"));
        let expected = serde_json::json!({"hits": [{"text": seen}], "note": seen, "n": 1});
        assert_eq!(said["structuredContent"], expected);
        let failed = failure(Failure::new(coffer_api::error::ErrorCode::Internal, text));
        let said = serde_json::to_string(&failed).unwrap();
        assert!(!said.contains(['\u{200b}', '\u{e0041}', '\u{115f}']), "{said}");
        assert!(!said.contains("u001b"), "{said}");
    }

    #[test]
    fn schemas_say_no_more_than_is_needed() {
        let input = Value::Object(input_schema::<RecallArgs>());
        assert_eq!(input["required"], serde_json::json!(["query"]));
        assert_eq!(
            input["properties"]["scope"],
            serde_json::json!({"type": "string", "description": "Default both.",
                "enum": ["global", "project", "both"]})
        );
        assert_eq!(input["properties"]["top_k"]["type"], "integer");
        let output = serde_json::to_string(&output_schema::<Recalled>()).unwrap();
        assert!(!output.contains("description") && !output.contains("$ref"), "{output}");
        let nothing = serde_json::to_string(&input_schema::<NoArgs>()).unwrap();
        assert_eq!(nothing, r#"{"type":"object","additionalProperties":false,"properties":{}}"#);
    }
}
