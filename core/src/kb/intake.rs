//! Taking files in: each is written down, kept aside, converted, and then stands at once, document
//! first. A file that gives nothing leaves nothing.

use std::collections::HashSet;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::kb::{Conversion, DocumentText, KbName, SourceMode, extension};
use coffer_domain::time::Timestamp;
use coffer_env::{KbPaths, clock};

use super::incoming::unfit;
use super::reading::Metadata;
use super::record::{Record as Noted, Staged};
use super::sources::blocked;
use super::{Incoming, KnowledgeBases, Opened, audit_row};
use crate::convert::Converted;
use crate::error::{Error, Result, Unfit};
use crate::index::{AuditRow, Record, record_from};
use crate::knowledge::NewFile;
use crate::vault::{Dir, Expect, File, below};

/// What became of files.
pub(super) type Fates = Vec<Result<(Fate, String)>>;

/// A file that is to be taken in, and under which name its document is to stand.
pub(super) struct Candidate {
    pub incoming: Incoming,
    pub staged: Staged,
    /// Whether a document that was edited stays as it is.
    keeps_edits: bool,
}

/// What stands for a file already.
pub(super) enum Standing {
    /// Nothing.
    Nothing,
    /// A document of the very file.
    Same(Box<Record>),
    /// A document of another version of it.
    Other(Box<Record>),
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is a new document.
    New,
    /// It took the place of the version before.
    Replaced,
    /// It was there already.
    Unchanged,
}

/// A file that was converted and waits to stand.
struct Ready<'a> {
    candidate: &'a Candidate,
    converted: Converted,
}

impl Candidate {
    /// A file under the name of the document that stands for it, or under a new one.
    pub(super) fn new(incoming: Incoming, standing: &Standing, id: &Id) -> Self {
        let stem = match standing {
            Standing::Nothing => id.to_string(),
            Standing::Same(record) | Standing::Other(record) => {
                KbPaths::stem(&record.path).to_owned()
            }
        };
        let extension = extension(&incoming.filename);
        let token = format!("{:08x}", u32::from_ne_bytes(clock::random()));
        let sha256 = incoming.sha256();
        Self { incoming, staged: Staged { stem, token, extension, sha256 }, keeps_edits: false }
    }

    /// The same, for callers whom a person did not tell to overwrite an edited document.
    pub(super) fn keeping_edits(self) -> Self {
        Self { keeps_edits: true, ..self }
    }
}

impl KnowledgeBases {
    /// What stands for a file. With `is_fresh` the index was just compared with the files.
    pub(super) fn standing_for(
        &self,
        opened: &Opened,
        incoming: &Incoming,
        is_fresh: bool,
    ) -> Result<Standing> {
        let at = &opened.at;
        let find = |db: &crate::index::Connection| record_from(db, &at.scope, incoming.origin());
        let found = match is_fresh {
            true => self.knowledge().read(find)?,
            false => self.knowledge().fresh(at, find)?,
        };
        Ok(match found.map(Box::new) {
            None => Standing::Nothing,
            Some(record) if hash_of(&record).as_deref() == Some(&incoming.sha256()) => {
                Standing::Same(record)
            }
            Some(record) => Standing::Other(record),
        })
    }

    /// Takes files in, together; what became of each, in their order. An error that is not about one
    /// file ends it; what stood by then stays.
    pub(super) fn take_in(
        &self,
        (name, opened): (&KbName, &Opened),
        candidates: &[Candidate],
        cancelled: &dyn Fn() -> bool,
        (author, now): (&Author, Timestamp),
    ) -> Result<Fates> {
        let documents = candidates.iter().map(|candidate| candidate.staged.clone()).collect();
        let record = Noted::Intake { base: name.to_string(), documents };
        self.recorded(&record, || {
            keep_aside(&self.root(name, opened)?.make_at(KbPaths::RAW)?, candidates)?;
            let converted = self.convert_all(name, candidates, cancelled);
            if cancelled() {
                return Err(Error::Cancelled);
            }
            let mut fates: Vec<Option<Result<(Fate, String)>>> = Vec::new();
            let mut ready = Vec::new();
            for (candidate, converted) in candidates.iter().zip(converted) {
                match converted {
                    Ok(converted) => {
                        ready.push((fates.len(), Ready { candidate, converted }));
                        fates.push(None);
                    }
                    Err(error) => fates.push(Some(Err(error))),
                }
            }
            self.knowledge().exclusively(&opened.at, || {
                let root = self.root(name, opened)?;
                let put = self.put((name, opened), &root, &ready, (author, now))?;
                for ((place, _), fate) in ready.iter().zip(put) {
                    fates[*place] = Some(fate);
                }
                let fates: Fates = fates.into_iter().flatten().collect();
                settle(&root, candidates, &fates)?;
                Ok(fates)
            })
        })
    }

    /// The folder of a knowledge base, which somebody may have deleted since it was opened.
    fn root(&self, name: &KbName, opened: &Opened) -> Result<Dir> {
        opened.at.found()?.ok_or_else(|| Error::BaseNotFound(name.to_string()))
    }

    /// Writes documents: what they take the place of is archived first. One whose original somebody
    /// took away meanwhile does not come to stand: it may be another knowledge base of the same name.
    /// For callers that hold the knowledge base.
    fn put(
        &self,
        (name, opened): (&KbName, &Opened),
        root: &Dir,
        ready: &[(usize, Ready<'_>)],
        (author, now): (&Author, Timestamp),
    ) -> Result<Fates> {
        let mut batch = Batch::default();
        let mut fates = Vec::with_capacity(ready.len());
        let raw = root.make_at(KbPaths::RAW)?;
        for (_, ready) in ready {
            let Candidate { incoming, staged, .. } = ready.candidate;
            if !raw.holds(&staged.name())? {
                fates.push(Err(lost(raw.path(), staged)));
                continue;
            }
            let standing = self.standing_for(opened, incoming, true)?;
            fates.push(batch.add(root, ready, standing, now));
        }
        batch.write(self, (name, opened), author, now)?;
        Ok(fates)
    }
}

/// What is written together.
#[derive(Default)]
struct Batch {
    retired: Vec<NewFile>,
    documents: Vec<NewFile>,
    new: Vec<String>,
    replaced: Vec<String>,
    claimed: HashSet<String>,
}

impl Batch {
    /// Adds a file's document; what becomes of the file.
    fn add(
        &mut self,
        root: &Dir,
        ready: &Ready<'_>,
        standing: Standing,
        now: Timestamp,
    ) -> Result<(Fate, String)> {
        let Candidate { incoming, staged, keeps_edits } = ready.candidate;
        let path = KbPaths::document(&staged.stem);
        let conversion = conversion(ready);
        match standing {
            Standing::Same(record) => Ok((Fate::Unchanged, record.id.to_string())),
            Standing::Other(record) if record.path == path => {
                let before = root.read_at(&path)?.ok_or_else(|| taken(&incoming.filename))?;
                let text = std::str::from_utf8(&before.bytes).ok();
                if *keeps_edits && text.is_none_or(|text| is_edited(text, &path, &before)) {
                    return Err(blocked(&record.id, "it was edited"));
                }
                let renewed = text.and_then(|text| conversion.renew(text, now).ok());
                let text = renewed.unwrap_or_else(|| conversion.render(now));
                self.retire(&staged.stem, &before.bytes, now);
                self.replaced.push(record.id.to_string());
                self.push(path, text, Some(before.bytes));
                Ok((Fate::Replaced, record.id.to_string()))
            }
            Standing::Nothing if self.claimed.insert(path.clone()) => {
                self.new.push(staged.stem.clone());
                self.push(path, conversion.render(now), None);
                Ok((Fate::New, staged.stem.clone()))
            }
            // Somebody else took the same file in meanwhile.
            Standing::Other(_) | Standing::Nothing => Err(taken(&incoming.filename)),
        }
    }

    fn push(&mut self, path: String, text: String, before: Option<Vec<u8>>) {
        self.documents.push(NewFile { path, bytes: text.into_bytes(), modified_ns: None, before });
    }

    fn retire(&mut self, stem: &str, bytes: &[u8], now: Timestamp) {
        let path = KbPaths::retired(stem, now);
        self.retired.push(NewFile { path, bytes: bytes.to_vec(), modified_ns: None, before: None });
    }

    fn write(
        self,
        face: &KnowledgeBases,
        (name, opened): (&KbName, &Opened),
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let Self { retired, documents, new, replaced, claimed: _ } = self;
        if !retired.is_empty() {
            face.knowledge().write_all(&opened.at, retired, Vec::new())?;
        }
        let events = [("kb_document_ingested", &new), ("kb_document_updated", &replaced)];
        let audit: Vec<AuditRow> = events
            .into_iter()
            .filter(|(_, ids)| !ids.is_empty())
            .map(|(event, ids)| {
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                audit_row(event, author, name, &ids, now)
            })
            .collect();
        if !documents.is_empty() {
            face.knowledge().write_all(&opened.at, documents, audit)?;
        }
        Ok(())
    }
}

fn conversion<'a>(ready: &'a Ready<'_>) -> Conversion<'a> {
    let Converted { markdown, title, format, engine } = &ready.converted;
    let Candidate { incoming, staged, .. } = ready.candidate;
    Conversion {
        title: title.as_deref(),
        filename: &incoming.filename,
        format: format.name(),
        sha256: &staged.sha256,
        path: incoming.source_path.as_deref(),
        converter: engine,
        markdown,
    }
}

/// Keeps originals where they wait for their documents.
fn keep_aside(raw: &Dir, candidates: &[Candidate]) -> Result<()> {
    for Candidate { incoming, staged, .. } in candidates {
        raw.put(&staged.name(), &incoming.bytes, Expect::Absent, None)?;
    }
    raw.sync()
}

/// Gives originals their places, or takes them away.
fn settle(root: &Dir, candidates: &[Candidate], fates: &Fates) -> Result<()> {
    let raw = root.make_at(KbPaths::RAW)?;
    for (candidate, fate) in candidates.iter().zip(fates) {
        let stands = matches!(fate, Ok((Fate::New | Fate::Replaced, _)));
        candidate.staged.settle(&raw, stands)?;
    }
    raw.sync()
}

/// An original that was kept aside is gone.
fn lost(raw: &std::path::Path, staged: &Staged) -> Error {
    let path = below(raw, &staged.name());
    let reason = "somebody took it away meanwhile; take the file in again".to_owned();
    Error::Unavailable { action: "read", path, reason }
}

fn is_edited(text: &str, path: &str, file: &File) -> bool {
    DocumentText::read(text, path, file.stat.modified()).mode == SourceMode::Edited
}

/// The hash of a document's original.
pub(super) fn hash_of(record: &Record) -> Option<String> {
    Metadata::of_kept(&record.metadata).source_sha256
}

fn taken(filename: &str) -> Error {
    unfit(filename, Unfit::Duplicate, "another file of its name was taken in meanwhile")
}
