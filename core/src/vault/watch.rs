//! Which files changed since the last look, from the kernel's own queue.
//!
//! The queue is drained by the reader itself, so that a change that happened before a read is seen
//! by it. Where there is no queue (another system, an unknown file system, an overflow) the answer
//! is `Unknown`, and the caller walks.

use std::collections::HashSet;
use std::path::Path;

/// What happened below a root since the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Changes {
    /// Files of these paths, relative to the root, may have changed; nothing else did.
    Paths(HashSet<String>),
    /// Anything may have changed.
    Unknown,
}

#[cfg(target_os = "linux")]
pub(crate) use kernel::Watcher;
#[cfg(not(target_os = "linux"))]
pub(crate) use none::Watcher;

#[cfg(target_os = "linux")]
mod kernel {
    use std::collections::{HashMap, HashSet};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use inotify::{Event, EventMask, Inotify, WatchDescriptor, WatchMask};

    use super::{Changes, local};

    /// One queue for all stores.
    #[derive(Debug, Default)]
    pub(crate) struct Watcher {
        queue: Mutex<Queue>,
    }

    #[derive(Debug, Default)]
    struct Queue {
        /// Opened at the first watch.
        kernel: Option<Inotify>,
        /// The root and the folder below it of each watch.
        watches: HashMap<WatchDescriptor, (PathBuf, String)>,
        /// What was seen and not yet asked for, by root.
        seen: HashMap<PathBuf, Changes>,
    }

    impl Watcher {
        /// Watches folders (relative) of a root. `false`: the caller has to walk each time.
        pub(crate) fn watch(&self, root: &Path, folders: &[String]) -> bool {
            let mut queue = self.lock();
            queue.drain();
            let watched =
                local(root) && folders.iter().all(|folder| queue.add(root, folder).is_ok());
            let changes = if watched { Changes::Paths(HashSet::new()) } else { Changes::Unknown };
            queue.seen.insert(root.to_owned(), changes);
            watched
        }

        /// What changed below a root since the last call; a root that is not watched is unknown.
        pub(crate) fn take(&self, root: &Path) -> Changes {
            let mut queue = self.lock();
            queue.drain();
            match queue.seen.get_mut(root) {
                Some(Changes::Paths(paths)) => Changes::Paths(std::mem::take(paths)),
                Some(Changes::Unknown) | None => Changes::Unknown,
            }
        }

        /// Gives back changes that could not be dealt with.
        pub(crate) fn put_back(&self, root: &Path, paths: impl IntoIterator<Item = String>) {
            if let Some(Changes::Paths(seen)) = self.lock().seen.get_mut(root) {
                seen.extend(paths);
            }
        }

        fn lock(&self) -> MutexGuard<'_, Queue> {
            self.queue.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl Queue {
        fn add(&mut self, root: &Path, folder: &str) -> io::Result<()> {
            let kernel = match &mut self.kernel {
                Some(kernel) => kernel,
                none => none.insert(Inotify::init()?),
            };
            let mask = WatchMask::CLOSE_WRITE
                | WatchMask::ATTRIB
                | WatchMask::CREATE
                | WatchMask::DELETE
                | WatchMask::MOVE
                | WatchMask::DELETE_SELF
                | WatchMask::MOVE_SELF
                | WatchMask::ONLYDIR
                | WatchMask::DONT_FOLLOW;
            let path = super::below(root, folder);
            let watch = kernel.watches().add(path, mask)?;
            self.watches.insert(watch, (root.to_owned(), folder.to_owned()));
            Ok(())
        }

        /// Reads all that the kernel has; a reading error or an overflow makes all roots unknown.
        fn drain(&mut self) {
            let Some(mut kernel) = self.kernel.take() else { return };
            let mut buffer = [0; 16 << 10];
            loop {
                match kernel.read_events(&mut buffer) {
                    Ok(events) => events.for_each(|event| self.note(&event)),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => {
                        self.lose_all();
                        break;
                    }
                }
            }
            self.kernel = Some(kernel);
        }

        fn note(&mut self, event: &Event<&std::ffi::OsStr>) {
            if event.mask.contains(EventMask::Q_OVERFLOW) {
                return self.lose_all();
            }
            let Some((root, folder)) = self.watches.get(&event.wd) else { return };
            let Some(changes) = self.seen.get_mut(root) else { return };
            let own = EventMask::DELETE_SELF | EventMask::MOVE_SELF | EventMask::IGNORED;
            let folders_moved =
                event.mask.contains(EventMask::ISDIR) && !event.mask.contains(EventMask::ATTRIB);
            let name = event.name.map(|name| name.to_str());
            match (name, changes) {
                _ if event.mask.intersects(own) || folders_moved => {
                    self.seen.insert(root.clone(), Changes::Unknown);
                }
                (Some(Some(name)), Changes::Paths(paths)) if !name.starts_with('.') => {
                    let path = if folder.is_empty() {
                        name.to_owned()
                    } else {
                        format!("{folder}/{name}")
                    };
                    paths.insert(path);
                }
                _ => {}
            }
        }

        fn lose_all(&mut self) {
            self.seen.values_mut().for_each(|changes| *changes = Changes::Unknown);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod none {
    use std::path::Path;

    use super::Changes;

    /// No queue on this system: each read walks.
    #[derive(Debug, Default)]
    pub(crate) struct Watcher;

    impl Watcher {
        /// Never watches.
        pub(crate) fn watch(&self, _root: &Path, _folders: &[String]) -> bool {
            false
        }

        /// Always unknown.
        pub(crate) fn take(&self, _root: &Path) -> Changes {
            Changes::Unknown
        }

        /// Nothing to remember.
        pub(crate) fn put_back(&self, _root: &Path, _paths: impl IntoIterator<Item = String>) {}
    }
}

#[cfg(target_os = "linux")]
fn below(root: &Path, folder: &str) -> std::path::PathBuf {
    let parts = folder.split('/').filter(|part| !part.is_empty());
    root.iter().chain(parts.map(AsRef::as_ref)).collect()
}

/// Whether a path is on a file system of this machine, where every change passes the kernel.
/// Magic numbers of statfs(2): ext2–4, tmpfs, btrfs, xfs, overlayfs, f2fs, zfs, bcachefs.
#[cfg(target_os = "linux")]
fn local(root: &Path) -> bool {
    const LOCAL: [u64; 8] = [
        0xEF53,
        0x0102_1994,
        0x9123_683E,
        0x5846_5342,
        0x794C_7630,
        0xF2F5_2010,
        0x2FC1_2FC1,
        0xCA45_1A4E,
    ];
    rustix::fs::statfs(root)
        .is_ok_and(|stat| u64::try_from(stat.f_type).is_ok_and(|kind| LOCAL.contains(&kind)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn paths(changes: Changes) -> Vec<String> {
        match changes {
            Changes::Paths(paths) => {
                let mut paths: Vec<String> = paths.into_iter().collect();
                paths.sort();
                paths
            }
            Changes::Unknown => vec!["?".to_owned()],
        }
    }

    #[test]
    fn each_way_to_change_a_file_is_seen_at_once() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        std::fs::create_dir(root.join("in")).unwrap();
        let watcher = Watcher::default();
        assert_eq!(watcher.take(root), Changes::Unknown);
        assert!(watcher.watch(root, &[String::new(), "in".to_owned()]));
        assert_eq!(paths(watcher.take(root)), [""; 0]);
        std::fs::write(root.join("in/a.md"), "x").unwrap();
        assert_eq!(paths(watcher.take(root)), ["in/a.md"]);
        std::fs::write(root.join("in/.tmp"), "x").unwrap();
        std::fs::rename(root.join("in/.tmp"), root.join("b.md")).unwrap();
        std::fs::remove_file(root.join("in/a.md")).unwrap();
        assert_eq!(paths(watcher.take(root)), ["b.md", "in/a.md"]);
        assert_eq!(paths(watcher.take(root)), [""; 0]);
        std::fs::create_dir(root.join("in/deep")).unwrap();
        assert_eq!(watcher.take(root), Changes::Unknown);
    }

    #[test]
    fn a_root_that_goes_away_is_unknown() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("store");
        std::fs::create_dir(&root).unwrap();
        let watcher = Watcher::default();
        assert!(watcher.watch(&root, &[String::new()]));
        std::fs::rename(&root, temp.path().join("elsewhere")).unwrap();
        assert_eq!(watcher.take(&root), Changes::Unknown);
    }
}
