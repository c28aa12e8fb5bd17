//! Why a file is not edited, in words for people.

/// A fragment such as "line 3 is no JSON: …"; holds nothing of the file but names of keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Flaw(pub String);

impl Flaw {
    /// What the file's own form does not allow.
    pub(super) fn form(way: &[super::node::Step], what: &str) -> Self {
        Self(format!("`{}` in it {what}", shown(way)))
    }
}

/// `hooks.SessionStart[0]`.
pub(super) fn shown(way: &[super::node::Step]) -> String {
    use super::node::Step;
    let mut text = String::new();
    for step in way {
        match step {
            Step::Key(key) if text.is_empty() => text.push_str(key),
            Step::Key(key) => text = format!("{text}.{key}"),
            Step::Item(index) => text = format!("{text}[{index}]"),
        }
    }
    text
}
