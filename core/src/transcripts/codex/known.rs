//! Kinds of lines, events and items that are known and hold nothing that was said, or hold it again.

use super::line::Payload;

const LINES: &[&str] = &[
    "compacted",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "token_usage_record",
    "world_state",
];

const EVENTS: &[&str] = &[
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "context_compacted",
    "entered_review_mode",
    "error",
    "exec_command_end",
    "exited_review_mode",
    "mcp_tool_call_end",
    "patch_apply_end",
    "plan_update",
    "sub_agent_activity",
    "task_complete",
    "task_started",
    "thread_goal_updated",
    "thread_name_updated",
    "thread_rolled_back",
    "thread_settings_applied",
    "token_count",
    "turn_aborted",
    "turn_complete",
    "turn_started",
    "view_image_tool_call",
    "warning",
    "web_search_end",
];

/// What is completed and was not said.
const COMPLETED: &[&str] = &[
    "CommandExecution",
    "ContextCompaction",
    "FileChange",
    "ImageGeneration",
    "McpToolCall",
    "Plan",
    "Reasoning",
    "Sleep",
    "WebSearch",
];

const ITEMS: &[&str] = &[
    "agent_message",
    "compaction",
    "custom_tool_call",
    "custom_tool_call_output",
    "function_call",
    "function_call_output",
    "ghost_snapshot",
    "local_shell_call",
    "local_shell_call_output",
    "message",
    "reasoning",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
];

pub(super) fn is_line(kind: &str) -> bool {
    LINES.contains(&kind)
}

pub(super) fn is_item(kind: &str) -> bool {
    ITEMS.contains(&kind)
}

pub(super) fn is_event(payload: &Payload<'_>) -> bool {
    let item = payload.item.object().and_then(|item| item.kind.text());
    match payload.kind.text() {
        Some("item_completed") => item.is_some_and(|item| COMPLETED.contains(&item)),
        Some(kind) => EVENTS.contains(&kind),
        None => false,
    }
}
