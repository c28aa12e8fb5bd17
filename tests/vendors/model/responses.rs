//! OpenAI's Responses API, as Codex speaks it: the tools of a server are in a namespace.

use serde_json::{Value, json};

use super::{Script, event};
use crate::vendors::agent::texts;

pub(super) fn answer(script: &Script, body: &Value) -> String {
    let item = match &script.call {
        Some((tool, arguments)) if results(body).is_empty() => json!({
            "type": "function_call", "id": "fc_1", "call_id": "call_1",
            "namespace": "mcp__coffer", "name": tool, "arguments": arguments.to_string()}),
        _ => json!({
            "type": "message", "id": "msg_1", "role": "assistant",
            "content": [{"type": "output_text", "text": script.text}]}),
    };
    let usage = json!({"input_tokens": 1, "input_tokens_details": null, "output_tokens": 1,
        "output_tokens_details": null, "total_tokens": 2});
    [
        event("response.created", json!({"response": {"id": "resp_1"}})),
        event("response.output_item.done", json!({"item": item})),
        event("response.completed", json!({"response": {"id": "resp_1", "usage": usage}})),
    ]
    .concat()
}

/// What the model is told that tools gave.
pub fn results(body: &Value) -> Vec<String> {
    let items = body["input"].as_array().into_iter().flatten();
    let results = items.filter(|item| item["type"] == "function_call_output");
    results.map(|result| texts(&result["output"]).concat()).collect()
}
