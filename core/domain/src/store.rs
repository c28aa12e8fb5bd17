//! Stores and lanes: names, what a path in a store is, a store's settings.

use crate::id::Id;

/// A memory store: the global one, or one per git project.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StoreName {
    /// The store for everything.
    Global,
    /// The store of the project of this id.
    Project(Id),
}

impl StoreName {
    /// Reads `global` or `project-<26-character ULID>`; anything else is `None`, so that a name
    /// can never be a path.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "global" {
            return Some(Self::Global);
        }
        let id = Id::parse(text.strip_prefix("project-")?)?;
        (text[8..] == *id.as_str()).then_some(Self::Project(id))
    }

    /// The ULID of the project; zeros for the global store.
    pub fn project_id(&self) -> &str {
        match self {
            Self::Global => Id::GLOBAL,
            Self::Project(id) => id.as_str(),
        }
    }

    /// `global` or `project`: the scope's word.
    pub const fn scope(&self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Project(_) => "project",
        }
    }
}

impl std::fmt::Display for StoreName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Global => f.write_str("global"),
            Self::Project(id) => write!(f, "project-{id}"),
        }
    }
}

/// The part of a store that a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Facts and topic documents.
    Knowledge,
    /// How to behave.
    Rules,
    /// What happened.
    Journal,
    /// Working state per branch.
    Handoff,
}

impl Lane {
    /// The lane's folder in a store, and its word everywhere else.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Rules => "rules",
            Self::Journal => "journal",
            Self::Handoff => "handoff",
        }
    }

    /// The lane of a path relative to a store (`/` between parts), if it is in one.
    pub fn of_path(path: &str) -> Option<Self> {
        let (folder, _) = path.split_once('/')?;
        [Self::Knowledge, Self::Rules, Self::Journal, Self::Handoff]
            .into_iter()
            .find(|lane| lane.as_str() == folder)
    }
}

/// How recall looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Literal text or a regular expression.
    Grep,
    /// Ranked by terms.
    Keyword,
    /// By meaning.
    Vector,
    /// Terms and meaning.
    Hybrid,
}

impl Mode {
    const ALL: [Self; 4] = [Self::Grep, Self::Keyword, Self::Vector, Self::Hybrid];

    /// The mode's word in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Grep => "grep",
            Self::Keyword => "keyword",
            Self::Vector => "vector",
            Self::Hybrid => "hybrid",
        }
    }

    /// The mode of a word in a file.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }
}

/// How keyword and vector lists are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fusion {
    /// Weighted scores.
    Mix,
    /// Reciprocal rank fusion.
    Rrf,
}

/// Whether a path relative to a store is a document of the index: `knowledge/**/*.md` but
/// `knowledge/INDEX.md`, and `journal/*.md`. Hidden files, temporary files and packages of Node
/// never are.
pub fn is_indexed(path: &str) -> bool {
    let is_foreign =
        |part: &str| part.starts_with('.') || part.is_empty() || part == "node_modules";
    if path.split('/').any(is_foreign) || !path.ends_with(".md") {
        return false;
    }
    match Lane::of_path(path) {
        Some(Lane::Knowledge) => path != "knowledge/INDEX.md",
        Some(Lane::Journal) => path.matches('/').count() == 1,
        Some(Lane::Rules | Lane::Handoff) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_paths() {
        let project = format!("project-{}", Id::of_project("/home/dev/app"));
        assert_eq!(StoreName::parse(&project).unwrap().to_string(), project);
        assert_eq!(StoreName::parse("global"), Some(StoreName::Global));
        for bad in [
            "",
            "Global",
            "global/",
            "../global",
            "project-",
            "project-01J",
            "project-../../../../etc/passwd",
            "project-01jxxxxxxxxxxxxxxxxxxxxxxx",
            "project-00000000000000000000000000\0",
            " global",
        ] {
            assert_eq!(StoreName::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn what_is_indexed() {
        for yes in ["knowledge/a.md", "knowledge/inbox/a-b.md", "journal/2026-06-09.md"] {
            assert!(is_indexed(yes), "{yes}");
        }
        for no in [
            "knowledge/INDEX.md",
            "knowledge/inbox/.tmp-x.md",
            "knowledge/.git/a.md",
            "knowledge/node_modules/a/README.md",
            "knowledge/a.txt",
            "rules/a.md",
            "handoff/main.md",
            "superseded/a.md",
            "consolidation-log.md",
            "journal/x/2026.md",
        ] {
            assert!(!is_indexed(no), "{no}");
        }
    }
}
