//! Where a session is kept, and what shows that it changed.

use std::fs::File;
use std::path::{Path, PathBuf};

use coffer_domain::time::Timestamp;

use crate::error::{Error, Result};
use crate::vault::{Dir, Found, Skipped, Stat, below};

/// A source with the same stamp is not read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Bytes, or what else grows with it.
    pub size: i64,
    /// The last change, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Which file it is.
    pub inode: i64,
}

impl Stamp {
    /// The last change.
    pub(crate) const fn changed_at(self) -> Timestamp {
        Timestamp::from_micros(self.mtime_ns.div_euclid(1_000))
    }
}

impl From<Stat> for Stamp {
    fn from(stat: Stat) -> Self {
        let Stat { size, mtime_ns, ctime_ns: _, inode } = stat;
        Self { size: size.cast_signed(), mtime_ns, inode: inode.cast_signed() }
    }
}

/// One session, or what may be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// The agent's folder.
    pub root: PathBuf,
    /// The file, relative to the root, `/` between parts.
    pub path: String,
    /// Which session of a file that holds many.
    pub part: Option<String>,
    /// What shows that it changed.
    pub stamp: Stamp,
}

impl Source {
    /// A file of its own.
    pub(super) fn file(root: &Path, found: Found) -> Self {
        let Found { path, stat } = found;
        Self { root: root.to_owned(), path, part: None, stamp: stat.into() }
    }

    /// Which source of its root it is.
    pub(crate) fn key(&self) -> (&str, &str) {
        (&self.path, self.part.as_deref().unwrap_or_default())
    }

    /// Where the file is, for people.
    pub(crate) fn location(&self) -> PathBuf {
        below(&self.root, &self.path)
    }

    /// Opens the file; nothing below the root is reached through a link.
    pub(super) fn open(&self) -> Result<File> {
        let opened = Dir::open(&self.root)?.open_at(&self.path)?;
        opened.map(|(file, _)| file).ok_or_else(|| Error::Unavailable {
            action: "read",
            path: self.root.clone(),
            reason: format!("`{}` is not there any more", self.path),
        })
    }

    /// The file's name without folder and ending.
    pub(super) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.split('.').next().unwrap_or(name)
    }
}

/// What is below a root.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Whether the root is there at all: a disk that is not attached takes no session away.
    pub is_there: bool,
    /// The sessions, in the order of their paths.
    pub sources: Vec<Source>,
    /// What could not be looked at, or is a link: nothing below it is known.
    pub skipped: Vec<Skipped>,
}

impl Survey {
    /// Whether a path lies where nobody could look, so that its absence means nothing.
    pub(crate) fn is_hidden(&self, path: &str) -> bool {
        self.skipped.iter().any(|skipped| {
            path.strip_prefix(&*skipped.path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}
