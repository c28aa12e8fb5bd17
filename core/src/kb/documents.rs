//! Documents: reading one, or a page of them.

use std::path::PathBuf;

use coffer_domain::id::Id;
use coffer_domain::kb::{DocumentText, KbName, SourceMode};
use coffer_domain::time::Timestamp;

use super::bases::LANE;
use super::reading::Metadata;
use super::{KnowledgeBases, Opened};
use crate::error::{Error, Result};
use crate::index::{Record, page, page_with, record_of, tally};
use crate::vault::File;

/// A document as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The id in use.
    pub id: Id,
    /// Its knowledge base.
    pub base: KbName,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// Whether the text is still as it was converted.
    pub mode: SourceMode,
    /// SHA-256 of the whole file.
    pub file_sha256: String,
    /// Whether it waits for vectors.
    pub embed_pending: bool,
    /// Its passages.
    pub chunk_count: u64,
    /// Where it comes from.
    pub metadata: Metadata,
    /// The file, absolute.
    pub path: PathBuf,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// One page of documents, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPage {
    /// The page.
    pub documents: Vec<Document>,
    /// How many there are in all.
    pub total: u64,
}

impl KnowledgeBases {
    /// A page of documents, newest first; `part`: only those whose title or description holds it, in any
    /// case.
    ///
    /// # Errors
    ///
    /// No such knowledge base; files or an index that cannot be read.
    pub fn documents(
        &self,
        name: &KbName,
        part: Option<&str>,
        (limit, offset): (u32, u32),
    ) -> Result<DocumentPage> {
        let Opened { at, .. } = self.open(name)?;
        let part = part.map(str::trim).filter(|part| !part.is_empty());
        let (records, total) = self.knowledge().fresh(&at, |db| {
            let (rows, total) = match part {
                Some(part) => page_with(db, &at.scope, LANE, part, (limit, offset))?,
                None => {
                    let rows = page(db, &at.scope, LANE, (limit, offset))?;
                    (rows, tally(db, &at.scope, LANE)?.documents)
                }
            };
            let records = rows.iter().map(|row| record_of(db, &at.scope, &row.id));
            let records: Vec<Option<Record>> = records.collect::<crate::index::SqlResult<_>>()?;
            Ok((records, total))
        })?;
        let documents = records.into_iter().flatten().map(|record| self.document_of(name, record));
        Ok(DocumentPage { documents: documents.collect(), total })
    }

    /// A document, and its text.
    ///
    /// # Errors
    ///
    /// No such knowledge base or document; a file that cannot be read.
    pub fn document(&self, name: &KbName, id: &Id) -> Result<(Document, String)> {
        let Opened { at, .. } = self.open(name)?;
        let record = self.knowledge().fresh(&at, |db| record_of(db, &at.scope, id))?;
        let record = record.ok_or_else(|| not_found(name, id))?;
        let file = at.dir()?.read_at(&record.path)?.ok_or_else(|| not_found(name, id))?;
        let text = String::from_utf8_lossy(&file.bytes);
        let body = DocumentText::read(&text, &record.path, file.stat.modified()).body;
        Ok((self.document_of(name, record), body))
    }

    /// A document that may be changed, and its file. For callers that hold the knowledge base.
    pub(super) fn standing(
        &self,
        opened: &Opened,
        name: &KbName,
        id: &Id,
    ) -> Result<(Record, File)> {
        let at = &opened.at;
        let record = self.knowledge().read(|db| record_of(db, &at.scope, id))?;
        let record = record.ok_or_else(|| not_found(name, id))?;
        let file = at.dir()?.read_at(&record.path)?.ok_or_else(|| not_found(name, id))?;
        Ok((record, file))
    }

    /// Brings the index up to the files and gives a document as it has it.
    pub(super) fn known(&self, opened: &Opened, name: &KbName, id: &Id) -> Result<Record> {
        let found = self.knowledge().fresh(&opened.at, |db| record_of(db, &opened.at.scope, id))?;
        found.ok_or_else(|| not_found(name, id))
    }

    /// A row as a document.
    pub(super) fn document_of(&self, name: &KbName, record: Record) -> Document {
        let Record { id, path, title, description, source_mode, metadata, .. } = record;
        let path = self.absolute(name, &path);
        Document {
            id,
            base: name.clone(),
            title,
            description,
            mode: SourceMode::of_word(&source_mode),
            file_sha256: record.file_sha256,
            embed_pending: record.embed_pending,
            chunk_count: record.chunks,
            metadata: Metadata::of_kept(&metadata),
            path,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

/// No document of this id.
pub(super) fn not_found(name: &KbName, id: &Id) -> Error {
    Error::DocumentNotFound { base: name.to_string(), id: id.to_string() }
}
