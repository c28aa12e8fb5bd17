//! OpenAI's chat completions, as OpenCode speaks them.

use serde_json::{Value, json};

use super::Script;
use crate::vendors::agent::texts;

pub(super) fn answer(script: &Script, body: &Value) -> String {
    // A title is asked for without any tools.
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let (delta, finish) = match &script.call {
        Some((tool, arguments)) if has_tools && results(body).is_empty() => {
            let function =
                json!({"name": format!("coffer_{tool}"), "arguments": arguments.to_string()});
            let call =
                json!({"index": 0, "id": "call_1", "type": "function", "function": function});
            (json!({"role": "assistant", "tool_calls": [call]}), "tool_calls")
        }
        _ => (json!({"role": "assistant", "content": script.text}), "stop"),
    };
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        let chunk = json!({"id": "chat_1", "object": "chat.completion.chunk", "created": 1,
            "model": body["model"], "choices": [choice]});
        format!("data: {chunk}\n\n")
    };
    [chunk(delta, Value::Null), chunk(json!({}), finish.into()), "data: [DONE]\n\n".to_owned()]
        .concat()
}

/// What the model is told that tools gave.
pub fn results(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let results = messages.filter(|message| message["role"] == "tool");
    results.map(|result| texts(&result["content"]).concat()).collect()
}
