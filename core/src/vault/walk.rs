//! Which files a store holds: a walk that reads no file, follows no link, and says what it skipped.

use std::ffi::OsStr;

use rustix::fs::{AtFlags, FileType};

use super::dir::{Dir, Stat, TEMPORARY};
use crate::error::{Error, Result};

/// How deep folders are walked.
const MAX_DEPTH: usize = 16;

/// A file and its stat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Relative to the root, `/` between parts.
    pub path: String,
    /// Its stat.
    pub stat: Stat,
}

/// Something that was not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Relative to the root.
    pub path: String,
    /// Why, in plain words.
    pub reason: String,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Files, in path order.
    pub files: Vec<Found>,
    /// Folders that were entered, relative to the root; the root is the empty string.
    pub folders: Vec<String>,
    /// Links, devices and unreadable folders. What lies below an unreadable folder is unknown.
    pub skipped: Vec<Skipped>,
}

impl Walk {
    fn sort(&mut self) {
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.folders.sort_unstable();
        self.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }

    /// Whether a path lies where the walk could not look, so that its absence means nothing.
    pub(crate) fn is_hidden(&self, path: &str) -> bool {
        self.skipped.iter().any(|skipped| {
            path == skipped.path
                || path.strip_prefix(&skipped.path).is_some_and(|rest| rest.starts_with('/'))
        })
    }
}

/// Walks `starts` (folders relative to the root); `wanted` chooses files by relative path.
/// A start folder that is not there is simply empty.
pub(crate) fn walk(root: &Dir, starts: &[&str], wanted: impl Fn(&str) -> bool) -> Walk {
    walk_past(root, starts, wanted, is_foreign)
}

/// As `walk`, for folders of another program: no deeper than `depth` folders below the starts, and
/// what lies deeper is none of ours.
pub(crate) fn walk_down(
    root: &Dir,
    starts: &[&str],
    depth: usize,
    wanted: impl Fn(&str) -> bool,
) -> Walk {
    let (mut walk, _deeper) = descend(root, starts, depth, (&wanted, is_foreign));
    walk.sort();
    walk
}

/// Walks everything below a root, hidden files and those of other programs included.
pub(crate) fn walk_everything(root: &Dir) -> Walk {
    walk_past(root, &[""], |_| true, |name| matches!(name, "." | ".."))
}

fn walk_past(
    root: &Dir,
    starts: &[&str],
    wanted: impl Fn(&str) -> bool,
    passes_over: fn(&str) -> bool,
) -> Walk {
    let (mut walk, deeper) = descend(root, starts, MAX_DEPTH, (&wanted, passes_over));
    walk.skipped.extend(deeper.into_iter().map(|path| {
        let reason = format!("it lies more than {MAX_DEPTH} folders deep");
        Skipped { path, reason }
    }));
    walk.sort();
    walk
}

/// Walks to a depth, and returns the folders that lie deeper.
fn descend(
    root: &Dir,
    starts: &[&str],
    depth: usize,
    chosen: (&impl Fn(&str) -> bool, fn(&str) -> bool),
) -> (Walk, Vec<String>) {
    let (mut walk, mut deeper) = (Walk::default(), Vec::new());
    let mut pending: Vec<(String, usize)> =
        starts.iter().map(|start| ((*start).to_owned(), 0)).collect();
    while let Some((folder, down)) = pending.pop() {
        match enter(root, &folder, chosen, &mut walk) {
            Ok(below) if down < depth => {
                pending.extend(below.into_iter().map(|folder| (folder, down + 1)));
            }
            Ok(below) => deeper.extend(below),
            Err(error) => walk.skipped.push(Skipped { path: folder, reason: error.to_string() }),
        }
    }
    (walk, deeper)
}

/// Looks at one folder and returns the folders in it.
fn enter(
    root: &Dir,
    folder: &str,
    (wanted, passes_over): (&impl Fn(&str) -> bool, fn(&str) -> bool),
    walk: &mut Walk,
) -> Result<Vec<String>> {
    let Some(dir) = root.find_at(folder)? else { return Ok(Vec::new()) };
    let failed = |error: rustix::io::Errno| Error::file("read", dir.path(), &error.into());
    let mut below = Vec::new();
    for entry in rustix::fs::Dir::read_from(dir.file()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().to_str() else {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            walk.skipped.push(Skipped { path, reason: "its name is not UTF-8".to_owned() });
            continue;
        };
        if passes_over(name) {
            continue;
        }
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        match kind(&dir, &entry) {
            FileType::Directory => below.push(path),
            FileType::RegularFile if !wanted(&path) => {}
            FileType::RegularFile => match dir.stat(name) {
                Ok(Some(stat)) => walk.files.push(Found { path, stat }),
                Ok(None) => {}
                Err(error) => walk.skipped.push(Skipped { path, reason: error.to_string() }),
            },
            FileType::Symlink | FileType::Unknown => {
                let reason = "it is a link, which is never followed".to_owned();
                walk.skipped.push(Skipped { path, reason });
            }
            _ if wanted(&path) => {
                let reason = "it is a device, a socket or a pipe".to_owned();
                walk.skipped.push(Skipped { path, reason });
            }
            _ => {}
        }
    }
    walk.folders.push(folder.to_owned());
    Ok(below)
}

/// Whether an entry belongs to another program: what is hidden, and the packages of Node, which
/// bring thousands of Markdown files along.
fn is_foreign(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// What an entry is; some file systems tell only on a second question.
fn kind(dir: &Dir, entry: &rustix::fs::DirEntry) -> FileType {
    match entry.file_type() {
        FileType::Unknown => {
            rustix::fs::statat(dir.file(), entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
        }
        known => known,
    }
}

/// Removes temporary files below a root and returns how many. Only for the start of an owner:
/// whoever holds the owner lock is the only writer, so that every temporary file is a dead one's.
pub(crate) fn sweep_leftovers(root: &Dir) -> Result<usize> {
    let mut removed = 0;
    let mut pending = vec![(String::new(), 0)];
    while let Some((folder, depth)) = pending.pop() {
        let Ok(dir) = root.at(&folder) else { continue };
        let Ok(entries) = rustix::fs::Dir::read_from(dir.file()) else { continue };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().to_str() else { continue };
            let is_folder = entry.file_type() == FileType::Directory;
            if is_folder && !name.starts_with('.') && depth < MAX_DEPTH {
                pending.push((format!("{folder}/{name}"), depth + 1));
            } else if name.starts_with(TEMPORARY) {
                dir.remove(OsStr::new(name))?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}
