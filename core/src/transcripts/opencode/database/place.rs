//! How a database is opened so that its reading leaves no trace.

use std::path::{Path, PathBuf};

use coffer_domain::id::sha256;
use coffer_env::clock;

use crate::error::{Error, Result};
use crate::transcripts::source::Stamp;
use crate::vault::{Dir, below};

/// Where the header says whether the database writes ahead into a log, and what it says then.
const VERSION: usize = 18;
const AHEAD: u8 = 2;

/// A database, and how it is opened.
pub(super) struct Place {
    /// For SQLite.
    pub uri: String,
    /// What the file was as it was opened.
    pub stamp: Stamp,
    kind: Kind,
    /// Taken away at the end.
    _copy: Option<Leftovers>,
}

enum Kind {
    /// SQLite's own locks keep writer and reader apart.
    Locked,
    /// Nobody wrote in it as it was opened, and nothing keeps anybody from beginning to.
    AsItStands(Files),
    /// In a copy of Coffer's own.
    Copy,
}

/// The database and its log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Files {
    root: PathBuf,
    name: String,
    stamps: [Option<Stamp>; 2],
}

impl Files {
    fn of(root: &Path, name: &str) -> Result<Self> {
        let dir = Dir::open(root)?;
        let stamp = |end: &str| dir.stat(&format!("{name}{end}")).map(|stat| stat.map(Stamp::from));
        let stamps = [stamp("")?, stamp("-wal")?];
        Ok(Self { root: root.to_owned(), name: name.to_owned(), stamps })
    }
}

impl Place {
    pub(super) fn of(root: &Path, name: &str, scratch: &Path) -> Result<Self, String> {
        Self::found(root, name, scratch).map_err(|error| error.to_string())
    }

    fn found(root: &Path, name: &str, scratch: &Path) -> Result<Self> {
        let dir = Dir::open(root)?;
        let files = Files::of(root, name)?;
        let [Some(stamp), log] = files.stamps else {
            return Err(missing(root, name));
        };
        let journal = dir.stat(&format!("{name}-journal"))?;
        let has_log = log.is_some_and(|log| log.size > 0);
        let path = below(root, name);
        let place = |options: &str, path: &Path, kind| Self {
            uri: format!("file:{}?mode=ro{options}", escaped(path)),
            stamp,
            kind,
            _copy: None,
        };
        if has_log && dir.holds(&format!("{name}-shm"))? {
            return Ok(place("&readonly_shm=1", &path, Kind::Locked));
        }
        if has_log || journal.is_some_and(|journal| journal.size > 0) {
            let copy = Leftovers::copy(&dir, name, scratch)?;
            let uri = format!("file:{}", escaped(&below(scratch, &copy.name)));
            return Ok(Self { uri, stamp, kind: Kind::Copy, _copy: Some(copy) });
        }
        if writes_ahead(&dir, name)? {
            return Ok(place("&immutable=1", &path, Kind::AsItStands(files)));
        }
        Ok(place("", &path, Kind::Locked))
    }

    /// Whether it is Coffer's own, in which SQLite may undo what was half written.
    pub(super) fn is_copy(&self) -> bool {
        matches!(self.kind, Kind::Copy)
    }

    /// Whether what was read is what stood there all the time.
    pub(super) fn is_still(&self) -> Result<(), String> {
        let Kind::AsItStands(then) = &self.kind else { return Ok(()) };
        let now = Files::of(&then.root, &then.name).map_err(|error| error.to_string())?;
        if now == *then { Ok(()) } else { Err("the database changed while it was read".to_owned()) }
    }
}

fn missing(root: &Path, name: &str) -> Error {
    let reason = format!("`{name}` is not there any more");
    Error::Unavailable { action: "read", path: root.to_owned(), reason }
}

fn writes_ahead(dir: &Dir, name: &str) -> Result<bool> {
    use std::io::Read as _;
    let Some((mut file, _)) = dir.open_file(name)? else { return Ok(false) };
    let mut head = [0; VERSION + 1];
    // A shorter file is none of SQLite's, which says so itself.
    Ok(file.read_exact(&mut head).is_ok() && head[VERSION] == AHEAD)
}

/// A path in a URI.
fn escaped(path: &Path) -> String {
    let mut escaped = String::new();
    for sign in path.to_string_lossy().chars() {
        match sign {
            '%' => escaped.push_str("%25"),
            '?' => escaped.push_str("%3f"),
            '#' => escaped.push_str("%23"),
            sign => escaped.push(sign),
        }
    }
    escaped
}

/// A copy below Coffer's own folder, under a name that the next start sweeps.
struct Leftovers {
    dir: Dir,
    name: String,
}

impl Leftovers {
    /// Copies the database and what belongs to it.
    fn copy(from: &Dir, name: &str, scratch: &Path) -> Result<Self> {
        let dir = Dir::make(scratch)?;
        let unique = sha256(clock::random::<16>());
        let copy = Self { dir, name: format!(".coffer-tmp-{}.db", &unique[..32]) };
        for end in ENDS {
            let Some((mut file, _)) = from.open_file(&format!("{name}{end}"))? else { continue };
            let to = format!("{}{end}", copy.name);
            copy.dir.write_parts(&to, true, |into| {
                let copied = std::io::copy(&mut file, into);
                copied
                    .map(drop)
                    .map_err(|error| Error::file("copy", &below(from.path(), name), &error))
            })?;
        }
        Ok(copy)
    }
}

/// What belongs to a database, by the ends of the files' names.
const ENDS: [&str; 3] = ["", "-wal", "-journal"];

impl Drop for Leftovers {
    fn drop(&mut self) {
        for end in ENDS.into_iter().chain(["-shm"]) {
            // What stays is swept by the next start.
            let _ = self.dir.remove(format!("{}{end}", self.name).as_ref());
        }
    }
}
