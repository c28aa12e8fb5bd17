//! Overwriting parts of a file where it stands: for logs, which the program that adds to them holds
//! open, so that no other file may take their place.

use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use rustix::fs::{Mode, OFlags};

use super::dir::Dir;
use crate::error::{Error, Result};

/// What stands where something was.
const MASK: u8 = b'*';

impl Dir {
    /// Puts `*` in the place of parts of a file; its length stays.
    pub(crate) fn mask(&self, name: &str, parts: &[Range<u64>]) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let path = self.path().to_owned();
        let failed = |error: std::io::Error| Error::file("write to", &path, &error);
        let file = rustix::fs::openat(self.file(), name, flags, Mode::empty())
            .map(std::fs::File::from)
            .map_err(|error| failed(error.into()))?;
        for part in parts {
            let length = usize::try_from(part.end - part.start).unwrap_or(0);
            file.write_all_at(&vec![MASK; length], part.start).map_err(failed)?;
        }
        file.sync_all().map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::Expect;
    use std::io::Write as _;

    #[test]
    fn parts_are_masked_while_another_adds() {
        let temp = tempfile::tempdir().unwrap();
        let dir = Dir::make(temp.path()).unwrap();
        dir.write("a.log", b"one two three", Expect::Absent).unwrap();
        let mut other =
            std::fs::File::options().append(true).open(temp.path().join("a.log")).unwrap();
        dir.mask("a.log", &[4..7, 8..9]).unwrap();
        other.write_all(b" four").unwrap();
        assert_eq!(dir.read("a.log").unwrap().unwrap().bytes, b"one *** *hree four");
        assert!(dir.mask("none.log", &[]).is_err());
    }
}
