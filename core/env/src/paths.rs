//! The folders and files of one store.

use std::path::{Path, PathBuf};

use coffer_domain::slug;
use coffer_domain::store::Lane;
use coffer_domain::time::Timestamp;

/// One store's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePaths {
    root: PathBuf,
}

impl StorePaths {
    /// The paths below a store's folder.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Identity, label and settings.
    pub fn store_file(&self) -> PathBuf {
        self.root.join("store.yaml")
    }

    /// A lane's folder.
    pub fn lane(&self, lane: Lane) -> PathBuf {
        self.root.join(lane.as_str())
    }

    /// Freshly remembered facts.
    pub fn inbox(&self) -> PathBuf {
        self.lane(Lane::Knowledge).join("inbox")
    }

    /// Retired versions.
    pub fn superseded(&self) -> PathBuf {
        self.root.join("superseded")
    }

    /// The log of what was retired and organized.
    pub fn consolidation_log(&self) -> PathBuf {
        self.root.join("consolidation-log.md")
    }

    /// The path relative to the store of a new fact's file.
    pub fn fact(title: &str, id: &str) -> String {
        format!("knowledge/inbox/{}.md", slug::fact_stem(title, id))
    }

    /// The path relative to the store of a branch's scene.
    pub fn scene(branch: &str) -> String {
        format!("handoff/{}.md", slug::branch_slug(branch))
    }

    /// The path relative to the store of a retired version: `<lane>--<slug>-<time>.md`, so that a
    /// restore knows where it came from; folders below the lane stand as `--` too.
    pub fn retired(path: &str, now: Timestamp) -> String {
        let stem = path.strip_suffix(".md").unwrap_or(path).replace('/', "--");
        format!("superseded/{stem}-{}.md", now.compact())
    }

    /// The absolute path of one relative to the store, `/` between its parts. A part that is
    /// empty, `.`, `..` or holds a separator of any system gives `None`.
    pub fn resolve(&self, relative: &str) -> Option<PathBuf> {
        let mut path = self.root.clone();
        for part in relative.split('/') {
            if part.is_empty() || part == "." || part == ".." || part.contains(['\\', ':', '\0']) {
                return None;
            }
            path.push(part);
        }
        Some(path)
    }

    /// The path relative to the store, `/` between its parts, of one below it; `None` for one
    /// that is elsewhere or not UTF-8.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        parts.map(|parts| parts.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_stay_inside() {
        let store = StorePaths::at("/c/memory/global".into());
        let path = store.resolve("knowledge/inbox/a.md").unwrap();
        assert_eq!(store.relative(&path).as_deref(), Some("knowledge/inbox/a.md"));
        for bad in ["../x", "a/../../b", "/etc/passwd", "a//b", "C:\\x", "a\\..\\b", "", "a\0", "."]
        {
            assert_eq!(store.resolve(bad), None, "{bad:?}");
        }
        assert_eq!(store.relative(Path::new("/c/memory/global-evil/a.md")), None);
    }

    #[test]
    fn retired_names_tell_where_they_came_from() {
        let now = Timestamp::from_micros(1_780_000_000_123_456);
        assert_eq!(
            StorePaths::retired("knowledge/inbox/a-b.md", now),
            "superseded/knowledge--inbox--a-b-20260528T202640123456Z.md"
        );
    }
}
