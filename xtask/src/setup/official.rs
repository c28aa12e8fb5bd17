//! The official TypeScript SDK of MCP, which the tests use as a client that is not ours.
//!
//! npm installs what the lock file says, and runs no script of a package while doing so.

use crate::process::{step, succeed, works};
use crate::{apt, workspace};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

/// Brings npm, where there is none, and with it the SDK, where the lock file has changed since.
pub(super) fn install() -> Result<()> {
    if !has_npm() {
        apt::install(&["nodejs", "npm"])?;
        ensure!(has_npm(), "the tests need Node.js 18 or newer, and its `npm` on the PATH");
    }
    let folder = workspace::root().join("tests/mcp/official");
    if is_fresh(&folder) {
        return Ok(());
    }
    let mut npm = Command::new(NPM);
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
    step("installing the official SDK of MCP", || succeed(&mut npm))
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

fn has_npm() -> bool {
    works(Command::new(NPM).arg("--version"))
}

/// Whether npm's own note of what it installed is newer than the lock file.
fn is_fresh(folder: &Path) -> bool {
    let changed = |file: &str| folder.join(file).metadata().and_then(|file| file.modified()).ok();
    let installed = changed("node_modules/.package-lock.json");
    installed.is_some() && installed >= changed("package-lock.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    #[test]
    fn what_is_missing_or_older_than_the_lock_is_installed() {
        let folder = std::env::temp_dir().join(format!("coffer-xtask-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("node_modules")).unwrap();
        let lock = File::create(folder.join("package-lock.json")).unwrap();
        assert!(!is_fresh(&folder));
        let installed = File::create(folder.join("node_modules/.package-lock.json")).unwrap();
        let now = SystemTime::now();
        for (age, fresh) in [(0, true), (60, true), (-60, false)] {
            installed.set_modified(now).unwrap();
            let before = Duration::from_secs(u64::try_from(i64::abs(age)).unwrap());
            lock.set_modified(if age < 0 { now + before } else { now - before }).unwrap();
            assert_eq!(is_fresh(&folder), fresh, "{age}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
