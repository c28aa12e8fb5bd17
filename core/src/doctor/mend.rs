//! What can be mended without a person: nothing here touches a Markdown file.
#![expect(clippy::disallowed_methods, reason = "the doctor mends folders and databases themselves")]

use std::fs;
use std::path::PathBuf;

use coffer_env::Home;

use super::{Check, CheckState, Doctor};

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
            mended.extend(self.close_folders());
        }
        if broken("database") {
            mended.push(self.fill_again());
        }
        if broken("old databases") {
            let removed = bad_databases(&self.home)
                .iter()
                .filter(|path| fs::remove_file(path).is_ok())
                .count();
            mended.push(format!("deleted {removed} files of lost databases"));
        }
        mended
    }

    fn close_folders(&self) -> Option<String> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let closed = [self.home.root().to_owned(), self.home.run()]
                .iter()
                .filter(|folder| {
                    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).is_ok()
                })
                .count();
            Some(format!("closed {closed} folders to other users"))
        }
        #[cfg(not(unix))]
        None
    }

    fn fill_again(&self) -> String {
        // The failure only says that the database was replaced, which is what was asked for.
        let _ = self.knowledge.index().replace("a check found it unsound");
        match self.memory.warm_up() {
            Ok(()) => "filled the index again from the files".to_owned(),
            Err(error) => format!("the index could not be filled again: {error}"),
        }
    }
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
