//! Keeping documents in step with where they come from: converting an original again, taking in what
//! changed at its source, and looking what did. A document that was edited is never overwritten.

use std::path::Path;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::kb::{Conversion, KbName, SourceMode};
use coffer_domain::time::Timestamp;
use coffer_env::KbPaths;
use coffer_env::clock::Stamp;

use super::intake::{Candidate, Standing};
use super::originals::{Kept, hash_of, read};
use super::reading::Metadata;
use super::{Document, Incoming, KbEvent, KnowledgeBases, Opened, audit_row};
use crate::convert::Converted;
use crate::error::{Error, Result};
use crate::index::{Record, sourced};
use crate::knowledge::NewFile;
use crate::vault::Source;

/// What a look at a document's source found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceState {
    /// The document.
    pub id: Id,
    /// Where its original stands.
    pub source_path: String,
    /// What stands there.
    pub status: SourceStatus,
}

/// What stands at a document's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStatus {
    /// The file that was taken in.
    Unchanged,
    /// Another version.
    Changed,
    /// Nothing that can be read.
    Missing,
    /// Another version, while the document was edited.
    Edited,
    /// Another version, which was taken in just now.
    Updated,
}

impl KnowledgeBases {
    /// Makes a document's Markdown from its original again.
    ///
    /// # Errors
    ///
    /// No such document; one that was edited, or has no original; an original that gives no Markdown.
    pub fn reconvert(
        &self,
        name: &KbName,
        id: &Id,
        author: &Author,
        now: Timestamp,
    ) -> Result<Document> {
        let opened = self.open(name)?;
        self.known(&opened, name, id)?;
        let original =
            self.knowledge().exclusively(&opened.at, || self.original(name, &opened, id))?;
        let converted = self.markdown_of(&original.filename, &original.path, &|| false)?;
        let is_changed = self.knowledge().exclusively(&opened.at, || {
            self.renew((name, &opened), id, (&original, &converted), author, now)
        })?;
        if is_changed {
            (self.0.on_event)(KbEvent::Document(name.clone(), id.clone()));
        }
        Ok(self.document_of(name, self.known(&opened, name, id)?))
    }

    /// Takes in what stands at a document's source now.
    ///
    /// # Errors
    ///
    /// No such document; one that was edited, or has no source; a source that is gone or gives no
    /// Markdown.
    pub fn update_source(
        &self,
        name: &KbName,
        id: &Id,
        author: &Author,
        stamp: &Stamp,
    ) -> Result<Document> {
        let opened = self.open(name)?;
        let record = self.known(&opened, name, id)?;
        refuse_edited(&record)?;
        let metadata = Metadata::of_kept(&record.metadata);
        let Some(source) = metadata.source_path else {
            return Err(blocked(id, "it was not taken in by its path"));
        };
        let most = opened.config.max_document_bytes;
        let mut incoming = Incoming::at(Path::new(&source), self.0.home.root(), most)?;
        if let Some(filename) = metadata.original_filename {
            incoming.filename = filename;
        }
        incoming.check(most)?;
        if metadata.source_sha256.as_deref() == Some(&incoming.sha256()) {
            return Ok(self.document_of(name, record));
        }
        let standing = Standing::Other(Box::new(record));
        let candidate = Candidate::new(incoming, &standing, id).keeping_edits();
        self.add_one(name, &opened, candidate, author, stamp).map(|added| added.document)
    }

    /// Looks at the sources of all documents that were taken in by their paths; takes in what changed
    /// where the settings say so.
    ///
    /// # Errors
    ///
    /// No such knowledge base; an index that cannot be read.
    pub fn check_sources(&self, name: &KbName, author: &Author) -> Result<Vec<SourceState>> {
        let opened = self.open(name)?;
        let records = self.knowledge().fresh(&opened.at, |db| sourced(db, &opened.at.scope))?;
        let states = records.into_iter().filter_map(|record| {
            let Metadata { source_path, source_sha256, .. } = Metadata::of_kept(&record.metadata);
            let source_path = source_path?;
            let status = match self.hash_of_source(&source_path) {
                None => SourceStatus::Missing,
                Some(hash) if source_sha256.as_ref() == Some(&hash) => SourceStatus::Unchanged,
                Some(_) if is_edited(&record) => SourceStatus::Edited,
                Some(_) if opened.config.auto_update_sources => {
                    self.updated(name, &record.id, author)
                }
                Some(_) => SourceStatus::Changed,
            };
            Some(SourceState { id: record.id, source_path, status })
        });
        Ok(states.collect())
    }

    fn updated(&self, name: &KbName, id: &Id, author: &Author) -> SourceStatus {
        match self.update_source(name, id, author, &Stamp::new()) {
            Ok(_) => SourceStatus::Updated,
            Err(Error::ReconversionBlocked { .. }) => SourceStatus::Edited,
            Err(error) => {
                tracing::warn!(kb = %name, %id, %error, "a source that changed was not taken in");
                SourceStatus::Changed
            }
        }
    }

    /// The hash of a file, read part by part; `None` where it cannot be read.
    fn hash_of_source(&self, path: &str) -> Option<String> {
        let Source::File(dir, name) = Source::open(Path::new(path), self.0.home.root()).ok()?
        else {
            return None;
        };
        let (file, _) = dir.open_file(&name).ok()??;
        hash_of(file).ok()
    }

    /// Writes a document that was converted again, if that changed it; whether it did. For callers
    /// that hold the knowledge base.
    pub(super) fn renew(
        &self,
        (name, opened): (&KbName, &Opened),
        id: &Id,
        (original, converted): (&Kept, &Converted),
        author: &Author,
        now: Timestamp,
    ) -> Result<bool> {
        let (record, file) = self.standing(opened, name, id)?;
        let read = read(&record, &file);
        if read.mode == SourceMode::Edited {
            return Err(blocked(id, EDITED));
        }
        if read.source_sha256.as_ref() != Some(&original.sha256) {
            // Another version of the original was taken in meanwhile.
            let path = self.absolute(name, &record.path);
            return Err(Error::VersionConflict { path, current_sha256: file.sha256() });
        }
        let conversion = Conversion {
            title: converted.title.as_deref(),
            filename: &original.filename,
            format: converted.format.name(),
            sha256: &original.sha256,
            path: read.source_path.as_deref(),
            converter: &converted.engine,
            markdown: &converted.markdown,
        };
        if conversion.is_of(&read) {
            return Ok(false);
        }
        let text = String::from_utf8_lossy(&file.bytes);
        let renewed = conversion.renew(&text, now).map_err(|problem| {
            let path = self.absolute(name, &record.path);
            Error::NotEditable { path, reason: format!("its header does not parse ({problem})") }
        })?;
        let retired = NewFile {
            path: KbPaths::retired(KbPaths::stem(&record.path), now),
            bytes: file.bytes.clone(),
            modified_ns: None,
            before: None,
        };
        self.knowledge().write_all(&opened.at, vec![retired], Vec::new())?;
        let document = NewFile {
            path: record.path,
            bytes: renewed.into_bytes(),
            modified_ns: None,
            before: Some(file.bytes),
        };
        let audit = audit_row("kb_document_updated", author, name, &[id.as_str()], now);
        self.knowledge().write_all(&opened.at, vec![document], vec![audit]).map(|_| true)
    }
}

pub(super) const EDITED: &str = "it was edited";

fn is_edited(record: &Record) -> bool {
    SourceMode::of_word(&record.source_mode) == SourceMode::Edited
}

fn refuse_edited(record: &Record) -> Result<()> {
    if is_edited(record) { Err(blocked(&record.id, EDITED)) } else { Ok(()) }
}

/// A document stays as it is.
pub(super) fn blocked(id: &Id, reason: &str) -> Error {
    Error::ReconversionBlocked { id: id.to_string(), reason: reason.to_owned() }
}
