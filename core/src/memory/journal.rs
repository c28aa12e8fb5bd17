//! The journal: entries are appended, one file a day, and found by recall at once.

use std::path::PathBuf;

use coffer_domain::fact::Author;
use coffer_domain::journal::{NewEntry, Origin};
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::redact::Redacted;
use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::vault::{Expect, on_fresh_text};

/// What happened, as a caller tells it.
#[derive(Debug, Clone, Default)]
pub struct EntryIn<'a> {
    /// A short title.
    pub title: &'a str,
    /// One line that says it in short.
    pub description: &'a str,
    /// Markdown; may be empty.
    pub body: &'a str,
    /// Where it came from.
    pub origin: Origin,
}

/// An entry that is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The day's file, absolute.
    pub path: PathBuf,
    /// What was taken out of the entry.
    pub redacted: Redacted,
}

impl Memory {
    /// Appends an entry, without the secrets in it, to its day and indexes it. What stands there
    /// stays, to the byte.
    ///
    /// # Errors
    ///
    /// Texts that are blank, too long or cannot be searched for secrets; a day that is not UTF-8;
    /// files that cannot be written.
    pub fn append_journal(
        &self,
        store: &StoreName,
        entry: EntryIn<'_>,
        author: &Author,
        now: Timestamp,
    ) -> Result<Appended> {
        let mut redacted = Redacted::new();
        let entry = &self.scrubbed(entry, now, &mut redacted)?;
        let store = &self.living(store)?;
        let path = StorePaths::day(&entry.day());
        self.provision(store, None, author, now)?;
        on_fresh_text(|| self.append_entry(store, &path, entry, author, now))?;
        self.changed(store);
        Ok(Appended { path: self.absolute(store, &path), redacted })
    }

    fn scrubbed(
        &self,
        entry: EntryIn<'_>,
        now: Timestamp,
        redacted: &mut Redacted,
    ) -> Result<NewEntry> {
        let EntryIn { title, description, body, origin } = entry;
        let title = self.redact("title", title, redacted)?;
        let description = self.redact("description", description, redacted)?;
        let body = self.redact("body", body, redacted)?;
        Ok(NewEntry::new(&title, &description, &body, origin, now)?)
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
            let expect = Expect::as_read(before.as_ref());
            let audit = audit_row("journal_append", author, store, &[path], now);
            let text = entry.appended_to(text);
            self.knowledge().write(&at, path, text.as_bytes(), expect, audit)?;
            Ok(())
        })
    }
}
