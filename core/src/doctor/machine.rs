//! What the machine gives: rights, room on the disk, and what dead writers left.
#![expect(clippy::disallowed_methods, reason = "the doctor looks at files and folders themselves")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::vault::{Dir, free_bytes, walk_everything};

/// With less room than this, writes will soon fail.
const LEAST_ROOM: u64 = 200 << 20;
/// What is older is no longer under way.
const UNDER_WAY: Duration = Duration::from_secs(600);

impl Doctor {
    /// Folders and files that only their owner may read.
    pub(super) fn rights(&self) -> Vec<Check> {
        let mut rows: Vec<Check> = Vec::new();
        for path in self.private() {
            match open_to_others(&path) {
                Ok(false) => {}
                Ok(true) => rows.push(Check {
                    fix: Some("Run `coffer doctor --fix`, or take the rights of others away."),
                    fixable: true,
                    ..row("folder", CheckState::Warning, &path, "other users can read it")
                }),
                Err(error) => rows.push(Check {
                    fix: Some("See that it exists and belongs to you."),
                    ..row("folder", CheckState::Error, &path, &error.to_string())
                }),
            }
        }
        if rows.is_empty() {
            let root = self.home.root();
            rows.push(row("folder", CheckState::Ok, root, "only you can read it"));
        }
        rows
    }

    /// What is private: the folders always, the files where they are.
    pub(super) fn private(&self) -> Vec<PathBuf> {
        let home = &self.home;
        let folders = [home.root().to_owned(), home.run(), home.memory()];
        let others = [
            home.logs(),
            home.trash(),
            home.database(),
            home.config_file(),
            home.server_file(),
            home.master_key(),
            home.credentials_file(),
            home.agents_file(),
            home.installs(),
        ];
        let there = others.into_iter().filter(|path| path.exists());
        folders.into_iter().chain(there).collect()
    }

    /// Room on the disk.
    pub(super) fn room(&self) -> Option<Check> {
        let free = free_bytes(self.home.root())?;
        let megabytes = free >> 20;
        let path = self.home.root();
        Some(if free < LEAST_ROOM {
            Check {
                fix: Some("Make room on this disk."),
                ..row("disk", CheckState::Warning, path, &format!("only {megabytes} MiB are free"))
            }
        } else {
            row("disk", CheckState::Ok, path, &format!("{megabytes} MiB are free"))
        })
    }

    /// Temporary files and records of moves that nobody works on any more.
    pub(super) fn leftovers(&self) -> Vec<Check> {
        let Ok(root) = Dir::open(self.home.root()) else { return Vec::new() };
        let now = coffer_env::clock::now().micros().saturating_mul(1_000);
        let age = i64::try_from(UNDER_WAY.as_nanos()).unwrap_or(i64::MAX);
        let found = walk_everything(&root).files.into_iter().filter(|found| {
            let is_left = found.path.contains(".coffer-tmp-")
                || (found.path.starts_with("run/intents/") && found.path.ends_with(".json"));
            is_left && found.stat.mtime_ns < now - age
        });
        found
            .filter_map(|found| {
                let path = self.home.below(&found.path)?;
                let reason = "a dead writer left it, or it waits for a disk";
                Some(Check {
                    fix: Some("Restart Coffer: its start finishes or removes it."),
                    ..row("leftover", CheckState::Warning, &path, reason)
                })
            })
            .collect()
    }
}

/// Whether other users may look into it.
#[cfg(unix)]
fn open_to_others(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

/// Rights are the system's own affair here; only presence is checked.
#[cfg(not(unix))]
fn open_to_others(path: &Path) -> std::io::Result<bool> {
    fs::metadata(path).map(|_| false)
}
