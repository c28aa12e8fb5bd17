//! A file of another program, by the name that the program knows it by.
//!
//! A link stays one: the file that it leads to is changed, in that one's folder. A file with several
//! names, a read-only one, or one that is no file is left alone.
#![expect(clippy::disallowed_methods, reason = "the vault is the owner of the person's files")]

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use coffer_domain::time::Timestamp;

use super::dir::{Dir, MAX_FILE_BYTES, Ownership};
use crate::error::{Error, Result};

/// So many links may lead to a file.
const LINKS: usize = 40;
/// What the copy of a file before a change is called.
const COPY: &str = ".coffer.bak";

/// A file of another program, which may not be there yet.
#[derive(Debug)]
pub(crate) struct Foreign {
    /// As the program names it.
    named: PathBuf,
    /// Where it is.
    folder: PathBuf,
    name: String,
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// When they were last changed.
    pub modified: Timestamp,
    ownership: Ownership,
}

impl Foreign {
    /// Follows the links of a path, also where they lead to no file yet.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let failed = |error: io::Error| Error::file("read", path, &error);
        let mut real = path.to_owned();
        for _ in 0..LINKS {
            match fs::read_link(&real) {
                Ok(to) => real = real.parent().unwrap_or(Path::new("/")).join(to),
                Err(error)
                    if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) =>
                {
                    return Self::in_folder(path, &real);
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(io::Error::other("too many links lead to it")))
    }

    fn in_folder(named: &Path, real: &Path) -> Result<Self> {
        let name = real.file_name().and_then(|name| name.to_str());
        let (Some(folder), Some(name)) = (real.parent(), name) else {
            let error = io::Error::other("its name is not UTF-8");
            return Err(Error::file("read", named, &error));
        };
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        Ok(Self { named: named.to_owned(), folder, name: name.to_owned() })
    }

    /// The file as it is now; `None` where there is none.
    pub(crate) fn read(&self) -> Result<Option<Held>> {
        let Some(dir) = Dir::find(&self.folder)? else { return Ok(None) };
        let Some((mut file, stat)) = dir.open_file(&self.name)? else { return Ok(None) };
        let failed = |error: io::Error| Error::file("read", &self.named, &error);
        if stat.size > MAX_FILE_BYTES {
            return Err(failed(io::Error::other("it is larger than 16 MiB")));
        }
        let ownership = Ownership::of(&file).map_err(|error| failed(error.into()))?;
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0));
        file.read_to_end(&mut bytes).map_err(failed)?;
        Ok(Some(Held { bytes, modified: stat.modified(), ownership }))
    }

    /// Why a file is not to be changed, if so.
    pub(crate) fn locked(&self, held: &Held) -> Option<&'static str> {
        match held.ownership {
            Ownership { mode, .. } if mode & 0o222 == 0 => Some("it is read-only"),
            Ownership { is_shared: true, .. } => Some("it has a second name (a hard link)"),
            _ => None,
        }
    }

    /// Replaces what was read, after a copy of it was made, unless nothing in it is the person's;
    /// `false` when it is another file meanwhile.
    pub(crate) fn replace(&self, bytes: &[u8], before: &Held, is_own: bool) -> Result<bool> {
        if !is_own {
            self.keep_copy(before)?;
        }
        Dir::open(&self.folder)?.swap(&self.name, bytes, &before.bytes, before.ownership)
    }

    /// Makes the file and the folders for it, which it gives outermost first; `None` when there is a
    /// file meanwhile.
    pub(crate) fn create(&self, bytes: &[u8]) -> Result<Option<Vec<PathBuf>>> {
        let missing = self.folder.ancestors().take_while(|folder| !folder.exists());
        let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        made.reverse();
        let is_made = Dir::make(&self.folder)?.make_file(&self.name, bytes)?;
        Ok(is_made.then_some(made))
    }

    /// Takes the file away, and the folders that were made for it as far as they are empty; `false`
    /// when it is another file meanwhile. With a copy, unless nothing in it is the person's.
    pub(crate) fn remove(&self, before: &Held, folders: &[PathBuf], is_own: bool) -> Result<bool> {
        if !is_own {
            self.keep_copy(before)?;
        }
        let dir = Dir::open(&self.folder)?;
        if !dir.withdraw(&self.name, &before.bytes)? {
            return Ok(false);
        }
        for folder in folders.iter().rev() {
            // One that is not empty stays.
            let _ = fs::remove_dir(folder);
        }
        Ok(true)
    }

    fn keep_copy(&self, held: &Held) -> Result<()> {
        let (dir, name) = self.copy()?;
        dir.write_copy(&name, &held.bytes, held.ownership)
    }

    /// Beside the name that the program knows.
    fn copy(&self) -> Result<(Dir, String)> {
        let name = self.named.file_name().and_then(|name| name.to_str()).unwrap_or(&self.name);
        let folder = self.named.parent().unwrap_or(&self.folder);
        Ok((Dir::open(folder)?, format!("{name}{COPY}")))
    }
}
