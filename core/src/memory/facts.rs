//! Reading facts: one by id, or a page of them.

use coffer_domain::fact::FileText;
use coffer_domain::id::Id;
use coffer_domain::store::{Lane, StoreName};

use super::{Fact, Memory, fact_not_found};
use crate::error::Result;
use crate::index::{document, page, page_with, tally};
use crate::vault::File;

/// Which part of a list.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// At most so many.
    pub limit: u32,
    /// How many to skip.
    pub offset: u32,
    /// Only facts whose title or description holds this, in any case.
    pub q: Option<String>,
}

/// One page of facts, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactPage {
    /// The page.
    pub facts: Vec<Fact>,
    /// How many there are in all.
    pub total: u64,
}

impl Memory {
    /// A page of inbox items and topic documents, newest first. A store that does not exist is
    /// empty.
    ///
    /// # Errors
    ///
    /// Files or index that cannot be read.
    pub fn facts(&self, store: &StoreName, asked: &Page) -> Result<FactPage> {
        let at = self.store_ref(store);
        let part = asked.q.as_deref().map(str::trim).filter(|part| !part.is_empty());
        let (lane, part_of) = ("knowledge/", (asked.limit, asked.offset));
        let (rows, total) = self.knowledge().fresh(&at, |db| match part {
            Some(part) => page_with(db, &at.scope, lane, part, part_of),
            None => {
                let rows = page(db, &at.scope, lane, part_of)?;
                Ok((rows, tally(db, &at.scope, lane)?.documents))
            }
        })?;
        let mut facts = Vec::with_capacity(rows.len());
        let mut unreadable = None;
        for row in rows {
            match self.read_file(store, &row.path) {
                Ok(Some(file)) => facts.push(self.read_fact(store, &row.path, &file, row.id)),
                Ok(None) => {}
                // One bad file hides no other; the doctor lists it.
                Err(error) => unreadable = Some(error),
            }
        }
        match unreadable {
            Some(error) if facts.is_empty() => Err(error),
            _ => Ok(FactPage { facts, total }),
        }
    }

    /// A document by id, of the knowledge lane or the journal.
    ///
    /// # Errors
    ///
    /// No such document, or files that cannot be read.
    pub fn fact(&self, store: &StoreName, id: &Id) -> Result<Fact> {
        let (path, file) = self.find(store, id)?;
        Ok(self.read_fact(store, &path, &file, id.clone()))
    }

    /// The path and the file of a document.
    pub(super) fn find(&self, store: &StoreName, id: &Id) -> Result<(String, File)> {
        let at = self.store_ref(store);
        let row = self.knowledge().fresh(&at, |db| document(db, &at.scope, id))?;
        let row = row.ok_or_else(|| fact_not_found(store, id))?;
        let file = self.read_file(store, &row.path)?.ok_or_else(|| fact_not_found(store, id))?;
        Ok((row.path, file))
    }

    /// Reads a file of a store; `None` where there is nothing.
    pub(super) fn read_file(&self, store: &StoreName, path: &str) -> Result<Option<File>> {
        self.store_ref(store).dir()?.read_at(path)
    }

    /// A fact out of its file.
    pub(super) fn read_fact(&self, store: &StoreName, path: &str, file: &File, id: Id) -> Fact {
        let text = String::from_utf8_lossy(&file.bytes);
        let read = FileText::read(&text, path, file.stat.modified());
        let root = self.paths(store);
        Fact {
            id,
            store: store.clone(),
            lane: Lane::of_path(path).unwrap_or(Lane::Knowledge),
            title: read.title,
            description: read.description,
            text: read.body,
            actor: read.actor,
            agent: read.agent,
            origin_session_id: read.origin_session_id,
            path: root.resolve(path).unwrap_or_else(|| root.root().to_owned()),
            file_sha256: file.sha256(),
            created_at: read.created_at,
            updated_at: read.updated_at,
        }
    }
}
