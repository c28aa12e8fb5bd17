//! The journal: entries are appended, one file a day, and found by recall at once.

use coffer_domain::fact::Author;
use coffer_domain::journal::NewEntry;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::vault::{Expect, File};

/// How often an entry is put under a text that somebody else changes at the same time.
const TRIES: usize = 5;

impl Memory {
    /// Appends an entry to its day and indexes it. What stands there stays, to the byte.
    ///
    /// # Errors
    ///
    /// A day that is not UTF-8; files that cannot be written.
    pub fn append_journal(
        &self,
        store: &StoreName,
        entry: &NewEntry,
        author: &Author,
        now: Timestamp,
    ) -> Result<std::path::PathBuf> {
        let store = &self.living(store)?;
        let path = StorePaths::day(&entry.day());
        self.provision(store, None, author, now)?;
        let mut tries = 0;
        loop {
            match self.append_entry(store, &path, entry, author, now) {
                Err(Error::VersionConflict { .. }) if tries < TRIES => tries += 1,
                other => break other?,
            }
        }
        self.changed(store);
        Ok(self.absolute(store, &path))
    }

    fn append_entry(
        &self,
        store: &StoreName,
        path: &str,
        entry: &NewEntry,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let at = self.store_ref(store);
        self.knowledge().exclusively(&at, || {
            let before = at.dir()?.read_at(path)?;
            let text = before.as_ref().map_or(Ok(""), |file| std::str::from_utf8(&file.bytes));
            let text = text.map_err(|_| Error::NotEditable {
                path: self.absolute(store, path),
                reason: "its text is not UTF-8".to_owned(),
            })?;
            let sha256 = before.as_ref().map(File::sha256);
            let expect = sha256.as_deref().map_or(Expect::Absent, Expect::Version);
            let audit = audit_row("journal_append", author, store, &[path], now);
            let text = entry.appended_to(text);
            self.knowledge().write(&at, path, text.as_bytes(), expect, audit)?;
            Ok(())
        })
    }
}
