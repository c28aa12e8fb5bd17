//! What OpenCode keeps, in files and in columns alike, as far as it is read.

use coffer_domain::time::Timestamp;
use serde::Deserialize;

use crate::transcripts::json::Json;

/// A session.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Session<'a> {
    #[serde(borrow)]
    pub title: Json<'a>,
    pub version: Json<'a>,
    pub directory: Json<'a>,
    /// Set for what a subagent did.
    #[serde(rename = "parentID")]
    pub parent_id: Json<'a>,
    pub time: Json<'a, Times<'a>>,
}

/// Milliseconds since 1970.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Times<'a> {
    #[serde(borrow)]
    pub created: Json<'a>,
    pub updated: Json<'a>,
}

/// A message, without its parts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Said<'a> {
    #[serde(borrow)]
    pub role: Json<'a>,
    pub time: Json<'a, Times<'a>>,
    pub mode: Json<'a>,
    pub path: Json<'a, Folders<'a>>,
    pub summary: Json<'a, Summary<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Folders<'a> {
    #[serde(borrow)]
    pub cwd: Json<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Summary<'a> {
    #[serde(borrow)]
    pub title: Json<'a>,
}

/// A part of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Json<'a>,
    pub text: Json<'a>,
    pub synthetic: Json<'a>,
    pub ignored: Json<'a>,
}

/// Kinds of parts that are no prose.
const OTHERS: &[&str] = &[
    "agent",
    "compaction",
    "file",
    "patch",
    "reasoning",
    "retry",
    "snapshot",
    "step-finish",
    "step-start",
    "subtask",
    "tool",
];

impl Times<'_> {
    /// When it was made, and when it changed last.
    pub(super) fn both(&self) -> [Option<Timestamp>; 2] {
        [&self.created, &self.updated].map(|time| time.number().map(of_millis))
    }
}

impl Said<'_> {
    pub(super) fn created(&self) -> Option<Timestamp> {
        self.time.object().and_then(|time| time.created.number()).map(of_millis)
    }

    /// Whether it sums up what was said before.
    pub(super) fn is_compaction(&self) -> bool {
        self.summary.is_true() || self.mode.text() == Some("compaction")
    }
}

impl Part<'_> {
    pub(super) fn is_prose(&self) -> bool {
        self.kind.text() == Some("text") && !self.synthetic.is_true() && !self.ignored.is_true()
    }

    pub(super) fn is_known(&self) -> bool {
        self.kind.text().is_some_and(|kind| kind == "text" || OTHERS.contains(&kind))
    }
}

/// The moment of so many milliseconds since 1970.
pub(super) fn of_millis(millis: i64) -> Timestamp {
    Timestamp::from_micros(millis.saturating_mul(1_000))
}
