//! By which name a credential is kept. What it holds is never part of this crate.

use std::fmt;

/// What a name has to be, for messages: "must be …".
pub use crate::slug::PLAIN_NAME as FORM;
use crate::slug::is_plain_name;

/// The name of a credential.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CredentialRef(String);

impl CredentialRef {
    /// A name of the form `[a-z0-9][a-z0-9-_]{0,63}`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_plain_name(text).then(|| Self(text.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CredentialRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        let longest = "a".repeat(64);
        for name in ["openai", "0", "a-b_c", "9_", longest.as_str()] {
            assert_eq!(CredentialRef::parse(name).map(|it| it.to_string()).as_deref(), Some(name));
        }
        let longer = "a".repeat(65);
        for name in ["", "-a", "_a", "A", "a b", "a/b", "a.b", "../a", "ä", "a\n", longer.as_str()]
        {
            assert_eq!(CredentialRef::parse(name), None, "{name:?}");
        }
    }
}
