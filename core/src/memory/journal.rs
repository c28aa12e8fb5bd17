//! The journal: entries are appended, one file a day, and found by recall at once.

use std::path::{Path, PathBuf};

use coffer_domain::fact::Author;
use coffer_domain::journal::{self, Joined, NewEntry, Origin, Sourced, joined};
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

/// Entries of one moment.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    /// The moment, which says whose day they are.
    pub at: Timestamp,
    /// The project's main folder, for a store that the write has to make.
    pub project_root: Option<&'a Path>,
    /// What happened.
    pub entries: Vec<EntryIn<'a>>,
}

/// Entries that are on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The day's file, absolute.
    pub path: PathBuf,
    /// How many were added; the others stood there already.
    pub added: usize,
    /// What was taken out of them.
    pub redacted: Redacted,
}

impl Memory {
    /// Appends entries, without the secrets in them, to their day, all of them or none, and indexes it.
    /// What stands there stays, to the byte; what says the same of the same moment is not added again.
    ///
    /// # Errors
    ///
    /// Texts that are blank, too long or cannot be searched for secrets; a day that is not UTF-8;
    /// files that cannot be written.
    pub fn append_journal(
        &self,
        store: &StoreName,
        entries: Entries<'_>,
        author: &Author,
        now: Timestamp,
    ) -> Result<Appended> {
        let mut redacted = Redacted::new();
        let Entries { at, project_root, entries } = entries;
        let path = StorePaths::day(&at.day());
        let text = entries.into_iter().try_fold(String::new(), |text, entry| {
            Ok::<_, Error>(self.scrubbed(entry, at, &mut redacted)?.appended_to(&text))
        })?;
        let store = &self.living(store)?;
        self.provision(store, project_root, author, now)?;
        let added = on_fresh_text(|| self.append(store, &path, &text, author, now))?;
        self.changed(store);
        Ok(Appended { path: self.absolute(store, &path), added, redacted })
    }

    /// The day's file of a moment, absolute, whether it is there or not.
    ///
    /// # Errors
    ///
    /// A store that cannot be looked at.
    pub fn journal_path(&self, store: &StoreName, at: Timestamp) -> Result<PathBuf> {
        Ok(self.absolute(&self.living(store)?, &StorePaths::day(&at.day())))
    }

    /// The entries of all days that say where they came from.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn journal_sources(&self, store: &StoreName) -> Result<Vec<Sourced>> {
        let days = self.journal(&self.living(store)?)?;
        Ok(days.iter().flat_map(|day| journal::sourced(&day.text)).collect())
    }

    fn scrubbed(
        &self,
        entry: EntryIn<'_>,
        at: Timestamp,
        redacted: &mut Redacted,
    ) -> Result<NewEntry> {
        let EntryIn { title, description, body, origin } = entry;
        let title = self.redact("title", title, redacted)?;
        let description = self.redact("description", description, redacted)?;
        let body = self.redact("body", body, redacted)?;
        Ok(NewEntry::new(&title, &description, &body, origin, at)?)
    }

    /// Adds what the day lacks; gives how many entries that were.
    fn append(
        &self,
        store: &StoreName,
        path: &str,
        new: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<usize> {
        let at = self.store_ref(store);
        self.knowledge().exclusively(&at, || {
            let before = at.dir()?.read_at(path)?;
            let text = before.as_ref().map_or(Ok(""), |file| std::str::from_utf8(&file.bytes));
            let text = text.map_err(|_| Error::NotEditable {
                path: self.absolute(store, path),
                reason: "its text is not UTF-8".to_owned(),
            })?;
            let Joined::Longer(whole) = joined(text, new) else { return Ok(0) };
            let expect = Expect::as_read(before.as_ref());
            let audit = audit_row("journal_append", author, store, &[path], now);
            self.knowledge().write(&at, path, whole.as_bytes(), expect, audit)?;
            let headings =
                |text: &str| text.lines().filter(|line| journal::begins_entry(line)).count();
            Ok(headings(&whole) - headings(text))
        })
    }
}
