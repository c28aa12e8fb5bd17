//! Anthropic's Messages API, as Claude Code speaks it.
//!
//! Claude Code gives a model no tools of servers at first, but their names, and a tool to load them
//! by; so the scripted one does what a real one does: it loads the tool, and then calls it.

use serde_json::{Value, json};

use super::{Script, event};
use crate::vendors::agent::texts;

/// The name that Claude Code gives to a tool of Coffer's.
fn named(tool: &str) -> String {
    format!("mcp__coffer__{tool}")
}

pub(super) fn answer(script: &Script, body: &Value) -> String {
    let step = blocks(body, "tool_use").count();
    let call = script.call.as_ref().and_then(|(tool, arguments)| {
        let name = named(tool);
        let was_called = blocks(body, "tool_use").any(|block| block["name"] == name);
        let mut tools = body["tools"].as_array().into_iter().flatten();
        let is_loaded = tools.any(|tool| tool["name"] == name);
        match (was_called, is_loaded, step) {
            (false, true, _) => Some((name, arguments.clone())),
            (false, false, 0) => {
                Some(("ToolSearch".to_owned(), json!({"query": format!("select:{name}")})))
            }
            _ => None,
        }
    });
    let (block, delta, stop) = match call {
        Some((name, input)) => (
            json!({"type": "tool_use", "id": format!("toolu_{step}"), "name": name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            "tool_use",
        ),
        None => (
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": script.text}),
            "end_turn",
        ),
    };
    let message = json!({"id": format!("msg_{step}"), "type": "message", "role": "assistant",
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

/// What the model is told that tools gave.
pub fn results(body: &Value) -> Vec<String> {
    blocks(body, "tool_result").map(|result| texts(&result["content"]).concat()).collect()
}

fn blocks<'b>(body: &'b Value, kind: &'b str) -> impl Iterator<Item = &'b Value> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
    blocks.filter(move |block| block["type"] == kind)
}
