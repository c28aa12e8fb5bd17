//! Anthropic's Messages API, as Claude Code speaks it.
//!
//! Claude Code gives a model no tools of servers at first, but their names, and a tool to load them
//! by; so the scripted one does what a real one does: it loads the tool, and then calls it.

use serde_json::{Value, json};

use super::{Script, event};

/// The name that Claude Code gives to a tool of Coffer's.
fn named(tool: &str) -> String {
    format!("mcp__coffer__{tool}")
}

pub(super) fn answer(script: &Script, body: &Value) -> String {
    let results = results(body).len();
    let has = |name: &str| {
        body["tools"].as_array().is_some_and(|all| all.iter().any(|it| it["name"] == name))
    };
    let call = script.call.as_ref().and_then(|(tool, arguments)| {
        let name = named(tool);
        match (has(&name), results) {
            (false, 0) => {
                Some(("ToolSearch".to_owned(), json!({"query": format!("select:{name}")})))
            }
            (true, 0 | 1) => Some((name, arguments.clone())),
            _ => None,
        }
    });
    let id = format!("{results}");
    let (block, delta, stop) = match call {
        Some((name, input)) => (
            json!({"type": "tool_use", "id": format!("toolu_{id}"), "name": name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            "tool_use",
        ),
        None => (
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": script.text}),
            "end_turn",
        ),
    };
    let message = json!({"id": format!("msg_{id}"), "type": "message", "role": "assistant",
        "model": body["model"], "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1}});
    [
        event("message_start", json!({"message": message})),
        event("content_block_start", json!({"index": 0, "content_block": block})),
        event("content_block_delta", json!({"index": 0, "delta": delta})),
        event("content_block_stop", json!({"index": 0})),
        event(
            "message_delta",
            json!({"delta": {"stop_reason": stop, "stop_sequence": null},
            "usage": {"output_tokens": 1}}),
        ),
        event("message_stop", json!({})),
    ]
    .concat()
}

/// What tools gave, as the model is told.
fn results(body: &Value) -> Vec<&Value> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
    blocks.filter(|block| block["type"] == "tool_result").collect()
}
