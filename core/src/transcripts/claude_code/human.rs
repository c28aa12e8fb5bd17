//! Which records of Claude Code a person typed: far fewer than those of type `user`.

use super::record::{Attachment, Block, Content, Record};
use crate::transcripts::harness::{begins, without};
use crate::transcripts::json::Json;

/// Texts that begin like this were typed by nobody, or are commands and their output.
const SYNTHETIC: &[&str] = &[
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "Caveat: The messages below",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<teammate-message",
    "<cross-session-message",
    "<channel",
    "<user-memory-input>",
    "[Request interrupted by user",
    "This session is being continued from a previous conversation",
    // Written by the agent, handed on to a new session.
    "Implement the following plan:",
];

/// What editors and hooks put around a person's words.
const MARKS: &[(&str, &str)] = &[
    ("<system-reminder>", "</system-reminder>"),
    ("<ide_opened_file>", "</ide_opened_file>"),
    ("<ide_selection>", "</ide_selection>"),
    ("<new-diagnostics>", "</new-diagnostics>"),
    ("<user-prompt-submit-hook>", "</user-prompt-submit-hook>"),
    ("<session-start-hook>", "</session-start-hook>"),
    ("<persisted-output>", "</persisted-output>"),
    ("<local-command-stdout>", "</local-command-stdout>"),
    ("<local-command-stderr>", "</local-command-stderr>"),
    ("<bash-stdout>", "</bash-stdout>"),
    ("<bash-stderr>", "</bash-stderr>"),
];

/// Titles that are the words of an error.
const ERRORS: &[&str] =
    &["Invalid API key", "API Error", "Credit balance is too low", "Claude AI usage limit"];

/// What a record of type `user` is.
pub(super) enum Turn {
    /// A person said it.
    Said(String),
    /// The program put it there.
    Harness,
    /// It has no form that is known.
    Unknown,
}

pub(super) fn turn(record: &Record<'_>) -> Turn {
    let flags =
        [&record.is_meta, &record.is_compact_summary, &record.is_visible_in_transcript_only];
    if flags.iter().any(|flag| flag.is_true())
        || record.tool_use_result.is_set()
        || is_foreign(record)
    {
        return Turn::Harness;
    }
    let Some(message) = record.message.object() else { return Turn::Unknown };
    if message.content.list().iter().any(is_tool_result) {
        return Turn::Harness;
    }
    match Content::of(&message.content) {
        Content::Unknown => Turn::Unknown,
        Content::Texts(texts) => typed(&texts).map_or(Turn::Harness, Turn::Said),
    }
}

/// Newer versions say where a turn comes from.
fn is_foreign(record: &Record<'_>) -> bool {
    let origin = record.origin.object().and_then(|origin| origin.kind.text());
    record.row_source.text() == Some("harness") || origin.is_some_and(|kind| kind != "human")
}

fn is_tool_result(block: &Json<'_, Block<'_>>) -> bool {
    block.object().is_some_and(|block| block.kind.text() == Some("tool_result"))
}

/// What is left of the texts without the harness's; `None` where nothing is.
fn typed(texts: &[&str]) -> Option<String> {
    let mut kept = Vec::new();
    for text in texts {
        if begins(text, SYNTHETIC) {
            return None;
        }
        let text = without(text, MARKS);
        if begins(&text, SYNTHETIC) {
            return None;
        }
        if !text.is_empty() {
            kept.push(text);
        }
    }
    (!kept.is_empty()).then(|| kept.join("\n"))
}

/// What was typed while the agent was at work.
pub(super) fn queued(attachment: &Attachment<'_>) -> Option<String> {
    let is_prompt = attachment.kind.text() == Some("queued_command")
        && attachment.command_mode.text() == Some("prompt");
    match Content::of(&attachment.prompt) {
        Content::Texts(texts) if is_prompt => typed(&texts),
        Content::Texts(_) | Content::Unknown => None,
    }
}

/// Whether a summary is the message of an error.
pub(super) fn is_error(text: &str) -> bool {
    begins(text, ERRORS) || text.contains("Please run /login")
}
