//! What can be mended without a person: nothing here touches a Markdown file.
#![expect(clippy::disallowed_methods, reason = "the doctor mends folders and databases themselves")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use coffer_env::Home;

use super::{Check, CheckState, Doctor};
use crate::index::Harm;

impl Doctor {
    /// Mends what can be mended; returns a sentence for each.
    pub fn mend(&self) -> Vec<String> {
        let rows = self.check();
        let broken = |check: &str| {
            rows.iter()
                .any(|row: &Check| row.check == check && row.fixable && row.state != CheckState::Ok)
        };
        let mut mended = Vec::new();
        if broken("folder") {
            mended.push(self.close_folders());
        }
        // Those of before: what the next step sets aside is still to be looked at.
        if broken("old databases") {
            mended.push(format!("deleted {} files of lost databases", self.delete_old()));
        }
        if broken("database") {
            mended.extend(self.fill_again());
        }
        mended
    }

    /// Fills an index again that fails its own check: for every start, since damage that opening
    /// does not show would make searches miss what is there.
    pub(crate) fn check_index(&self) {
        if let Some(outcome) = self.fill_again() {
            tracing::warn!(outcome, "the index was unsound");
        }
    }

    fn delete_old(&self) -> usize {
        let old = bad_databases(&self.home);
        old.iter().filter(|path| fs::remove_file(path).is_ok()).count()
    }

    fn close_folders(&self) -> String {
        let closed = self.private().iter().filter(|path| close(path).is_ok()).count();
        format!("closed {closed} files and folders to other users")
    }

    /// Fills the index again where it is unsound: single rows where that is all, which leaves vectors
    /// where they are; a sentence on how it went.
    fn fill_again(&self) -> Option<String> {
        let index = self.knowledge.index();
        let harm = index.harm().ok().flatten()?;
        let is_mended = harm == Harm::Rows
            && self.fill_parts(&BTreeSet::new())
            && index.harm().is_ok_and(|harm| harm.is_none());
        if is_mended {
            return Some("indexed the files again whose rows did not belong together".to_owned());
        }
        index.empty(harm);
        Some(match self.compare_all() {
            Ok(()) => "filled the index again from the files".to_owned(),
            Err(error) => format!("the index could not be filled again: {error}"),
        })
    }
}

/// Takes the rights of others away.
#[cfg(unix)]
fn close(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = if path.is_dir() { 0o700 } else { 0o600 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Rights are the system's own affair here.
#[cfg(not(unix))]
fn close(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Databases that were moved aside.
pub(super) fn bad_databases(home: &Home) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(home.root()) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("coffer.db.bad-"))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}
