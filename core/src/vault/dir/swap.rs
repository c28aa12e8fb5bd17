//! Replacing a file that another program may write at any moment, in either of its ways: a new file
//! renamed over the old one, or the old one written over.
//!
//! The new file and the present one change names in one step, so that what was displaced can be
//! looked at. If it is not what the change was made of, it is put back. A program that had opened the
//! old file just before still writes into that one; it is looked at again after a moment.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use coffer_domain::id::sha256;
use rustix::fs::{Gid, Mode, RenameFlags, Uid};
use rustix::io::Errno;

use super::temporary::Temporary;
use super::{Dir, TEMPORARY, retry};
use crate::error::{Error, Result};

/// So long a program may still write into the file that it had opened.
const GRACE: Duration = Duration::from_millis(20);
/// How often the newer of two versions is put in place, each of them written meanwhile.
const TURNS: usize = 16;

/// Whose a file is, and who may do what with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ownership {
    /// Permission bits.
    pub mode: u32,
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Whether the file has a second name.
    pub is_shared: bool,
}

impl Ownership {
    /// Of an open file.
    pub(in crate::vault) fn of(file: &fs::File) -> rustix::io::Result<Self> {
        let stat = rustix::fs::fstat(file)?;
        Ok(Self {
            mode: stat.st_mode & 0o7777,
            uid: stat.st_uid,
            gid: stat.st_gid,
            is_shared: stat.st_nlink > 1,
        })
    }
}

impl Dir {
    /// Replaces a file by bytes made of `before`, with the same owner and mode; `false` when it is
    /// another one meanwhile, which is left as it is.
    pub(crate) fn swap(
        &self,
        name: &str,
        bytes: &[u8],
        before: &[u8],
        ownership: Ownership,
    ) -> Result<bool> {
        let temporary = self.own_temporary(name)?;
        temporary.hand_over(ownership)?;
        temporary.fill(bytes, None)?;
        let Some((displaced, _)) = self.open_file(name)? else { return Ok(false) };
        if contents(&displaced, &self.path)? != before {
            return Ok(false);
        }
        match self.exchange(temporary.name(), name) {
            Ok(()) => {}
            Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => {
                // A file system that cannot: what was just compared is replaced.
                temporary.rename(name, RenameFlags::empty())?;
                return self.sync().map(|()| true);
            }
            Err(error) => return Err(Error::file("write", &self.path.join(name), &error)),
        }
        // At once: a program that had just opened the old file is put right before it looks again.
        if self.stays(temporary.name(), before)? {
            return self.sync().map(|()| true);
        }
        self.put_back(temporary.name(), name, bytes)?;
        Ok(false)
    }

    /// Takes a file away that is still what it was; `false` when it is another one.
    pub(crate) fn withdraw(&self, name: &str, before: &[u8]) -> Result<bool> {
        let aside = own_name(name);
        self.remove(aside.as_ref())?;
        if self.read(name)?.is_none_or(|file| file.bytes != before) {
            return Ok(false);
        }
        // Flushed with what follows: a failure here would leave it aside.
        self.shift(name, self, &aside)?;
        let is_same = self.stays(&aside, before)?;
        if is_same || self.shift(&aside, self, name).is_err() {
            self.remove(aside.as_ref())?;
        }
        self.sync()?;
        Ok(is_same)
    }

    /// Makes a file that is not there yet (0600); `false` when there is one.
    pub(crate) fn make_file(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        let temporary = self.own_temporary(name)?;
        temporary.fill(bytes, None)?;
        let made = temporary.rename(name, RenameFlags::NOREPLACE);
        if made.is_err() && self.holds(name)? {
            return Ok(false);
        }
        made.and_then(|()| self.sync()).map(|()| true)
    }

    /// Writes a copy of a file beside it, with its owner and mode, over an older copy.
    pub(crate) fn write_copy(&self, name: &str, bytes: &[u8], ownership: Ownership) -> Result<()> {
        let temporary = self.own_temporary(name)?;
        temporary.hand_over(ownership)?;
        temporary.fill(bytes, None)?;
        temporary.rename(name, RenameFlags::empty())?;
        self.sync()
    }

    /// A temporary file by a name of its own, so that no folder of others keeps leftovers.
    fn own_temporary(&self, name: &str) -> Result<Temporary<'_>> {
        let own = own_name(name);
        self.remove(own.as_ref())?;
        Temporary::named(self, own)
    }

    /// Whether a file has these bytes, and still has them when whoever may write is done.
    fn stays(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        let has = || self.read(name).map(|file| file.is_some_and(|file| file.bytes == bytes));
        if !has()? {
            return Ok(false);
        }
        std::thread::sleep(GRACE);
        has()
    }

    fn exchange(&self, one: &str, other: &str) -> std::io::Result<()> {
        let dir = &self.file;
        retry(|| rustix::fs::renameat_with(dir, one, dir, other, RenameFlags::EXCHANGE))
    }

    /// Puts the displaced file back, unless a newer one than ours came in its place: then that.
    fn put_back(&self, aside: &str, name: &str, ours: &[u8]) -> Result<()> {
        let mut put = ours.to_vec();
        for _ in 0..TURNS {
            let next = self.read(aside)?.map(|file| file.bytes).unwrap_or_default();
            self.exchange(aside, name).map_err(|error| Error::file("write", &self.path, &error))?;
            let taken = self.read(aside)?.map(|file| file.bytes).unwrap_or_default();
            if taken == put {
                break;
            }
            put = next;
        }
        self.sync()
    }
}

impl Temporary<'_> {
    /// Gives the file the owner and mode of another one.
    fn hand_over(&self, ownership: Ownership) -> Result<()> {
        let Ownership { mode, uid, gid, is_shared: _ } = ownership;
        let failed = |error: Errno| Error::file("write", self.folder(), &error.into());
        let own = Ownership::of(self.file()).map_err(failed)?;
        if (own.uid, own.gid) != (uid, gid) {
            let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
            rustix::fs::fchown(self.file(), Some(uid), Some(gid)).map_err(failed)?;
        }
        rustix::fs::fchmod(self.file(), Mode::from_raw_mode(mode)).map_err(failed)
    }
}

fn own_name(name: &str) -> String {
    format!("{TEMPORARY}{}", &sha256(name)[..32])
}

fn contents(mut file: &fs::File, folder: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| Error::file("read", folder, &error))?;
    Ok(bytes)
}
