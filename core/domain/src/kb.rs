//! Knowledge bases: their names, and what their documents' files say.

mod document;

pub use document::{Conversion, DocumentText, edited};

use crate::slug::is_plain_name;

/// The name of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KbName(String);

impl KbName {
    /// A name of the form `[a-z0-9][a-z0-9-_]{0,63}`, so that it can never be a path.
    pub fn parse(text: &str) -> Option<Self> {
        is_plain_name(text).then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for KbName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where the text of a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceMode {
    /// From its original, as it was converted.
    Converted,
    /// From whoever changed or wrote it since.
    Edited,
}

impl SourceMode {
    /// The word in files and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Edited => "edited",
        }
    }

    /// The mode of a word; whatever is not plainly converted was edited.
    pub fn of_word(word: &str) -> Self {
        if word == Self::Converted.as_str() { Self::Converted } else { Self::Edited }
    }
}

/// Whether a path relative to a knowledge base is a document: `docs/*.md`, nothing hidden.
pub fn is_document(path: &str) -> bool {
    let name = path.strip_prefix("docs/").filter(|name| !name.contains('/'));
    name.is_some_and(|name| !name.starts_with('.') && name.ends_with(".md") && name.len() > 3)
}

/// The extension that an original is kept under: that of its name where it is a plain one.
pub fn extension(filename: &str) -> String {
    let name = filename.rsplit(['/', '\\']).next().unwrap_or(filename);
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    let is_plain = (1..=16).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain { extension } else { "bin".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_paths() {
        for good in ["a", "0", "docs-2_x"] {
            assert_eq!(KbName::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "A", "-a", "a/b", "..", "a.b", "a\0", &"a".repeat(65)] {
            assert_eq!(KbName::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn documents_lie_in_one_folder() {
        assert!(is_document("docs/01J.md") && is_document("docs/notes.md"));
        for other in ["docs/.x.md", "docs/a/b.md", "docs/a.txt", "raw/a.md", "a.md", "docs/.md"] {
            assert!(!is_document(other), "{other}");
        }
    }

    #[test]
    fn extensions_are_plain() {
        for (name, end) in [
            ("a.PDF", "pdf"),
            ("guide/a.tar.gz", "gz"),
            ("README", "bin"),
            ("x.d/README", "bin"),
            ("a.../../x", "bin"),
            ("a.ä", "bin"),
            ("a.", "bin"),
            (".md", "md"),
        ] {
            assert_eq!(extension(name), end, "{name}");
        }
    }
}
