//! The names of models. A name becomes a folder's name, so that it can be no path.

use std::fmt;

/// The longest name.
const LONGEST: usize = 64;
/// The ending of a folder that is not yet a model.
const UNFINISHED: &str = ".part";

/// A model's name, such as `all-MiniLM-L6-v2`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelName(String);

impl ModelName {
    /// What a name must be, for messages.
    pub const RULE: &'static str = "must be 1 to 64 letters, digits, `-`, `_` and `.`, begin with \
                                    a letter or digit, and not end in `.part`";

    /// A name; `None` for what can be none.
    pub fn parse(name: &str) -> Option<Self> {
        let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let fits = name.len() <= LONGEST && !name.to_ascii_lowercase().ends_with(UNFINISHED);
        (begins_well && is_plain && fits).then(|| Self(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the folder in which the model is put together.
    pub(super) fn unfinished(&self) -> String {
        format!("{}{UNFINISHED}", self.0)
    }

    /// Whether a folder's name is that of a model that was not finished.
    pub(super) fn is_unfinished(folder: &str) -> bool {
        folder.ends_with(UNFINISHED)
    }

    /// Whether a word stands in the name, between its dashes and dots.
    pub(super) fn has_word(&self, word: &str) -> bool {
        let mut words = self.0.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|part| part.eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_paths() {
        for name in ["all-MiniLM-L6-v2", "e5", "potion.8M", "a_b", "9"] {
            assert_eq!(ModelName::parse(name).unwrap().as_str(), name);
        }
        let long = "a".repeat(65);
        for bad in ["", ".", "..", "../x", "/etc", "a/b", "a\\b", "a b", ".a", "-a", "a\0", "é"] {
            assert_eq!(ModelName::parse(bad), None, "{bad:?}");
        }
        for bad in [long.as_str(), "a.part", "a.PART"] {
            assert_eq!(ModelName::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn words_stand_alone() {
        let has = |name: &str| ModelName::parse(name).unwrap().has_word("e5");
        assert!(has("multilingual-e5-small") && has("E5") && has("e5.large"));
        assert!(!has("e50") && !has("base5") && !has("size512"));
    }
}
