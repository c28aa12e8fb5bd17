//! Which paths may be opened or revealed: Coffer's own texts and logs, and nothing else of its home.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use coffer_env::Home;

use crate::error::{Error, Result};

/// The kinds of files that a store holds. The system's opener would run some others.
const TEXTS: [&str; 6] = ["md", "markdown", "txt", "yaml", "yml", "toml"];

/// A path that may be shown, with all links resolved.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Allowed {
    /// The canonical path.
    pub path: PathBuf,
    /// Whether whatever the system opens it with can only show it.
    pub is_harmless: bool,
}

/// Resolves a path that Coffer gave out.
///
/// # Errors
///
/// `PathNotAllowed` for a path outside, also by `..` or a link; `Unavailable` for one of Coffer's
/// where nothing is. Whether a file outside exists is not told.
pub(super) fn allowed(home: &Home, path: &Path, action: &'static str) -> Result<Allowed> {
    let refused = || Error::PathNotAllowed(path.to_owned());
    let root =
        fs::canonicalize(home.root()).map_err(|error| Error::file(action, home.root(), &error))?;
    if !is_plain(path) || !(path.starts_with(home.root()) || path.starts_with(&root)) {
        return Err(refused());
    }
    let resolved = match fs::canonicalize(path) {
        Ok(resolved) => resolved,
        Err(error) if error.kind() == ErrorKind::NotFound => return absent(home, path, action),
        Err(error) => return Err(Error::file(action, path, &error)),
    };
    let is_log = is_below(&resolved, &root, &home.logs());
    let is_config = resolved == root.join("config.toml");
    let is_kept = [home.memory(), home.knowledge()].iter().any(|it| is_below(&resolved, &root, it));
    if !(resolved == root || is_config || is_log || is_kept) {
        return Err(refused());
    }
    let is_text = resolved
        .extension()
        .and_then(|end| end.to_str())
        .is_some_and(|end| TEXTS.iter().any(|text| end.eq_ignore_ascii_case(text)));
    Ok(Allowed { is_harmless: is_log || is_text || resolved.is_dir(), path: resolved })
}

/// Resolves a path of another program's that Coffer gave out: one of `places`, or below one.
///
/// # Errors
///
/// As `allowed`; a link in a place leads nowhere else.
pub(super) fn elsewhere(places: &[PathBuf], path: &Path, action: &'static str) -> Result<PathBuf> {
    let refused = || Error::PathNotAllowed(path.to_owned());
    if !is_plain(path) || !places.iter().any(|place| path.starts_with(place)) {
        return Err(refused());
    }
    let resolved = fs::canonicalize(path).map_err(|error| Error::file(action, path, &error))?;
    let mut bases = places.iter().filter_map(|place| fs::canonicalize(place).ok());
    if bases.any(|base| resolved.starts_with(base)) { Ok(resolved) } else { Err(refused()) }
}

fn is_plain(path: &Path) -> bool {
    path.is_absolute()
        && path.to_str().is_some_and(|text| !text.contains(char::is_control))
        && !path.components().any(|part| part == Component::ParentDir)
}

/// Says that nothing is there, if something might have been.
fn absent(home: &Home, path: &Path, action: &'static str) -> Result<Allowed> {
    let below = path.strip_prefix(home.root()).unwrap_or(path);
    let could_be = [home.memory(), home.knowledge(), home.logs(), home.config_file()];
    let could_be = could_be
        .iter()
        .filter_map(|it| it.strip_prefix(home.root()).ok())
        .any(|it| below.starts_with(it));
    if !could_be && below.is_relative() {
        return Err(Error::PathNotAllowed(path.to_owned()));
    }
    let reason = "there is no such file or folder".to_owned();
    Err(Error::Unavailable { action, path: path.to_owned(), reason })
}

/// Whether a canonical path is in one of the home's folders. The folder may be a link to a place of
/// the person's choosing, but not to another part of the home, nor to one that holds the home.
fn is_below(path: &Path, root: &Path, folder: &Path) -> bool {
    let Ok(base) = fs::canonicalize(folder) else { return false };
    let is_itself = folder.file_name().is_some_and(|name| base == root.join(name));
    let is_elsewhere = !base.starts_with(root) && !root.starts_with(&base);
    (is_itself || is_elsewhere) && path.starts_with(&base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn ground() -> (tempfile::TempDir, Home) {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path().join("coffer"));
        for folder in ["memory/global/knowledge", "logs", "run", "memory-evil", "models"] {
            fs::create_dir_all(home.root().join(folder)).unwrap();
        }
        for file in [
            "memory/global/knowledge/ä 部.md",
            "memory/global/knowledge/x.desktop",
            "memory-evil/a.md",
            "logs/coffer.log.2026-06-09",
            "run/server.json",
            "config.toml",
            "config.toml.md",
            "credentials.toml",
            "master.key",
            "coffer.db",
            "../outside.md",
        ] {
            fs::write(home.root().join(file), "x").unwrap();
        }
        (temp, home)
    }

    #[test]
    fn only_texts_and_logs_of_the_home() {
        let (_temp, home) = ground();
        let at = |path: &str| home.root().join(path);
        symlink(at("../outside.md"), at("memory/global/knowledge/out.md")).unwrap();
        symlink(at("run"), at("memory/global/run")).unwrap();
        symlink(at("memory/global"), at("memory/alias")).unwrap();
        for (path, is_harmless) in [
            ("", true),
            ("config.toml", true),
            ("memory", true),
            ("memory/global", true),
            ("memory/global/knowledge/ä 部.md", true),
            ("memory/alias/knowledge/ä 部.md", true),
            ("memory/global/knowledge/x.desktop", false),
            ("logs", true),
            ("logs/coffer.log.2026-06-09", true),
        ] {
            let path = at(path);
            let allowed = allowed(&home, &path, "open").unwrap();
            assert_eq!(allowed.is_harmless, is_harmless, "{}", path.display());
            assert_eq!(allowed.path, fs::canonicalize(&path).unwrap());
        }
        for path in [
            "run",
            "run/server.json",
            "memory-evil",
            "memory-evil/a.md",
            "config.toml.md",
            "credentials.toml",
            "master.key",
            "coffer.db",
            "models",
            "run/none",
            "none",
            "memory/../run/server.json",
            "memory/global/knowledge/../../global",
            "memory/global/knowledge/out.md",
            "memory/global/run/server.json",
            "../outside.md",
            "memory/a\nb",
        ] {
            let refused = allowed(&home, &at(path), "open");
            assert!(matches!(&refused, Err(Error::PathNotAllowed(_))), "{path}: {refused:?}");
        }
        for path in ["/etc/passwd", "/none", "config.toml", "", "~/x", "file:///etc/passwd"] {
            let refused = allowed(&home, Path::new(path), "open");
            assert!(matches!(&refused, Err(Error::PathNotAllowed(_))), "{path}: {refused:?}");
        }
        for path in ["memory/none.md", "logs/none", "memory/global/knowledge/ä 部.md/x"] {
            let gone = allowed(&home, &at(path), "open");
            assert!(matches!(&gone, Err(Error::Unavailable { .. })), "{path}: {gone:?}");
        }
    }

    #[test]
    fn of_other_programs_only_what_is_below_their_places() {
        let (temp, home) = ground();
        let at = |path: &str| temp.path().join(path);
        fs::create_dir_all(at("agent/sessions")).unwrap();
        fs::write(at("agent/sessions/a.jsonl"), "{}").unwrap();
        fs::write(at("agent.json"), "{}").unwrap();
        fs::write(at("agent-evil"), "{}").unwrap();
        symlink(at("outside.md"), at("agent/out")).unwrap();
        symlink(at("agent-evil"), at("linked.json")).unwrap();
        let places = [at("agent"), at("agent.json"), at("linked.json")];
        let ask = |path: &str| elsewhere(&places, &at(path), "reveal");
        for path in ["agent", "agent/sessions/a.jsonl", "agent.json"] {
            assert_eq!(ask(path).unwrap(), fs::canonicalize(at(path)).unwrap(), "{path}");
        }
        // A file of theirs may be a link to where the person keeps it.
        assert_eq!(ask("linked.json").unwrap(), fs::canonicalize(at("agent-evil")).unwrap());
        for path in ["agent/out", "agent/../outside.md", "agent-evil", "coffer/run/server.json"] {
            assert!(matches!(ask(path), Err(Error::PathNotAllowed(_))), "{path}");
        }
        assert!(matches!(ask("agent/none"), Err(Error::Unavailable { .. })));
        assert!(allowed(&home, &at("agent/sessions/a.jsonl"), "open").is_err());
    }

    #[test]
    fn folders_may_lie_where_the_person_put_them() {
        let (temp, home) = ground();
        let synced = temp.path().join("synced");
        fs::rename(home.memory(), &synced).unwrap();
        symlink(&synced, home.memory()).unwrap();
        let alias = temp.path().join("alias");
        symlink(home.root(), &alias).unwrap();
        let note = home.memory().join("global/knowledge/ä 部.md");
        allowed(&home, &note, "open").unwrap();
        let by_alias = Home::at(&alias);
        allowed(&by_alias, &alias.join("memory/global"), "open").unwrap();
        allowed(&by_alias, &home.root().join("memory/global"), "open").unwrap();
        assert!(allowed(&by_alias, &alias.join("run/server.json"), "open").is_err());

        for target in ["run", ".", ".."] {
            fs::remove_file(home.memory()).unwrap();
            symlink(home.root().join(target), home.memory()).unwrap();
            for path in ["memory", "memory/server.json", "run/server.json"] {
                let path = home.root().join(path);
                let is_home = fs::canonicalize(&path).is_ok_and(|it| it == home.root());
                assert!(is_home || allowed(&home, &path, "open").is_err(), "{target}");
            }
        }
    }
}
