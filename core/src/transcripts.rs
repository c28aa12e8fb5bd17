//! What coding agents keep of their sessions: found, told apart and read, and never written.
//!
//! One reader a kind of agent, in files of its own. A reader takes the records that it knows to be
//! conversation, passes over those that it knows to be something else, and counts the rest: a source
//! that is not empty and gives no message is told apart from an empty one, and is never in silence.
//! Bad lines cost themselves and nothing else. No link below a root is followed.
//!
//! Deliberately absent: caches, lists, and models.

mod claude_code;
mod codex;
mod conversation;
mod harness;
mod json;
mod lines;
mod message;
mod opencode;
mod private;
mod reading;
mod source;

use std::path::Path;

use crate::error::Result;
use crate::secrets::Custom;

pub use message::{Message, Position, Role};
pub use reading::{Reading, State, Summary};
pub(crate) use source::{Source, Stamp, Survey};

use claude_code::ClaudeCode;
use codex::Codex;
use opencode::OpenCode;

/// Changes whenever the same bytes are read otherwise than before: what was read by another one is
/// read again.
pub(crate) const READING: i64 = 3;

/// A kind of agent whose transcripts can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Claude Code: `projects/<folder>/<session>.jsonl`.
    ClaudeCode,
    /// Codex CLI: `sessions/…/rollout-….jsonl`, also archived and compressed ones.
    Codex,
    /// OpenCode: JSON trees of two layouts, and `opencode.db`.
    OpenCode,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ClaudeCode, Self::Codex, Self::OpenCode];

    /// Its word, in tables and everywhere else.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude_code",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
        }
    }

    /// The kind of this word.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Its reader. `scratch` is a folder of Coffer's own, for a copy of what cannot be read in place.
    pub(crate) fn reader(self, scratch: &Path) -> Box<dyn TranscriptReader> {
        match self {
            Self::ClaudeCode => Box::new(ClaudeCode),
            Self::Codex => Box::new(Codex),
            Self::OpenCode => Box::new(OpenCode::new(scratch)),
        }
    }
}

/// Reads the transcripts of one kind of agent.
pub(crate) trait TranscriptReader: Send + Sync {
    /// The sessions below a root, with what shows that one of them changed; reads no conversation.
    /// A root that is not there has none.
    ///
    /// # Errors
    ///
    /// A root that cannot be looked at: what is known of it stays as it was.
    fn survey(&self, root: &Path) -> Result<Survey>;

    /// Reads one source and gives each message to `sink`, in order. `secrets` are taken out of the
    /// title; the messages are as they were said.
    fn read(&self, source: &Source, secrets: &Custom, sink: &mut dyn FnMut(Message)) -> Reading;

    /// Reads many sources for what can be said of them, and gives each reading with its number.
    fn summarize(
        &self,
        sources: &[&Source],
        secrets: &Custom,
        each: &mut dyn FnMut(usize, Reading),
    ) {
        for (number, source) in sources.iter().enumerate() {
            each(number, self.read(source, secrets, &mut drop));
        }
    }
}

/// The messages of a source behind what was read of it before; all of them where nothing was. `read`
/// says where messages stood that were read. Where the source was written anew since, it goes on from
/// the furthest of them that stands where it stood, or from one like the last; where none is left, all
/// are new. The sink is told of the others too, that they are not: what is new may answer them.
pub(crate) fn messages_after(
    reader: &dyn TranscriptReader,
    source: &Source,
    read: &[Position],
    secrets: &Custom,
    sink: &mut dyn FnMut(Message, bool),
) -> Reading {
    let Some(end) = read.iter().map(|position| position.ordinal).max() else {
        return reader.read(source, secrets, &mut |message| sink(message, true));
    };
    let is_last = |key| read.iter().any(|it| it.ordinal == end && it.key == key);
    let (mut standing, mut alike) = (0, 0);
    let reading = reader.read(source, secrets, &mut |message| {
        let position = message.position;
        if read.contains(&position) {
            standing = position.ordinal;
        }
        if is_last(position.key) {
            alike = position.ordinal;
        }
        let is_new = position.ordinal > end && standing == end;
        sink(message, is_new);
    });
    if standing == end {
        return reading;
    }
    let from = standing.max(alike);
    reader.read(source, secrets, &mut |message| {
        let is_new = message.position.ordinal > from;
        sink(message, is_new);
    })
}

#[cfg(test)]
mod tests;
