//! Lines of a rollout, as far as they are read.

use serde::Deserialize;

use crate::transcripts::json::Json;

/// One line: an envelope, or a bare item of the first era, which is its own payload.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Record<'a> {
    #[serde(borrow)]
    pub timestamp: Json<'a>,
    #[serde(rename = "type")]
    pub kind: Json<'a>,
    pub payload: Json<'a, Payload<'a>>,
    pub record_type: Json<'a>,
    pub id: Json<'a>,
    pub git: Json<'a, Git<'a>>,
    pub role: Json<'a>,
    pub content: Content<'a>,
}

impl<'a> Record<'a> {
    /// The payload, if the line is an event.
    pub(super) fn event(&self) -> Option<&Payload<'a>> {
        self.payload.object().filter(|_| self.kind.text() == Some("event_msg"))
    }

    /// The message that a bare line is.
    pub(super) fn message(&self) -> Message<'_, 'a> {
        Message { role: self.role.text(), content: &self.content, kinds: &[] }
    }
}

/// What an envelope holds, all kinds in one. Everything may be absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub id: Json<'a>,
    pub timestamp: Json<'a>,
    // The head of a session, and where a turn happens.
    pub cwd: Json<'a>,
    pub cli_version: Json<'a>,
    pub source: Json<'a, Origin<'a>>,
    pub thread_source: Json<'a>,
    pub parent_thread_id: Json<'a>,
    pub forked_from_id: Json<'a>,
    pub git: Json<'a, Git<'a>>,
    // A message to or from the model.
    pub role: Json<'a>,
    pub content: Content<'a>,
    pub internal_chat_message_metadata_passthrough: Json<'a, Provenance<'a>>,
    // Events.
    pub message: Json<'a>,
    #[serde(rename = "kind")]
    pub message_kind: Json<'a>,
    pub item: Json<'a, Item<'a>>,
    pub thread_name: Json<'a>,
}

impl<'a> Payload<'a> {
    /// The message, where the payload is one.
    pub(super) fn as_message(&self) -> Message<'_, 'a> {
        let provenance = self.internal_chat_message_metadata_passthrough.object();
        let kinds = provenance.map_or(&[][..], |provenance| provenance.content_item_kinds.list());
        Message { role: self.role.text(), content: &self.content, kinds }
    }
}

/// A message to or from the model.
pub(super) struct Message<'r, 'a> {
    pub role: Option<&'r str>,
    pub content: &'r Content<'a>,
    /// Where each part of the content comes from, as newer versions say.
    pub kinds: &'r [Json<'a>],
}

/// A text, or a list of parts.
pub(super) type Content<'a> = Json<'a, Json<'a, Part<'a>>>;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub text: Json<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub id: Json<'a>,
    pub content: Content<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Git<'a> {
    #[serde(borrow)]
    pub branch: Json<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub subagent: Json<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Provenance<'a> {
    #[serde(borrow)]
    pub content_item_kinds: Json<'a, Json<'a>>,
}
