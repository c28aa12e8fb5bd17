//! The folder `run/`: the owner's lock, and the file by which clients find the server.
//!
//! The lock is the system's and ends with the process, so that a file left behind by a dead server
//! means nothing.

#![expect(clippy::disallowed_methods, reason = "this module is the owner of `run/`")]

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use coffer_env::{Home, ServerFile};

use crate::private;
use crate::start::StartError;

/// How often a lock that is taken is tried again, and how long between.
const TRIES: usize = 10;
const BETWEEN: Duration = Duration::from_millis(20);

/// The owner's place in `run/`. Dropping it leaves nothing behind and frees the lock.
#[derive(Debug)]
pub(crate) struct RunFolder {
    home: Home,
    /// Held until the end.
    _lock: File,
}

impl RunFolder {
    /// Makes the folders and takes the lock.
    pub(crate) fn take(home: &Home) -> Result<Self, StartError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| StartError::Folder { path, source }
        };
        private::folder(&home.run()).map_err(failed(&home.run()))?;
        private::narrow(&home.run()).map_err(failed(&home.run()))?;
        let lock = private::file(&home.lock()).map_err(failed(&home.lock()))?;
        match locked(&lock) {
            Ok(()) => Ok(Self { home: home.clone(), _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                let owner = ServerFile::read(&home.server_file());
                Err(StartError::AlreadyRunning(owner.map(Box::new)))
            }
            Err(TryLockError::Error(source)) => Err(failed(&home.lock())(source)),
        }
    }
}

/// Takes the lock. A server that was killed in the moment in which it started a program left the lock
/// to it, until the program itself begins.
fn locked(lock: &File) -> Result<(), TryLockError> {
    for _ in 0..TRIES {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN),
            other => return other,
        }
    }
    lock.try_lock()
}

/// Tells clients where the server is and what its token is: the whole file at once, readable by
/// the owner only from its first moment. For the holder of the lock.
pub(crate) fn announce(home: &Home, file: &ServerFile) -> io::Result<()> {
    // A name that the next start sweeps, should this one be killed now.
    let mut written = tempfile::Builder::new().prefix(".coffer-tmp-").tempfile_in(home.run())?;
    serde_json::to_writer_pretty(&mut written, file)?;
    written.write_all(b"\n")?;
    written.persist(home.server_file())?;
    Ok(())
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        _ = std::fs::remove_file(self.home.server_file());
        _ = std::fs::remove_file(self.home.socket());
    }
}

#[cfg(test)]
mod tests {
    use coffer_env::server_file::Owner;

    use super::*;

    fn file() -> ServerFile {
        ServerFile {
            pid: 7,
            port: 27411,
            token: "t".into(),
            instance: "i".into(),
            version: "0".into(),
            owner: Owner::Headless,
        }
    }

    #[test]
    fn there_is_one_owner_and_it_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("home"));
        let run = RunFolder::take(&home).unwrap();
        announce(&home, &file()).unwrap();
        assert!(ServerFile::read(&home.server_file()) == Some(file()));
        match RunFolder::take(&home) {
            Err(StartError::AlreadyRunning(Some(owner))) => assert_eq!(owner.pid, 7),
            other => panic!("{other:?}"),
        }
        drop(run);
        assert!(ServerFile::read(&home.server_file()).is_none());
        RunFolder::take(&home).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("home"));
        std::fs::create_dir_all(home.run()).unwrap();
        let _run = RunFolder::take(&home).unwrap();
        announce(&home, &file()).unwrap();
        for path in [home.run(), home.lock(), home.server_file()] {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", path.display());
        }
    }

    #[test]
    fn a_lock_that_is_given_back_at_once_is_no_other_server() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let first = RunFolder::take(&home).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(BETWEEN * 3);
                drop(first);
            });
            RunFolder::take(&home).unwrap();
        });
    }
}
