//! The folders and files of one knowledge base.

use std::path::{Path, PathBuf};

use coffer_domain::id::Id;
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

    /// The path relative to the knowledge base of a document that Coffer writes.
    pub fn document(id: &Id) -> String {
        format!("{}/{id}.md", Self::DOCS)
    }

    /// The path relative to the knowledge base of a document's original.
    pub fn original(stem: &str, extension: &str) -> String {
        format!("{}/{stem}.{extension}", Self::RAW)
    }

    /// Where an original waits until its document stands: hidden, so that nobody takes it for one.
    pub fn staged(id: &Id, extension: &str) -> String {
        format!("{}/.next-{id}.{extension}", Self::RAW)
    }

    /// The path relative to the knowledge base of a retired version.
    pub fn retired(stem: &str, now: Timestamp) -> String {
        format!("{}/{stem}-{}.md", Self::SUPERSEDED, now.compact())
    }

    /// The absolute path of one relative to the knowledge base; see `StorePaths::resolve`.
    pub fn resolve(&self, relative: &str) -> Option<PathBuf> {
        StorePaths::at(self.root.clone()).resolve(relative)
    }
}
