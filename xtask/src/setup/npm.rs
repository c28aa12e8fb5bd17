//! What the tests start and npm has: the official TypeScript SDK of MCP, as a client that is not
//! ours, and for the long ones the programs of the agents themselves.
//!
//! npm installs what the lock file says, and runs no script of a package while doing so.

use crate::process::{step, succeed, works};
use crate::{apt, workspace};
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Brings npm, where there is none, and with it the SDK, where the lock file has changed since.
pub(super) fn official() -> Result<()> {
    ensure_npm()?;
    install("the official SDK of MCP", &workspace::root().join("tests/mcp/official"), &["ci"])
}

/// Brings the agents' programs. They are more than a gigabyte, so they are below the target folder.
pub(crate) fn vendors() -> Result<()> {
    let folder = workspace::target_dir().join("vendors");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        renew(&workspace::root().join("tests/vendors").join(name), &folder.join(name))?;
    }
    ensure_npm()?;
    // Not `ci`: each is in a package for every system, and the lock file need not hold all of those.
    install("the programs of coding agents", &folder, &["install", "--no-save"])
}

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

fn ensure_npm() -> Result<()> {
    let has_npm = || works(Command::new(NPM).arg("--version"));
    if !has_npm() {
        apt::install(&["nodejs", "npm"])?;
        ensure!(has_npm(), "the tests need Node.js 18 or newer, and its `npm` on the PATH");
    }
    Ok(())
}

/// Copies a file where it is not the same yet, so that it is newer only when it is another one.
fn renew(from: &Path, to: &Path) -> Result<()> {
    let wanted = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|present| present == wanted) {
        return Ok(());
    }
    fs::write(to, wanted).with_context(|| format!("cannot write {}", to.display()))
}

fn install(what: &str, folder: &Path, how: &[&str]) -> Result<()> {
    if is_fresh(folder) {
        return Ok(());
    }
    let mut npm = Command::new(NPM);
    npm.args(how).args(["--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
    step(&format!("installing {what}"), || succeed(&mut npm))
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

    #[test]
    fn a_file_that_is_the_same_keeps_its_time() {
        let folder = std::env::temp_dir().join(format!("coffer-renew-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::write(&from, "one").unwrap();
        renew(&from, &to).unwrap();
        let early = SystemTime::now() - Duration::from_secs(60);
        File::options().write(true).open(&to).unwrap().set_modified(early).unwrap();
        renew(&from, &to).unwrap();
        assert_eq!(to.metadata().unwrap().modified().unwrap(), early);
        fs::write(&from, "two").unwrap();
        renew(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "two");
        assert!(renew(&folder.join("none"), &to).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
