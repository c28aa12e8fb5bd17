//! Writing: a temporary file, flushed, renamed, and its folder flushed.

use std::fs;
use std::io::{self, Write as _};

use coffer_domain::id::sha256;
use coffer_env::clock;
use rustix::fs::{AtFlags, OFlags, RenameFlags, Timespec, Timestamps};

use super::{Dir, Expect, FILE_MODE, Stat, TEMPORARY, retry};
use crate::error::{Error, Result};

impl Dir {
    /// Writes a whole file: temporary file, flush, rename, flush of the folder. What stands at the
    /// name is compared with `expect` right before the rename.
    pub(crate) fn write(&self, name: &str, bytes: &[u8], expect: Expect<'_>) -> Result<Stat> {
        self.write_dated(name, bytes, expect, None)
    }

    /// As `write`, with a time of the last change, in nanoseconds since 1970, for a file that was
    /// written elsewhere.
    pub(crate) fn write_dated(
        &self,
        name: &str,
        bytes: &[u8],
        expect: Expect<'_>,
        modified_ns: Option<i64>,
    ) -> Result<Stat> {
        let stat = self.put(name, bytes, expect, modified_ns)?;
        self.sync()?;
        Ok(stat)
    }

    /// As `write_dated`, for one of many files: the caller flushes the folder after the last.
    pub(crate) fn put(
        &self,
        name: &str,
        bytes: &[u8],
        expect: Expect<'_>,
        modified_ns: Option<i64>,
    ) -> Result<Stat> {
        let temporary = Temporary::new(self)?;
        let stat = temporary.fill(bytes, modified_ns)?;
        let flags = match expect {
            Expect::Absent => RenameFlags::NOREPLACE,
            Expect::Version(version) => {
                self.compare(name, version)?;
                RenameFlags::empty()
            }
        };
        temporary.rename(name, flags)?;
        // The rename changed the change time, which is part of the gate.
        Ok(self.stat(name)?.filter(|now| now.inode == stat.inode).unwrap_or(stat))
    }

    /// Writes a file of any size by parts, as safely. What a dead writer left of the same file is
    /// taken away first, so that no folder outside of Coffer's keeps leftovers.
    pub(crate) fn write_parts(
        &self,
        name: &str,
        replace: bool,
        fill: impl FnOnce(&mut fs::File) -> Result<()>,
    ) -> Result<Stat> {
        let own = format!("{TEMPORARY}{}", &sha256(name)[..32]);
        self.remove(own.as_ref())?;
        let mut temporary = Temporary::named(self, own)?;
        fill(&mut temporary.file)?;
        temporary.file.sync_all().map_err(|error| Error::file("write", &self.path, &error))?;
        let flags = if replace { RenameFlags::empty() } else { RenameFlags::NOREPLACE };
        temporary.rename(name, flags)?;
        self.sync()?;
        self.stat(name)?.ok_or_else(|| self.not_a_file("write", name))
    }
}

/// A temporary file that goes away unless it was renamed.
pub(super) struct Temporary<'a> {
    dir: &'a Dir,
    name: String,
    file: fs::File,
    kept: bool,
}

impl<'a> Temporary<'a> {
    fn new(dir: &'a Dir) -> Result<Self> {
        Self::named(dir, format!("{TEMPORARY}{:032x}", u128::from_ne_bytes(clock::random())))
    }

    pub(super) fn named(dir: &'a Dir, name: String) -> Result<Self> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = retry(|| rustix::fs::openat(&dir.file, &name, flags, FILE_MODE))
            .map_err(|error| Error::file("write", &dir.path, &error))?;
        Ok(Self { dir, name, file: fs::File::from(fd), kept: false })
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The file.
    pub(super) const fn file(&self) -> &fs::File {
        &self.file
    }

    /// The folder that it is in.
    pub(super) fn folder(&self) -> &std::path::Path {
        &self.dir.path
    }

    pub(super) fn fill(&self, bytes: &[u8], modified_ns: Option<i64>) -> Result<Stat> {
        let failed = |error: io::Error| Error::file("write", &self.dir.path, &error);
        (&self.file).write_all(bytes).map_err(failed)?;
        if let Some(nanos) = modified_ns {
            rustix::fs::futimens(&self.file, &times(nanos))
                .map_err(|error| failed(error.into()))?;
        }
        self.file.sync_all().map_err(failed)?;
        let stat = rustix::fs::fstat(&self.file).map_err(|error| failed(error.into()))?;
        Ok(Stat::of(&stat))
    }

    pub(super) fn rename(mut self, name: &str, flags: RenameFlags) -> Result<()> {
        let dir = &self.dir.file;
        let renamed = retry(|| rustix::fs::renameat_with(dir, &self.name, dir, name, flags));
        renamed.map_err(|error| Error::file("write", &self.dir.path.join(name), &error))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.kept {
            // Nothing can be done about a failure; the next start sweeps leftovers.
            let _ = rustix::fs::unlinkat(&self.dir.file, &self.name, AtFlags::empty());
        }
    }
}

fn times(nanos: i64) -> Timestamps {
    const SECOND: i64 = 1_000_000_000;
    let time = Timespec { tv_sec: nanos.div_euclid(SECOND), tv_nsec: nanos.rem_euclid(SECOND) };
    Timestamps { last_access: time, last_modification: time }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_the_time_that_it_comes_with() {
        let temp = tempfile::tempdir().unwrap();
        let dir = Dir::make(temp.path()).unwrap();
        for nanos in [0, 1_700_000_000_123_456_789] {
            let name = format!("{nanos}.md");
            let stat = dir.write_dated(&name, b"x", Expect::Absent, Some(nanos)).unwrap();
            assert_eq!((stat.mtime_ns, Some(stat)), (nanos, dir.stat(&name).unwrap()));
        }
    }

    #[test]
    fn parts_make_a_whole_file_or_none() {
        let temp = tempfile::tempdir().unwrap();
        let dir = Dir::make(temp.path()).unwrap();
        let names = || -> Vec<String> {
            let entries = fs::read_dir(temp.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        let write = |replace, text: &'static str| {
            dir.write_parts("a.gz", replace, |file| {
                file.write_all(text.as_bytes())
                    .map_err(|error| Error::file("write", temp.path(), &error))
            })
        };
        let failed = dir.write_parts("a.gz", false, |_| Err(Error::Cancelled));
        assert!(matches!(failed, Err(Error::Cancelled)) && names().is_empty());
        // A dead writer's.
        let own = format!("{TEMPORARY}{}", &sha256("a.gz")[..32]);
        fs::write(temp.path().join(own), "half").unwrap();
        assert_eq!(write(false, "one").unwrap().size, 3);
        assert!(write(false, "two").is_err());
        assert_eq!(dir.read("a.gz").unwrap().unwrap().bytes, b"one");
        write(true, "three").unwrap();
        assert_eq!(dir.read("a.gz").unwrap().unwrap().bytes, b"three");
        assert_eq!(names(), ["a.gz"]);
    }
}
