//! The one table of places below Coffer's folder: what is kept where, and how a text is taken out of
//! it. Whatever keeps files of a new sort adds a row.

use super::text::Form;

/// How a text is taken out of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Each file is written anew; its name follows.
    Rewrite(Form),
    /// Parts of the file are masked where it stands, since a program adds to it.
    Mask,
    /// Nobody can tell what their bytes hold, since a text may lie in two pages of a database: the
    /// files go, and a report says so.
    Delete,
    /// Tables are changed row by row, and the file is written anew.
    Database,
    /// A key of Coffer's own, without which it does not work: it is told.
    Key,
    /// Holds nothing that a person or an agent said.
    Leave,
    /// Somebody else's form: it is told that it may hold the text.
    Foreign(&'static str),
}

/// One place.
pub(super) struct Place {
    /// What reports call it.
    pub name: &'static str,
    /// How a text is taken out.
    pub way: Way,
    /// Whether a path, relative to Coffer's folder, is in it.
    holds: fn(&str) -> bool,
}

const fn place(name: &'static str, way: Way, holds: fn(&str) -> bool) -> Place {
    Place { name, way, holds }
}

const MARKDOWN: Way = Way::Rewrite(Form::Markdown);

/// Every place; the first that holds a path counts.
pub(super) static PLACES: &[Place] = &[
    place("git history", Way::Foreign("git keeps versions there; rewrite them with git"), |path| {
        path.split('/').any(|part| part == ".git")
    }),
    place("stores", Way::Rewrite(Form::Yaml), |path| in_store(path) == Some("store.yaml")),
    place("log of changes", MARKDOWN, |path| in_store(path) == Some("consolidation-log.md")),
    place("knowledge", MARKDOWN, |path| is_in_lane(path, "knowledge")),
    place("rules", MARKDOWN, |path| is_in_lane(path, "rules")),
    place("journal", MARKDOWN, |path| is_in_lane(path, "journal")),
    place("handoff", MARKDOWN, |path| is_in_lane(path, "handoff")),
    place("superseded", MARKDOWN, |path| is_in_lane(path, "superseded")),
    place("knowledge bases", Way::Rewrite(Form::Yaml), |path| in_base(path) == Some("kb.yaml")),
    place("documents", MARKDOWN, |path| {
        let below = in_base(path).unwrap_or_default();
        below.starts_with("docs/") || below.starts_with("superseded/")
    }),
    place("other originals", Way::Foreign("their bytes do not show what they say"), |path| {
        in_base(path).is_some_and(|below| below.starts_with("raw/")) && is_packed(path)
    }),
    place("originals", Way::Rewrite(Form::Plain), |path| path.starts_with("knowledge/")),
    place("memory", MARKDOWN, |path| path.starts_with("memory/")),
    place("trash", MARKDOWN, |path| path.starts_with("trash/")),
    place("settings", Way::Rewrite(Form::Plain), |path| path == "config.toml"),
    place("logs", Way::Mask, |path| path.starts_with("logs/")),
    place("database", Way::Database, |path| {
        matches!(path, "coffer.db" | "coffer.db-wal" | "coffer.db-shm")
    }),
    place("old databases", Way::Delete, |path| path.starts_with("coffer.db.bad-")),
    place("copies", Way::Rewrite(Form::Plain), |path| {
        !path.contains('/') && path.ends_with(".bak")
    }),
    place("keys", Way::Key, |path| {
        matches!(path, "master.key" | "credentials.toml" | "run/server.json")
    }),
    place("agents", Way::Rewrite(Form::Plain), |path| {
        path == "agents.toml" || path.starts_with("installs/")
    }),
    place("own record", Way::Leave, |path| path.starts_with("run/intents/purges/")),
    place("models", Way::Leave, |path| path.starts_with("models/")),
    place("records of work", Way::Rewrite(Form::Plain), |path| path.starts_with("run/")),
    place("other files", Way::Rewrite(Form::Plain), |_| true),
];

/// The place of a path, by its number in the table.
pub(super) fn place_of(path: &str) -> usize {
    PLACES.iter().position(|place| (place.holds)(path)).unwrap_or(PLACES.len() - 1)
}

/// The folder of the store that a path is in, and the path below it.
pub(super) fn split_store(path: &str) -> Option<(&str, &str)> {
    let folder = if path.starts_with("memory/global/") {
        "memory/global".len()
    } else {
        let rest = path.strip_prefix("memory/projects/")?;
        "memory/projects/".len() + rest.find('/')?
    };
    Some((&path[..folder], &path[folder + 1..]))
}

/// The name of the knowledge base that a path is in, and the path below it.
pub(super) fn split_base(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("knowledge/")?.split_once('/')
}

fn in_base(path: &str) -> Option<&str> {
    split_base(path).map(|(_, below)| below)
}

/// Files whose texts are packed, or written in codes.
fn is_packed(path: &str) -> bool {
    const PACKED: [&str; 16] = [
        "bin", "doc", "docx", "eml", "epub", "mbox", "odp", "ods", "odt", "pdf", "ppt", "pptx",
        "rtf", "xls", "xlsx", "zip",
    ];
    let end = path.rsplit_once('.').map_or("", |(_, end)| end);
    PACKED.iter().any(|packed| end.eq_ignore_ascii_case(packed))
}

fn in_store(path: &str) -> Option<&str> {
    split_store(path).map(|(_, below)| below)
}

fn is_in_lane(path: &str, lane: &str) -> bool {
    in_store(path).and_then(|below| below.strip_prefix(lane)).is_some_and(|b| b.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_its_place() {
        let id = "01JXYZ01JXYZ01JXYZ01JXYZ01";
        for (path, name) in [
            ("memory/global/knowledge/inbox/a.md", "knowledge"),
            (&format!("memory/projects/{id}/journal/2026-01-01.md"), "journal"),
            ("memory/global/rules/a/b.md", "rules"),
            ("memory/global/store.yaml", "stores"),
            ("memory/global/notes.txt", "memory"),
            ("memory/stray.md", "memory"),
            ("memory/.git/objects/ab/cd", "git history"),
            ("memory/global/superseded/a.md", "superseded"),
            ("memory/global/consolidation-log.md", "log of changes"),
            ("trash/global-2026/knowledge/a.md", "trash"),
            ("logs/coffer.2026-01-01.log", "logs"),
            ("coffer.db-wal", "database"),
            ("coffer.db.bad-20260101-wal", "old databases"),
            ("config.toml.bak", "copies"),
            ("config.toml", "settings"),
            ("run/server.json", "keys"),
            ("run/intents/x.json", "records of work"),
            ("run/intents/purges/x.json", "own record"),
            ("agents.toml", "agents"),
            ("knowledge/guide/kb.yaml", "knowledge bases"),
            ("knowledge/guide/docs/a.md", "documents"),
            ("knowledge/guide/superseded/a-1.md", "documents"),
            ("knowledge/guide/raw/a.md", "originals"),
            ("knowledge/guide/raw/a.PDF", "other originals"),
            ("run/intents/kb/a.json", "records of work"),
        ] {
            assert_eq!(PLACES[place_of(path)].name, name, "{path}");
        }
        assert_eq!(split_store("memory/global/a/b"), Some(("memory/global", "a/b")));
        assert_eq!(split_store("memory/projects/x"), None);
    }
}
