//! The folders and files of one knowledge base.

use std::path::{Path, PathBuf};

use coffer_domain::time::Timestamp;

use crate::paths::StorePaths;

/// One knowledge base's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbPaths {
    root: PathBuf,
}

impl KbPaths {
    /// Settings and description, relative to the knowledge base.
    pub const FILE: &str = "kb.yaml";
    /// The documents.
    pub const DOCS: &str = "docs";
    /// Their originals.
    pub const RAW: &str = "raw";
    /// Retired versions of documents.
    pub const SUPERSEDED: &str = "superseded";

    /// The paths below a knowledge base's folder.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Settings and description.
    pub fn file(&self) -> PathBuf {
        self.root.join(Self::FILE)
    }

    /// The path relative to the knowledge base of a document; its stem is its id, where Coffer chose it.
    pub fn document(stem: &str) -> String {
        format!("{}/{stem}.md", Self::DOCS)
    }

    /// The name of a document's original among the others.
    pub fn original(stem: &str, extension: &str) -> String {
        format!("{stem}.{extension}")
    }

    /// Whether a name among the originals is that of a document's.
    pub fn is_original(name: &str, stem: &str) -> bool {
        Self::original_stem(name) == Some(stem)
    }

    /// Whose original a name is; `None` for one that waits, or is none.
    pub fn original_stem(name: &str) -> Option<&str> {
        let (stem, _extension) = name.rsplit_once('.')?;
        (!stem.is_empty() && !stem.starts_with('.')).then_some(stem)
    }

    /// The name under which an original waits until its document stands: hidden, so that nobody takes
    /// it for one.
    pub fn staged(stem: &str, token: &str, extension: &str) -> String {
        format!(".next-{stem}-{token}.{extension}")
    }

    /// The absolute path of a waiting original.
    pub fn staged_file(&self, staged: &str) -> PathBuf {
        self.root.join(Self::RAW).join(staged)
    }

    /// The stem of a document's path.
    pub fn stem(path: &str) -> &str {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.strip_suffix(".md").unwrap_or(name)
    }

    /// The path relative to the knowledge base of a retired version.
    pub fn retired(stem: &str, now: Timestamp) -> String {
        format!("{}/{stem}-{}.md", Self::SUPERSEDED, now.compact())
    }

    /// Whether the name of a retired version is one of a document's.
    pub fn is_retired(name: &str, stem: &str) -> bool {
        let time = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('-'));
        let time = time.and_then(|rest| rest.strip_suffix(".md"));
        time.is_some_and(|time| Timestamp::parse_compact(time).is_some())
    }

    /// The absolute path of one relative to the knowledge base; see `StorePaths::resolve`.
    pub fn resolve(&self, relative: &str) -> Option<PathBuf> {
        StorePaths::at(self.root.clone()).resolve(relative)
    }
}
