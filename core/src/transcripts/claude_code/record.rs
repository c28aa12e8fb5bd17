//! Records of Claude Code, as far as they are read, and the kinds that are known.

use serde::Deserialize;

use crate::transcripts::json::Json;

/// One record. Everything may be absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Record<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub uuid: Json<'a>,
    pub timestamp: Json<'a>,
    pub session_id: Json<'a>,
    /// In a copied record, the session that it was copied from.
    pub request_session_id: Json<'a>,
    pub cwd: Json<'a>,
    pub git_branch: Json<'a>,
    pub version: Json<'a>,
    pub message: Json<'a, Said<'a>>,
    pub attachment: Json<'a, Attachment<'a>>,
    pub is_meta: Json<'a>,
    pub is_sidechain: Json<'a>,
    pub is_compact_summary: Json<'a>,
    pub is_visible_in_transcript_only: Json<'a>,
    pub is_api_error_message: Json<'a>,
    pub tool_use_result: Json<'a>,
    /// Who a turn comes from, as newer versions say: `local` or `harness`.
    pub row_source: Json<'a>,
    pub origin: Json<'a, Origin<'a>>,
    pub summary: Json<'a>,
    pub leaf_uuid: Json<'a>,
    pub custom_title: Json<'a>,
    pub ai_title: Json<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Said<'a> {
    #[serde(borrow)]
    pub model: Json<'a>,
    pub content: Json<'a, Json<'a, Block<'a>>>,
}

/// A part of what was said.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub text: Json<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub command_mode: Json<'a>,
    pub prompt: Json<'a, Json<'a, Block<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub kind: Json<'a>,
}

/// The prose of a message.
pub(super) enum Content<'r> {
    /// Texts, in order; none where it has only other parts.
    Texts(Vec<&'r str>),
    /// Neither a text nor a list of parts that say what they are.
    Unknown,
}

impl<'r> Content<'r> {
    pub(super) fn of(content: &'r Json<'_, Json<'_, Block<'_>>>) -> Self {
        match content {
            Json::Text(text) => Self::Texts(vec![text]),
            Json::List(blocks) => {
                let is_known = |block: &Json<'_, Block<'_>>| {
                    block.text().is_some()
                        || block.object().is_some_and(|block| block.kind.text().is_some())
                };
                if blocks.iter().all(is_known) {
                    Self::Texts(blocks.iter().filter_map(prose).collect())
                } else {
                    Self::Unknown
                }
            }
            Json::Nothing | Json::Flag(_) | Json::Number(_) | Json::Object(_) => Self::Unknown,
        }
    }
}

fn prose<'r>(block: &'r Json<'_, Block<'_>>) -> Option<&'r str> {
    match block {
        Json::Object(block) if block.kind.text() == Some("text") => block.text.text(),
        Json::Text(text) => Some(text),
        _ => None,
    }
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    Attachment,
    Summary,
    CustomTitle,
    MadeTitle,
    /// Known, and no conversation: also whole requests, which look like it.
    Harness,
    Unknown,
}

/// Kinds that hold nothing that was said, or hold it a second time.
const HARNESS: &[&str] = &[
    "agent-color",
    "agent-name",
    "agent-setting",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "cost-state",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "result",
    "saved_hook_context",
    "started",
    "system",
    "tag",
    "tools-used",
    "worktree-state",
];
/// Kinds of the same sort that come in families.
const FAMILIES: &[&str] = &["artifact-", "session-"];

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "attachment" => Self::Attachment,
            "summary" => Self::Summary,
            "custom-title" => Self::CustomTitle,
            "ai-title" => Self::MadeTitle,
            _ if HARNESS.contains(&name) => Self::Harness,
            _ if FAMILIES.iter().any(|family| name.starts_with(family)) => Self::Harness,
            _ => Self::Unknown,
        }
    }
}
