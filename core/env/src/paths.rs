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

    /// The path relative to the store of a new topic document that is no fact.
    pub fn topic(title: &str, id: &str) -> String {
        format!("knowledge/{}.md", slug::fact_stem(title, id))
    }

    /// The path relative to the store of a branch's scene.
    pub fn scene(branch: &str) -> String {
        format!("handoff/{}.md", slug::branch_slug(branch))
    }

    /// The path relative to the store of a day of the journal.
    pub fn day(period: &str) -> String {
        format!("journal/{period}.md")
    }

    /// The path relative to the store of a retired version: `<lane>--<slug>-<time>.md`, so that a
    /// restore knows where it came from; folders below the lane stand as `--` too.
    pub fn retired(path: &str, now: Timestamp) -> String {
        let stem = path.strip_suffix(".md").unwrap_or(path);
        let parts: Vec<String> = stem.split('/').map(unmistakable).collect();
        format!("superseded/{}-{}.md", parts.join("--"), now.compact())
    }

    /// Where a retired version stood and when it was retired, by its file's name; `None` for a
    /// name that Coffer did not give.
    pub fn origin(file: &str) -> Option<(String, Timestamp)> {
        let (stem, time) = file.strip_suffix(".md")?.rsplit_once('-')?;
        let retired_at = Timestamp::parse_compact(time)?;
        let parts: Option<Vec<String>> = stem.split("--").map(plain).collect();
        Some((format!("{}.md", parts?.join("/")), retired_at))
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

/// A part of a path in which no `-` can be taken for one of the dashes between parts.
fn unmistakable(part: &str) -> String {
    let last = part.chars().count().saturating_sub(1);
    let mut before = None;
    part.chars()
        .enumerate()
        .map(|(at, c)| {
            let marks = c == '-' && (at == 0 || at == last || before == Some('-'));
            before = Some(c);
            match c {
                '%' => "%25".to_owned(),
                '-' if marks => "%2D".to_owned(),
                other => other.to_string(),
            }
        })
        .collect()
}

/// The part that `unmistakable` was given.
fn plain(part: &str) -> Option<String> {
    let plain = part.replace("%2D", "-").replace("%25", "%");
    (!matches!(&plain[..], "" | "." | "..")).then_some(plain)
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
        for path in [
            "knowledge/inbox/a-b.md",
            "consolidation-log.md",
            "rules/a--b/-c-.md",
            "rules/100%.md",
            "rules/%2D.md",
            "journal/2026-05-28.md",
            "knowledge/部署.md",
        ] {
            let retired = StorePaths::retired(path, now);
            let name = retired.strip_prefix("superseded/").unwrap();
            assert!(!name.contains('/'), "{name}");
            assert_eq!(StorePaths::origin(name), Some((path.to_owned(), now)), "{name}");
        }
        for foreign in ["a.md", "a-b.md", "knowledge--a-20260528.md", "x", "-.md"] {
            assert_eq!(StorePaths::origin(foreign), None, "{foreign}");
        }
        for outside in ["..--x", "rules--..--..--x", ".--x", "--x", "rules--", "x--.."] {
            let name = format!("{outside}-20260528T202640123456Z.md");
            assert_eq!(StorePaths::origin(&name), None, "{name}");
        }
    }
}
