//! A session's turns as they may leave: without secrets.

use coffer_domain::time::Timestamp;

use super::{Session, Sessions, Shelf};
use crate::error::{Error, Result};
use crate::transcripts::{Position, Role};

/// The most turns that are shown at once.
const MOST: usize = 2_000;

/// A message without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who said it.
    pub role: Role,
    /// What.
    pub text: String,
    /// When, where the transcript tells.
    pub at: Option<Timestamp>,
    /// Where in the conversation.
    pub position: Position,
}

/// Some turns of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The session.
    pub session: Session,
    /// The turns, in order; those that an earlier session holds are left out.
    pub turns: Vec<Turn>,
    /// How many could not be scrubbed, and are not shown.
    pub withheld: usize,
    /// Where to go on, if there are more.
    pub next: Option<Position>,
}

impl Sessions {
    /// Shows turns of a session after a position: what a model would be given to read.
    ///
    /// # Errors
    ///
    /// `Invalid` for a limit out of range; as `read`.
    pub fn show(
        &self,
        shelf: &Shelf,
        id: &str,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Shown> {
        if !(1..=MOST).contains(&limit) {
            let reason = format!("must be 1 to {MOST}");
            return Err(Error::Invalid { field: "limit", reason });
        }
        let (mut turns, mut withheld) = (Vec::new(), 0);
        let (mut last, mut has_more) = (None, false);
        let session = self.read(shelf, id, after.as_slice(), &mut |message, clean| {
            if turns.len() + withheld >= limit {
                has_more = true;
                return;
            }
            last = Some(message.position);
            if message.text.trim().is_empty() {
                // What the person keeps private is not told.
                return;
            }
            match clean.next(&message) {
                Ok(text) => turns.push(Turn {
                    role: message.role,
                    text: text.into_owned(),
                    at: message.at,
                    position: message.position,
                }),
                Err(_) => withheld += 1,
            }
        })?;
        Ok(Shown { session, turns, withheld, next: last.filter(|_| has_more) })
    }
}
