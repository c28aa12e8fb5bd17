//! Taking whole folders away: a store to the system's trash, or to Coffer's own where there is none;
//! what can be had again, for good.
#![expect(clippy::disallowed_methods, reason = "the vault is the owner of the person's files")]

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use coffer_domain::time::Timestamp;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::dir::Dir;
use crate::error::{Error, Result};

/// Moves a folder away in one step, so that it is there whole or gone whole.
///
/// The folder is first renamed into `own_trash`; only then the system's trash may take it, which
/// can mean copying to another disk.
pub(crate) fn discard(folder: &Path, own_trash: &Path, now: Timestamp) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let trash = Dir::make(own_trash)?;
    let moved = own_trash.join(format!("{name}-{}", now.compact()));
    fs::rename(folder, &moved).map_err(|error| Error::file("move", folder, &error))?;
    trash.sync()?;
    if let Some(above) = folder.parent() {
        Dir::open(above)?.sync()?;
    }
    if let Err(error) = trash::delete(&moved) {
        tracing::info!(%error, kept = %moved.display(), "no trash of the system took the store");
    }
    Ok(())
}

/// Removes a folder of Coffer's own with all that is in it, whatever the names; a link in it is removed,
/// not followed.
pub(crate) fn remove_folder(above: &Dir, name: &OsStr) -> Result<()> {
    let failed =
        |error: Errno| Error::file("remove", &above.path().join(name), &io::Error::from(error));
    remove_below(above.file(), name).map_err(failed)?;
    above.sync()
}

fn remove_below(above: &fs::File, name: &OsStr) -> rustix::io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match rustix::fs::openat(above, name, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(()),
        folder => fs::File::from(folder?),
    };
    for entry in rustix::fs::Dir::read_from(&folder)? {
        let entry = entry?;
        let inner = OsStr::from_bytes(entry.file_name().to_bytes());
        if [".", ".."].map(OsStr::new).contains(&inner) {
            continue;
        }
        match rustix::fs::unlinkat(&folder, inner, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::ISDIR | Errno::PERM) => remove_below(&folder, inner)?,
            Err(error) => return Err(error),
        }
    }
    rustix::fs::unlinkat(above, name, AtFlags::REMOVEDIR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_all_in_it_and_nothing_else() {
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        fs::create_dir_all(at("a/b/c")).unwrap();
        fs::create_dir(at("a").join(OsStr::from_bytes(b"\xff"))).unwrap();
        fs::write(at("a").join(OsStr::from_bytes(b"\xff/\xfe")), "x").unwrap();
        fs::create_dir(at("other")).unwrap();
        for file in ["a/x", "a/b/c/y", "other/z"] {
            fs::write(at(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(at("other"), at("a/b/link")).unwrap();
        let above = Dir::open(temp.path()).unwrap();
        remove_folder(&above, "a".as_ref()).unwrap();
        assert!(!at("a").exists() && at("other/z").exists());
        remove_folder(&above, "a".as_ref()).unwrap();
        std::os::unix::fs::symlink(at("other"), at("link")).unwrap();
        assert!(remove_folder(&above, "link".as_ref()).is_err() && at("other/z").exists());
    }
}
