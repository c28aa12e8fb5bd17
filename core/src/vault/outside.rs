//! Places outside of Coffer's own folder that a person names: what an import reads, where an export
//! goes. Links on the way to such a place are the person's choice; none below it is followed.
#![expect(clippy::disallowed_methods, reason = "the vault is the owner of the person's files")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::dir::{Dir, Stat};
use crate::error::{Error, Result};

/// What an import reads.
#[derive(Debug)]
pub(crate) enum Source {
    /// A folder.
    Folder(Dir),
    /// A file: its folder and its name.
    File(Dir, String),
}

impl Source {
    /// Opens a source. One in Coffer's own folder, or around it, is refused: Coffer's keys are read
    /// by nobody, and its stores are not imported into themselves.
    pub(crate) fn open(path: &Path, home: &Path) -> Result<Self> {
        let real = fs::canonicalize(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                let reason = "there is no such file or folder".to_owned();
                Error::BadSource { path: path.to_owned(), reason }
            }
            _ => Error::file("read", path, &error),
        })?;
        refuse_own(&real, home)?;
        if real.is_dir() {
            return Dir::open(&real).map(Self::Folder);
        }
        if !real.is_file() {
            let reason = "it is a device, a socket or a pipe".to_owned();
            return Err(Error::BadSource { path: path.to_owned(), reason });
        }
        let (folder, name) = parts(&real)?;
        Ok(Self::File(Dir::open(folder)?, name))
    }
}

/// Opens a file below a folder that a person names; `None` where there is nothing. Caches of models
/// are made of links, so that here those below the folder are followed, too.
pub(crate) fn through_links(
    folder: &Path,
    name: &str,
    home: &Path,
) -> Result<Option<(fs::File, Stat)>> {
    let path = folder.join(name);
    let real = match fs::canonicalize(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|error| Error::file("read", &path, &error))?,
    };
    refuse_own(&real, home)?;
    let (folder, name) = parts(&real)?;
    Dir::open(folder)?.open_file(&name)
}

/// The folder and the name of a file that is to be written. Its folder has to be there.
pub(crate) fn target(path: &Path, home: &Path) -> Result<(Dir, String)> {
    let (folder, name) = parts(path)?;
    let real = fs::canonicalize(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let reason = "must be in a folder that exists".to_owned();
            Error::Invalid { field: "path", reason }
        }
        _ => Error::file("write to", folder, &error),
    })?;
    refuse_own(&real.join(&name), home)?;
    Ok((Dir::open(&real)?, name))
}

fn parts(path: &Path) -> Result<(&Path, String)> {
    let name = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_absolute());
    let (Some(folder), Some(name)) = (path.parent(), name) else {
        let reason = "must be the absolute path of a file, in UTF-8".to_owned();
        return Err(Error::Invalid { field: "path", reason });
    };
    Ok((folder, name.to_owned()))
}

fn refuse_own(real: &Path, home: &Path) -> Result<()> {
    let home = fs::canonicalize(home).unwrap_or_else(|_| PathBuf::from(home));
    let reason = if real.starts_with(&home) {
        "must not be in Coffer's own folder"
    } else if home.starts_with(real) {
        "must not be a folder that Coffer's own is in"
    } else {
        return Ok(());
    };
    Err(Error::Invalid { field: "path", reason: reason.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn coffers_own_folder_is_no_place_outside() {
        let temp = tempfile::tempdir().unwrap();
        let home = temp.path().join("home");
        fs::create_dir_all(home.join("run")).unwrap();
        fs::create_dir(temp.path().join("notes")).unwrap();
        fs::write(home.join("run/server.json"), "{}").unwrap();
        fs::write(temp.path().join("notes/a.jsonl"), "{}").unwrap();
        symlink(&home, temp.path().join("link")).unwrap();
        let source = |path: &str| Source::open(&temp.path().join(path), &home);
        for path in ["home", "home/run", "home/run/server.json", "link", "link/run/server.json", ""]
        {
            let refused = source(path);
            assert!(matches!(refused, Err(Error::Invalid { field: "path", .. })), "{path}");
        }
        assert!(matches!(source("notes"), Ok(Source::Folder(_))));
        assert!(matches!(source("notes/a.jsonl"), Ok(Source::File(_, name)) if name == "a.jsonl"));
        let dir = Dir::open(temp.path()).unwrap();
        rustix::fs::mkfifoat(dir.file(), "pipe", rustix::fs::Mode::RUSR).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(temp.path().join("socket")).unwrap();
        for path in ["none", "notes/none", "pipe", "socket", "/dev/null"] {
            assert!(matches!(source(path), Err(Error::BadSource { .. })), "{path}");
        }
        for path in ["home/x.gz", "link/run/x.gz", "notes/../home/x.gz", "none/x.gz", "notes/.."] {
            assert!(target(&temp.path().join(path), &home).is_err(), "{path}");
        }
        assert!(target(Path::new("x.gz"), &home).is_err());
        assert_eq!(target(&temp.path().join("notes/x.gz"), &home).unwrap().1, "x.gz");
        symlink(temp.path().join("notes/a.jsonl"), temp.path().join("notes/link")).unwrap();
        symlink(home.join("run/server.json"), temp.path().join("notes/own")).unwrap();
        let open = |name: &str| through_links(&temp.path().join("notes"), name, &home);
        assert!(matches!(open("a.jsonl"), Ok(Some(_))) && matches!(open("link"), Ok(Some(_))));
        assert!(matches!(open("none"), Ok(None)) && open("own").is_err() && open("..").is_err());
    }
}
