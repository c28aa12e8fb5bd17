//! What was said, by whom, and where in the conversation.

use std::fmt;
use std::str::FromStr;

use coffer_domain::id::sha256;
use coffer_domain::time::Timestamp;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The person.
    Human,
    /// The agent, in prose.
    Assistant,
}

impl Role {
    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Assistant => "assistant",
        }
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who said it.
    pub role: Role,
    /// What, as it was said: secrets are still in it.
    pub text: String,
    /// When, where the transcript tells.
    pub at: Option<Timestamp>,
    /// Where in the conversation.
    pub position: Position,
}

/// Where a message stands: its number, and what tells it from another one at the same place when the
/// transcript was written anew. As a text, `12:9f2c0d…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// From 1.
    pub ordinal: u64,
    /// A number of role and words; see `Session`'s reader.
    pub key: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:016x}", self.ordinal, self.key)
    }
}

/// A text that is no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no position in a transcript")]
pub struct NoPosition;

impl FromStr for Position {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        let (ordinal, key) = text.split_once(':').ok_or(NoPosition)?;
        let ordinal = ordinal.parse().map_err(|_| NoPosition)?;
        let key = u64::from_str_radix(key, 16).map_err(|_| NoPosition)?;
        Ok(Self { ordinal, key })
    }
}

/// The same for the same words of the same role, on every machine and however they are spaced:
/// copies of a message are known by it.
pub(super) fn key(role: Role, text: &str) -> u64 {
    let mut words = String::with_capacity(text.len() + 12);
    words.push_str(role.name());
    for word in text.split_whitespace() {
        words.push(' ');
        words.push_str(word);
    }
    number(&sha256(words)[..16])
}

/// The number of 16 hexadecimal digits.
pub(super) fn number(digits: &str) -> u64 {
    u64::from_str_radix(digits, 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_text_and_back() {
        let position = Position { ordinal: 12, key: 0x9f2c };
        assert_eq!(position.to_string(), "12:0000000000009f2c");
        assert_eq!(position.to_string().parse(), Ok(position));
        for bad in ["", "12", "x:1", "1:x", ":", "1:1:1"] {
            assert_eq!(bad.parse::<Position>(), Err(NoPosition), "{bad}");
        }
    }

    #[test]
    fn words_and_roles_make_the_key_and_spaces_do_not() {
        let same = key(Role::Human, "use  tabs\n");
        assert_eq!(key(Role::Human, " use tabs"), same);
        assert_ne!(key(Role::Assistant, "use tabs"), same);
        assert_ne!(key(Role::Human, "usetabs"), same);
    }
}
