//! What was said in a rollout, apart from what the harness told the model.

use std::borrow::Cow;

use super::line::{Content, Message, Part, Payload};
use crate::transcripts::harness::{begins, without};
use crate::transcripts::json::Json;
use crate::transcripts::message::Role;

/// Texts of role `user` that begin like this were typed by nobody.
const SYNTHETIC: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skills_instructions>",
    "<skill>",
    "<hook_prompt",
    "<user_action>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    // What is left of a conversation that became too long.
    "Another language model started to solve this problem and produced a summary",
];
/// Editors put what is open before the person's words, and this between.
const REQUEST: &str = "## My request for Codex:";

/// How events are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `user_message` and `agent_message`.
    Message,
    /// `item_completed`.
    Item,
}

/// An event that tells what was said.
pub(super) struct Said<'r> {
    pub form: Form,
    pub role: Role,
    /// `None` for what the harness said in the person's name.
    pub text: Option<String>,
    pub id: Option<&'r str>,
}

/// What an event tells; `None` for one that tells of something else.
pub(super) fn event<'r>(payload: &'r Payload<'_>) -> Option<Said<'r>> {
    let (form, role, text, id) = match payload.kind.text()? {
        "user_message" => (Form::Message, Role::Human, message(payload)?, None),
        "agent_message" => (Form::Message, Role::Assistant, message(payload)?, None),
        "item_completed" => {
            let item = payload.item.object()?;
            let role = match item.kind.text()? {
                "UserMessage" => Role::Human,
                "AgentMessage" => Role::Assistant,
                _ => return None,
            };
            (Form::Item, role, Cow::Owned(joined(&item.content, |_| true)?), item.id.text())
        }
        _ => return None,
    };
    // The first versions repeated context as a message of another kind.
    let is_typed = payload.message_kind.text().is_none_or(|kind| kind == "plain");
    let text = match role {
        Role::Human if is_typed => typed(&text),
        Role::Human => None,
        Role::Assistant => Some(text.into_owned()),
    };
    Some(Said { form, role, text, id })
}

fn message<'r>(payload: &'r Payload<'_>) -> Option<Cow<'r, str>> {
    match &payload.message {
        Json::Text(text) => Some(Cow::Borrowed(text)),
        _ => None,
    }
}

/// A message to or from the model.
pub(super) enum Item {
    Said(Role, String),
    Harness,
    /// Nobody's, or without a content that is known.
    Unknown,
}

pub(super) fn item(message: &Message<'_, '_>) -> Item {
    let role = match message.role {
        Some("user") => Role::Human,
        Some("assistant") => Role::Assistant,
        Some("developer" | "system") => return Item::Harness,
        _ => return Item::Unknown,
    };
    let is_persons = |at: usize| {
        let kind = message.kinds.get(at).and_then(Json::text);
        role == Role::Assistant || kind.is_none_or(|kind| kind.starts_with("user."))
    };
    let Some(text) = joined(message.content, is_persons) else { return Item::Unknown };
    match role {
        Role::Human => typed(&text).map_or(Item::Harness, |text| Item::Said(role, text)),
        Role::Assistant => Item::Said(role, text),
    }
}

/// The texts of the chosen parts; a part that the harness wrote is none. `None` for what is neither a
/// text nor a list of parts.
fn joined(content: &Content<'_>, is_chosen: impl Fn(usize) -> bool) -> Option<String> {
    match content {
        Json::Text(text) => Some(text.clone().into_owned()),
        Json::List(parts) => {
            let chosen = parts.iter().enumerate().filter(|(at, _)| is_chosen(*at));
            let texts = chosen.filter_map(|(_, part)| prose(part));
            Some(texts.filter(|text| !begins(text, SYNTHETIC)).collect::<Vec<_>>().join("\n"))
        }
        Json::Nothing | Json::Flag(_) | Json::Number(_) | Json::Object(_) => None,
    }
}

fn prose<'r>(part: &'r Json<'_, Part<'_>>) -> Option<&'r str> {
    let part = part.object()?;
    let is_text = matches!(part.kind.text()?, "input_text" | "output_text" | "text" | "Text");
    part.text.text().filter(|_| is_text)
}

/// The person's words; `None` where there are none.
fn typed(text: &str) -> Option<String> {
    let text = without(text, &[]);
    if begins(&text, SYNTHETIC) {
        return None;
    }
    let words = text.split_once(REQUEST).map_or(&*text, |(_, words)| words).trim();
    (!words.is_empty()).then(|| words.to_owned())
}

/// The working folder, where a bare line tells it.
pub(super) fn folder(message: &Message<'_, '_>) -> Option<String> {
    let texts = message.content.list().iter().filter_map(prose);
    let mut contexts = texts.filter(|text| begins(text, &["<environment_context>"]));
    let (_, after) = contexts.next()?.split_once("<cwd>")?;
    let (folder, _) = after.split_once("</cwd>")?;
    Some(folder.trim().to_owned()).filter(|folder| !folder.is_empty())
}
