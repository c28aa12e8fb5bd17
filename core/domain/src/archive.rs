//! Names inside of an exported archive: which store and file a name means, and which names are
//! refused. Whoever unpacks builds no path from a name that did not pass here.

use crate::id::Id;
use crate::kb::{KbName, is_document};
use crate::store::{Lane, StoreName};

/// The archive's list of its files, at its end.
pub const MANIFEST: &str = "coffer-export.json";
/// A store's identity and settings.
pub const STORE_FILE: &str = "store.yaml";
/// A knowledge base's settings.
pub const BASE_FILE: &str = "kb.yaml";
/// The folder of the knowledge bases.
const BASES: &str = "knowledge/";
/// The folder of documents' originals.
const ORIGINALS: &str = "raw";
/// The folder of retired versions.
const SUPERSEDED: &str = "superseded";
/// Files that every machine makes for itself.
const LOCAL: [&str; 2] = ["consolidation-log.md", "knowledge/INDEX.md"];
/// How deep folders below a store may lie.
const MAX_DEPTH: usize = 16;
/// The longest part of a path that file systems take, in bytes.
const MAX_NAME: usize = 255;

/// Whether a file of a store (its path relative to the store) travels: `store.yaml`, the lanes and
/// what was retired, but nothing that a machine makes for itself.
///
/// # Errors
///
/// Says why not.
pub fn travels(path: &str) -> Result<(), &'static str> {
    if LOCAL.contains(&path) {
        return Err("every machine makes it for itself");
    }
    let folder = path.split_once('/').map(|(folder, _)| folder);
    if path == STORE_FILE || folder == Some(SUPERSEDED) || Lane::of_path(path).is_some() {
        return Ok(());
    }
    Err("it is in no lane of a store")
}

/// Whose files an archive holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// A store.
    Store(StoreName),
    /// A knowledge base.
    Base(KbName),
}

/// How a knowledge base is named where stores are, too.
const BASE: &str = "knowledge_base:";

impl Owner {
    /// A store's name, or `knowledge_base:<name>`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix(BASE) {
            Some(name) => KbName::parse(name).map(Self::Base),
            None => StoreName::parse(text).map(Self::Store),
        }
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(name) => name.fmt(f),
            Self::Base(name) => write!(f, "{BASE}{name}"),
        }
    }
}

/// Whether a file of a knowledge base (its path relative to it) travels: its settings, documents, their
/// originals, and what was retired.
///
/// # Errors
///
/// Says why not.
pub fn travels_with_base(path: &str) -> Result<(), &'static str> {
    let is_below = |folder: &str| {
        let name = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
        name.is_some_and(|name| !name.contains('/'))
    };
    let is_version = is_below(SUPERSEDED) && path.ends_with(".md");
    if path == BASE_FILE || is_document(path) || is_below(ORIGINALS) || is_version {
        return Ok(());
    }
    Err("it is no file of a knowledge base")
}

/// The name in an archive of a knowledge base's file.
pub fn name_of_base(base: &KbName, path: &str) -> String {
    format!("{BASES}{base}/{path}")
}

/// Whether a name is below the folder of the knowledge bases.
pub fn is_of_base(name: &str) -> bool {
    name.starts_with(BASES)
}

/// Whether a name is that of a document's original, which may be larger than other files.
pub fn is_original(name: &str) -> bool {
    base_place_of(name).is_ok_and(|(_, path)| path.starts_with(ORIGINALS))
}

/// The knowledge base and the path relative to it that a name means.
///
/// # Errors
///
/// As `place_of`.
pub fn base_place_of(name: &str) -> Result<(KbName, &str), &'static str> {
    check_name(name)?;
    let below = name.strip_prefix(BASES).and_then(|rest| rest.split_once('/'));
    let (base, path) = below.ok_or("it is of no knowledge base")?;
    let base = KbName::parse(base).ok_or("it is of no knowledge base")?;
    travels_with_base(path).map(|()| (base, path))
}

/// The name in an archive of a store's file.
pub fn name_of(store: &StoreName, path: &str) -> String {
    match store {
        StoreName::Global => format!("memory/global/{path}"),
        StoreName::Project(id) => format!("memory/projects/{id}/{path}"),
    }
}

/// The store and the path relative to it that a name means.
///
/// # Errors
///
/// Says why a name is refused: it is absolute, leaves its folder, is hidden, is of no store, or
/// names a file that does not travel.
pub fn place_of(name: &str) -> Result<(StoreName, &str), &'static str> {
    check_name(name)?;
    let below = name.strip_prefix("memory/").ok_or("it is of no store")?;
    let (store, path) = match below.strip_prefix("projects/") {
        Some(rest) => {
            let (id, path) = rest.split_once('/').ok_or("it is of no store")?;
            let id = Id::parse(id).filter(|known| known.as_str() == id);
            (StoreName::Project(id.ok_or("it is of no store")?), path)
        }
        None => (StoreName::Global, below.strip_prefix("global/").ok_or("it is of no store")?),
    };
    travels(path).map(|()| (store, path))
}

/// What is refused of a name, whatever it means.
fn check_name(name: &str) -> Result<(), &'static str> {
    if name.starts_with('/') {
        return Err("its name is absolute");
    }
    if name.split('/').any(|part| part == "..") {
        return Err("its name leaves the folder");
    }
    if name.split('/').any(|part| !is_plain(part)) || name.matches('/').count() > MAX_DEPTH {
        return Err("its name is none that a store's file may have");
    }
    Ok(())
}

/// Whether a part of a path names a visible file on every system.
fn is_plain(part: &str) -> bool {
    let is_odd = |char: char| char.is_control() || matches!(char, '\\' | ':');
    let is_foreign = part.starts_with('.') || part == "node_modules";
    !part.is_empty() && part.len() <= MAX_NAME && !is_foreign && !part.contains(is_odd)
}

/// Another path beside `path` for other bytes: it sorts behind it, so that the file that was first
/// keeps its id, and is the same for the same bytes. `sha256` is that of the bytes.
pub fn beside(path: &str, sha256: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, end) = name.rsplit_once('.').map_or((name, ""), |(stem, end)| (stem, end));
    let stem = &stem[..stem.floor_char_boundary(MAX_NAME - 60)];
    let mark = &sha256[..sha256.floor_char_boundary(8)];
    let slash = if folder.is_empty() { "" } else { "/" };
    let dot = if end.is_empty() { "" } else { "." };
    format!("{folder}{slash}{stem}_imported-{mark}{dot}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_go_both_ways() {
        let project = StoreName::Project(Id::of_project("/x"));
        for store in [StoreName::Global, project] {
            for path in ["store.yaml", "knowledge/inbox/a b.md", "superseded/x.md", "rules/a/b.md"]
            {
                assert_eq!(place_of(&name_of(&store, path)), Ok((store.clone(), path)), "{path}");
            }
        }
    }

    #[test]
    fn names_of_bases_go_both_ways_and_others_are_refused() {
        let base = KbName::parse("guide").unwrap();
        for path in ["kb.yaml", "docs/01J.md", "docs/a b.md", "raw/01J.pdf", "superseded/01J-2.md"]
        {
            let name = name_of_base(&base, path);
            assert_eq!(base_place_of(&name), Ok((base.clone(), path)), "{path}");
            assert_eq!(is_original(&name), path.starts_with("raw/"), "{path}");
            assert!(is_of_base(&name) && place_of(&name).is_err());
        }
        for name in [
            "knowledge/guide",
            "knowledge/Guide/kb.yaml",
            "knowledge/../run/server.json",
            "knowledge/guide/../x",
            "knowledge/guide/docs/a/b.md",
            "knowledge/guide/docs/a.txt",
            "knowledge/guide/raw/.next-a",
            "knowledge/guide/raw/a/b",
            "knowledge/guide/raw",
            "knowledge/guide/superseded/x.bin",
            "knowledge/guide/other",
            "memory/global/kb.yaml",
            "/knowledge/guide/kb.yaml",
            "knowledge/guide/raw/",
        ] {
            assert!(base_place_of(name).is_err() && !is_original(name), "{name}");
        }
        for text in ["global", "knowledge_base:guide"] {
            assert_eq!(Owner::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Owner::parse("knowledge_base:../x"), None);
    }

    #[test]
    fn names_that_are_refused() {
        for name in [
            "",
            "/etc/passwd",
            "memory/global/../../run/server.json",
            "memory/global/knowledge/../x.md",
            "memory/global/knowledge//x.md",
            "memory/global/knowledge/./x.md",
            "memory/global/knowledge/.hidden.md",
            "memory/global/knowledge/.coffer-tmp-1",
            "memory/global/knowledge/node_modules/x.md",
            "memory/global/knowledge/a\\b.md",
            "memory/global/knowledge/C:x.md",
            "memory/global/knowledge/a\nb.md",
            "memory/global/knowledge/INDEX.md",
            "memory/global/consolidation-log.md",
            "memory/global/other.md",
            "memory/global",
            "memory/projects/x/knowledge/a.md",
            "memory/projects/01jxyz01jxyz01jxyz01jxyz01/knowledge/a.md",
            "run/server.json",
            "coffer.db",
            "config.toml",
            "knowledge/kb/docs/a.md",
        ] {
            assert!(place_of(name).is_err(), "{name:?}");
        }
        let deep = format!("memory/global/knowledge/{}x.md", "a/".repeat(MAX_DEPTH));
        assert!(place_of(&deep).is_err());
        let long = format!("memory/global/knowledge/{}.md", "x".repeat(MAX_NAME));
        assert!(place_of(&long).is_err());
    }

    #[test]
    fn the_other_name_sorts_behind_and_is_no_other_s() {
        for path in ["knowledge/a.md", "a.md", "rules/plain", "knowledge/inbox/b.c.md"] {
            let other = beside(path, "0123456789abcdef");
            assert!(other.as_str() > path, "{other}");
            assert!(other.contains("_imported-01234567"), "{other}");
        }
        let long = format!("knowledge/{}.md", "部".repeat(84));
        assert!(beside(&long, "0123456789").len() <= "knowledge/".len() + MAX_NAME);
    }

    proptest! {
        #[test]
        fn a_name_that_passes_stays_in_its_store(name in "(memory/(global|projects)/)?[a-z./\\\\]{0,40}") {
            if let Ok((store, path)) = place_of(&name) {
                prop_assert_eq!(name_of(&store, path), name.clone());
                prop_assert!(path.split('/').all(|part| !part.is_empty() && !part.starts_with('.')));
            }
        }
    }
}
