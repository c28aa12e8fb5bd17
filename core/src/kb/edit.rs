//! Changing the text of a document, and taking one out.

use std::path::Path;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::kb::{KbName, edited};
use coffer_domain::time::Timestamp;
use coffer_env::KbPaths;

use super::incoming::unfit;
use super::record::Record as Noted;
use super::{Document, KbEvent, KnowledgeBases, audit_row};
use crate::error::{Error, Result, Unfit};
use crate::index::Change;
use crate::vault::{Dir, Expect, File, MAX_FILE_BYTES, split};

impl KnowledgeBases {
    /// Puts another text in the place of a document's; the version before goes to `superseded/`. From
    /// then on the document counts as edited.
    ///
    /// # Errors
    ///
    /// No such document; another version than the expected one; a header that does not parse; a text
    /// that is empty or too long.
    pub fn edit(
        &self,
        name: &KbName,
        id: &Id,
        (markdown, if_sha256): (&str, Option<&str>),
        author: &Author,
        now: Timestamp,
    ) -> Result<Document> {
        let opened = self.open(name)?;
        check(id, markdown)?;
        // Brings the index up: the lock below is the one that a comparison needs.
        self.known(&opened, name, id)?;
        let is_changed = self.knowledge().exclusively(&opened.at, || {
            let (record, file) = self.standing(&opened, name, id)?;
            self.expect_version(name, &record.path, &file, if_sha256)?;
            let text = changed_text(&self.absolute(name, &record.path), &file, markdown, now)?;
            if text.as_bytes() == file.bytes {
                return Ok(false);
            }
            let (dir, retired) = {
                let path = KbPaths::retired(KbPaths::stem(&record.path), now);
                let (dir, name) = opened.at.place(&path)?;
                (dir, name.to_owned())
            };
            dir.write(&retired, &file.bytes, Expect::Absent)?;
            let audit = audit_row("kb_document_updated", author, name, &[id.as_str()], now);
            let expect = Expect::Version(&file.bytes);
            self.knowledge().write(&opened.at, &record.path, text.as_bytes(), expect, audit)?;
            Ok(true)
        })?;
        if is_changed {
            (self.0.on_event)(KbEvent::Document(name.clone(), id.clone()));
        }
        Ok(self.document_of(name, self.known(&opened, name, id)?))
    }

    /// Deletes a document, its original and its retired versions, for good.
    ///
    /// # Errors
    ///
    /// No such document; files that cannot be removed.
    pub fn delete_document(
        &self,
        name: &KbName,
        id: &Id,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let opened = self.open(name)?;
        self.known(&opened, name, id)?;
        self.knowledge().exclusively(&opened.at, || {
            let (document, _) = self.standing(&opened, name, id)?;
            let stem = KbPaths::stem(&document.path).to_owned();
            let record = Noted::Removal { base: name.to_string(), stem };
            let _in_flight = self.knowledge().in_flight(&opened.at, vec![document.path.clone()]);
            self.recorded(&record, || remove_document(&opened.at.dir()?, &document.path))?;
            let audit = audit_row("kb_document_deleted", author, name, &[id.as_str()], now);
            let change = Change::Remove(document.path);
            self.knowledge().commit(&opened.at, vec![change], vec![audit]);
            Ok(())
        })?;
        (self.0.on_event)(KbEvent::Document(name.clone(), id.clone()));
        Ok(())
    }

    fn expect_version(
        &self,
        name: &KbName,
        path: &str,
        file: &File,
        expected: Option<&str>,
    ) -> Result<()> {
        let current = file.sha256();
        match expected {
            Some(expected) if expected != current => {
                let path = self.absolute(name, path);
                Err(Error::VersionConflict { path, current_sha256: current })
            }
            _ => Ok(()),
        }
    }
}

fn remove_document(root: &Dir, path: &str) -> Result<()> {
    let (folder, name) = split(path);
    root.at(folder)?.remove(name.as_ref())
}

fn check(id: &Id, markdown: &str) -> Result<()> {
    if markdown.trim().is_empty() {
        return Err(unfit(id.as_str(), Unfit::Empty, "its text is empty"));
    }
    if markdown.len() as u64 > MAX_FILE_BYTES - (64 << 10) {
        let message = format!("its text is larger than {} MiB", MAX_FILE_BYTES >> 20);
        return Err(unfit(id.as_str(), Unfit::TooLarge, message));
    }
    Ok(())
}

/// The file with another text.
fn changed_text(path: &Path, file: &File, markdown: &str, now: Timestamp) -> Result<String> {
    let refused = |reason: String| Error::NotEditable { path: path.to_owned(), reason };
    let text = std::str::from_utf8(&file.bytes)
        .map_err(|_| refused("its text is not UTF-8".to_owned()))?;
    // What no tool downstream bears.
    let markdown = markdown.replace('\0', "\u{fffd}");
    edited(text, &markdown, now).map_err(|problem| {
        refused(format!("its header does not parse ({problem}); mend it in an editor"))
    })
}
