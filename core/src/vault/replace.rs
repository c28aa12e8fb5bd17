//! Replacing a version by another one under another name: the name first, so that whoever is cut off
//! in between still finds in the bytes what the name is to follow.

use super::dir::{Dir, Expect, Stat, split};
use crate::error::{Error, Result};

/// Gives a file below a root another name, where nothing may stand, and other bytes. Either may be
/// what it is. Each is whole at every moment.
pub(crate) fn replace(
    root: &Dir,
    (path, to): (&str, &str),
    bytes: &[u8],
    before: &[u8],
) -> Result<Stat> {
    let ((from, name), (into, new_name)) = (split(path), split(to));
    let dir = root.at(into)?;
    if path != to {
        root.at(from)?.rename(name, &dir, new_name)?;
    }
    let present = dir.read(new_name)?;
    match present.filter(|file| file.bytes == bytes) {
        Some(file) => Ok(file.stat),
        None => dir.write(new_name, bytes, Expect::Version(before)),
    }
}

/// A name for a file in a folder: the wanted one, or that with a number where something stands.
pub(crate) fn free_name(dir: &Dir, wanted: &str) -> Result<String> {
    let (stem, end) =
        wanted.rsplit_once('.').map_or((wanted, ""), |(stem, _)| (stem, &wanted[stem.len()..]));
    let numbered = (2..100).map(|number| format!("{stem}-{number}{end}"));
    for name in std::iter::once(wanted.to_owned()).chain(numbered) {
        if !dir.holds(&name)? {
            return Ok(name);
        }
    }
    Err(Error::AlreadyExists(dir.path().to_owned()))
}
