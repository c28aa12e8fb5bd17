//! A folder held open: files are named within it, so that the folder cannot be swapped meanwhile.
#![expect(clippy::disallowed_methods, reason = "the vault is the owner of the person's files")]

mod swap;
mod temporary;

pub(crate) use swap::Ownership;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use coffer_domain::id::sha256;
use coffer_domain::time::Timestamp;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::error::{Error, Result};

/// The largest file that is read: 16 MiB.
pub(crate) const MAX_FILE_BYTES: u64 = 16 << 20;
/// Names of temporary files begin like this; they are hidden and never indexed.
pub(super) const TEMPORARY: &str = ".coffer-tmp-";

/// What the file system says of a file; a file whose stat is unchanged is not read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    /// Bytes.
    pub size: u64,
    /// Last change of the content, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Last change of content or attributes, nanoseconds since 1970.
    pub ctime_ns: i64,
    /// Which file it is.
    pub inode: u64,
}

impl Stat {
    /// The time of the last change of the content.
    pub(crate) fn modified(&self) -> Timestamp {
        Timestamp::from_micros(self.mtime_ns.div_euclid(1_000))
    }

    fn of(stat: &rustix::fs::Stat) -> Self {
        let nanos = |seconds: i64, nanos: u64| {
            seconds.saturating_mul(1_000_000_000).saturating_add(i64::try_from(nanos).unwrap_or(0))
        };
        Self {
            size: u64::try_from(stat.st_size).unwrap_or(0),
            mtime_ns: nanos(stat.st_mtime, stat.st_mtime_nsec),
            ctime_ns: nanos(stat.st_ctime, stat.st_ctime_nsec),
            inode: stat.st_ino,
        }
    }
}

/// A file as it was read.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// Its stat, taken from the open file.
    pub stat: Stat,
}

impl File {
    /// SHA-256 of the bytes, hexadecimal.
    pub(crate) fn sha256(&self) -> String {
        sha256(&self.bytes)
    }
}

/// What must stand at a name before a write.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expect<'a> {
    /// Nothing.
    Absent,
    /// A file of these bytes.
    Version(&'a [u8]),
}

impl<'a> Expect<'a> {
    /// What was there when the caller read it.
    pub(crate) fn as_read(file: Option<&'a File>) -> Self {
        file.map_or(Self::Absent, |file| Self::Version(&file.bytes))
    }
}

/// A folder held open.
#[derive(Debug)]
pub(crate) struct Dir {
    file: fs::File,
    path: PathBuf,
}

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FOLDER_MODE: Mode = Mode::RWXU;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

impl Dir {
    /// Opens a root, which may itself be reached through links of the person's choosing.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let flags = FOLDER.difference(OFlags::NOFOLLOW);
        let fd = retry(|| rustix::fs::open(path, flags, Mode::empty()))
            .map_err(|error| Error::file("open", path, &error))?;
        Ok(Self { file: fs::File::from(fd), path: path.to_owned() })
    }

    /// Opens a root; `None` where there is nothing.
    pub(crate) fn find(path: &Path) -> Result<Option<Self>> {
        match rustix::fs::statat(rustix::fs::CWD, path, AtFlags::empty()) {
            Err(Errno::NOENT) => Ok(None),
            _ => Self::open(path).map(Some),
        }
    }

    /// Opens a folder below this one; `None` where there is nothing.
    pub(crate) fn find_at(&self, relative: &str) -> Result<Option<Self>> {
        let mut dir = self.at("")?;
        for part in relative.split('/').filter(|part| !part.is_empty()) {
            match rustix::fs::statat(&dir.file, part, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => return Ok(None),
                _ => dir = dir.child(part, false)?,
            }
        }
        Ok(Some(dir))
    }

    /// Opens a root, making it and the folders above it (0700) as needed.
    pub(crate) fn make(path: &Path) -> Result<Self> {
        if let Ok(dir) = Self::open(path) {
            return Ok(dir);
        }
        let mut builder = fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(path).map_err(|error| Error::file("make", path, &error))?;
        if let Some(above) = path.parent() {
            Self::open(above)?.sync()?;
        }
        Self::open(path)
    }

    /// The folder's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder below this one; a link anywhere on the way is refused.
    pub(crate) fn at(&self, relative: &str) -> Result<Self> {
        self.descend(relative, false)
    }

    /// As `at`, making folders (0700) that are missing.
    pub(crate) fn make_at(&self, relative: &str) -> Result<Self> {
        self.descend(relative, true)
    }

    fn descend(&self, relative: &str, make: bool) -> Result<Self> {
        let mut dir = Self { file: self.clone_file()?, path: self.path.clone() };
        for part in relative.split('/').filter(|part| !part.is_empty()) {
            dir = dir.child(part, make)?;
        }
        Ok(dir)
    }

    fn child(&self, name: &str, make: bool) -> Result<Self> {
        let path = self.path.join(name);
        if name == "." || name == ".." {
            let reason = "the path leads out of the folder".to_owned();
            return Err(Error::Unavailable { action: "open", path, reason });
        }
        let open = || retry(|| rustix::fs::openat(&self.file, name, FOLDER, Mode::empty()));
        let fd = match open() {
            Err(error) if make && error.kind() == io::ErrorKind::NotFound => {
                match rustix::fs::mkdirat(&self.file, name, FOLDER_MODE) {
                    Ok(()) => self.sync()?,
                    Err(Errno::EXIST) => {}
                    Err(error) => return Err(Error::file("make", &path, &error.into())),
                }
                open()
            }
            other => other,
        };
        let fd = fd.map_err(|error| Error::file("open", &path, &error))?;
        Ok(Self { file: fs::File::from(fd), path })
    }

    fn clone_file(&self) -> Result<fs::File> {
        self.file.try_clone().map_err(|error| Error::file("open", &self.path, &error))
    }

    /// The stat of a regular file; `None` where there is nothing. Links and devices are refused.
    pub(crate) fn stat(&self, name: &str) -> Result<Option<Stat>> {
        match rustix::fs::statat(&self.file, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                Ok(Some(Stat::of(&stat)))
            }
            Ok(_) => Err(self.not_a_file("read", name)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(Error::file("read", &self.path.join(name), &error.into())),
        }
    }

    /// When a folder below this one last got or lost an entry, in nanoseconds since 1970; `None` where
    /// there is none, or a link on the way.
    pub(crate) fn changed_at(&self, relative: &str) -> Option<i64> {
        let dir = self.find_at(relative).ok()??;
        let stat = rustix::fs::fstat(&dir.file).ok()?;
        Some(Stat::of(&stat).mtime_ns)
    }

    /// Whether anything stands at a name, be it a link or a folder.
    pub(crate) fn holds(&self, name: &str) -> Result<bool> {
        match rustix::fs::statat(&self.file, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(Error::file("read", &self.path.join(name), &error.into())),
        }
    }

    fn not_a_file(&self, action: &'static str, name: &str) -> Error {
        let reason = "it is a link, a folder or a device, not a file".to_owned();
        Error::Unavailable { action, path: self.path.join(name), reason }
    }

    /// Reads a regular file of at most 16 MiB; `None` where there is nothing.
    pub(crate) fn read(&self, name: &str) -> Result<Option<File>> {
        let Some((mut file, stat)) = self.open_file(name)? else { return Ok(None) };
        let path = self.path.join(name);
        if stat.size > MAX_FILE_BYTES {
            let reason = format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20);
            return Err(Error::Unavailable { action: "read", path, reason });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0));
        file.read_to_end(&mut bytes).map_err(|error| Error::file("read", &path, &error))?;
        Ok(Some(File { bytes, stat }))
    }

    /// Opens a regular file of any size for reading; `None` where there is nothing.
    pub(crate) fn open_file(&self, name: &str) -> Result<Option<(fs::File, Stat)>> {
        // NONBLOCK: opening a FIFO must not hang.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let path = self.path.join(name);
        let failed = |error: io::Error| Error::file("read", &path, &error);
        let file = match retry(|| rustix::fs::openat(&self.file, name, flags, Mode::empty())) {
            Ok(fd) => fs::File::from(fd),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(_) if self.stat(name).is_err() => return Err(self.not_a_file("read", name)),
            Err(error) => return Err(failed(error)),
        };
        let stat = rustix::fs::fstat(&file).map_err(|error| failed(error.into()))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(self.not_a_file("read", name));
        }
        Ok(Some((file, Stat::of(&stat))))
    }

    /// As `open_file`, for a file below this folder.
    pub(crate) fn open_at(&self, path: &str) -> Result<Option<(fs::File, Stat)>> {
        let (folder, name) = split(path);
        self.find_at(folder)?.map_or(Ok(None), |dir| dir.open_file(name))
    }

    /// Reads a file below this folder; `None` where it or a folder on the way is missing.
    pub(crate) fn read_at(&self, path: &str) -> Result<Option<File>> {
        let (folder, name) = split(path);
        self.find_at(folder)?.map_or(Ok(None), |dir| dir.read(name))
    }

    /// The stat of a file below this folder; `None` where it or a folder on the way is missing.
    pub(crate) fn stat_at(&self, path: &str) -> Result<Option<Stat>> {
        let (folder, name) = split(path);
        self.find_at(folder)?.map_or(Ok(None), |dir| dir.stat(name))
    }

    fn compare(&self, name: &str, version: &[u8]) -> Result<()> {
        let current = self.read(name)?;
        if current.as_ref().is_some_and(|file| file.bytes == version) {
            return Ok(());
        }
        Err(Error::VersionConflict {
            path: self.path.join(name),
            current_sha256: current.map(|file| file.sha256()).unwrap_or_default(),
        })
    }

    /// Moves a file to a name in another folder, where nothing may stand, and flushes both folders.
    pub(crate) fn rename(&self, name: &str, to: &Self, new_name: &str) -> Result<()> {
        self.shift(name, to, new_name)?;
        to.sync()?;
        self.sync()
    }

    /// As `rename`, for one of many moves: the caller flushes the folders after the last.
    pub(crate) fn shift(&self, name: &str, to: &Self, new_name: &str) -> Result<()> {
        let renamed = retry(|| {
            rustix::fs::renameat_with(&self.file, name, &to.file, new_name, RenameFlags::NOREPLACE)
        });
        renamed.map_err(|error| Error::file("move", &self.path.join(name), &error))
    }

    /// Moves a file of Coffer's own to another name in this folder, in the place of what stands there.
    /// The caller flushes the folder.
    pub(crate) fn supplant(&self, name: &str, new_name: &str) -> Result<()> {
        let renamed = retry(|| rustix::fs::renameat(&self.file, name, &self.file, new_name));
        renamed.map_err(|error| Error::file("move", &self.path.join(name), &error))
    }

    /// The names of the files in this folder that are wanted, in no order.
    pub(crate) fn names(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let failed = |error: Errno| Error::file("read", &self.path, &error.into());
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.file).map_err(failed)? {
            if let Ok(name) = entry.map_err(failed)?.file_name().to_str()
                && !matches!(name, "." | "..")
                && wanted(name)
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// The names of the folders in this one, in order; links are none.
    pub(crate) fn folders(&self) -> Result<Vec<String>> {
        let failed = |error: Errno| Error::file("read", &self.path, &error.into());
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.file).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if let Ok(name) = entry.file_name().to_str()
                && !name.starts_with('.')
                && self.at(name).is_ok()
            {
                names.push(name.to_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Removes a file of Coffer's own.
    pub(crate) fn remove(&self, name: &OsStr) -> Result<()> {
        match retry(|| rustix::fs::unlinkat(&self.file, name, AtFlags::empty())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::file("remove", &self.path.join(name), &error))
            }
            _ => self.sync(),
        }
    }

    /// Flushes the folder's entries; a file system that cannot is taken at its word.
    pub(crate) fn sync(&self) -> Result<()> {
        match retry(|| rustix::fs::fsync(&self.file)) {
            Err(error) if error.raw_os_error() != Some(Errno::INVAL.raw_os_error()) => {
                Err(Error::file("flush", &self.path, &error))
            }
            _ => Ok(()),
        }
    }

    /// The open folder, for reading its entries.
    pub(super) const fn file(&self) -> &fs::File {
        &self.file
    }
}

/// Where what is at a relative path below a folder is, for people.
pub(crate) fn below(folder: &Path, relative: &str) -> PathBuf {
    folder.join(relative)
}

/// The folder of a relative path, and the name in it.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Which folder stands at a path, as long as no other one takes its place: device and inode.
pub(crate) fn identity(path: &Path) -> Option<(u64, u64)> {
    let stat = rustix::fs::statat(rustix::fs::CWD, path, AtFlags::empty()).ok()?;
    Some((stat.st_dev, stat.st_ino))
}

/// Repeats a call that a signal interrupted.
fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            other => return other.map_err(io::Error::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir() -> (tempfile::TempDir, Dir) {
        let temp = tempfile::tempdir().unwrap();
        let dir = Dir::make(&temp.path().join("store")).unwrap();
        (temp, dir)
    }

    fn names(dir: &Dir) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_write_is_whole_private_and_leaves_nothing_behind() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_temp, dir) = dir();
        let inbox = dir.make_at("knowledge/inbox").unwrap();
        let stat = inbox.write("a.md", b"one", Expect::Absent).unwrap();
        let file = inbox.read("a.md").unwrap().unwrap();
        assert_eq!((file.bytes.as_slice(), file.stat), (b"one".as_slice(), stat));
        assert_eq!(names(&inbox), ["a.md"]);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&inbox.path().join("a.md")), 0o600);
        assert_eq!(mode(inbox.path()), 0o700);
        assert_eq!(mode(dir.path()), 0o700);
    }

    #[test]
    fn a_write_over_another_version_is_refused() {
        let (_temp, dir) = dir();
        dir.write("a.md", b"one", Expect::Absent).unwrap();
        assert!(dir.write("a.md", b"two", Expect::Absent).is_err());
        dir.write("a.md", b"two", Expect::Version(b"one")).unwrap();
        let refused = dir.write("a.md", b"three", Expect::Version(b"one"));
        assert!(
            matches!(&refused, Err(Error::VersionConflict { current_sha256, .. }) if *current_sha256 == sha256("two")),
            "{refused:?}"
        );
        assert_eq!(dir.read("a.md").unwrap().unwrap().bytes, b"two");
        assert_eq!(names(&dir), ["a.md"]);
    }

    #[test]
    fn no_path_leads_out() {
        let (temp, dir) = dir();
        fs::create_dir(temp.path().join("outside")).unwrap();
        fs::write(temp.path().join("outside/a.md"), "x").unwrap();
        for path in ["..", "../outside", "a/../../outside", "./a", ".", "../new"] {
            assert!(dir.at(path).is_err(), "{path}");
            assert!(dir.make_at(path).is_err(), "{path}");
        }
        assert!(dir.find_at("../outside").is_err());
        assert!(dir.read_at("../outside/a.md").is_err() && dir.stat_at("../outside/a.md").is_err());
        assert!(!temp.path().join("new").exists());
    }

    #[test]
    fn links_fifos_and_folders_are_not_files() {
        let (temp, dir) = dir();
        let outside = temp.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret.md"), "x").unwrap();
        std::os::unix::fs::symlink(&outside, dir.path().join("knowledge")).unwrap();
        std::os::unix::fs::symlink(outside.join("secret.md"), dir.path().join("a.md")).unwrap();
        fs::create_dir(dir.path().join("b.md")).unwrap();
        rustix::fs::mkfifoat(dir.file(), "c.md", FILE_MODE).unwrap();
        assert!(dir.at("knowledge").is_err());
        assert!(dir.make_at("knowledge/inbox").is_err());
        for name in ["a.md", "b.md", "c.md"] {
            assert!(dir.read(name).is_err(), "{name}");
            assert!(dir.stat(name).is_err(), "{name}");
        }
        assert!(dir.read("none.md").unwrap().is_none());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    }
}
