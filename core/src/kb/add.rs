//! Adding one file.

use std::path::Path;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::kb::{KbName, SourceMode};
use coffer_env::clock::Stamp;

use super::incoming::unfit;
use super::intake::{Candidate, Fate, Standing};
use super::{Document, Incoming, KbEvent, KnowledgeBases, Opened};
use crate::error::{Error, Result, Unfit};

/// A document that stands for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The document.
    pub document: Document,
    /// What became of the file.
    pub outcome: AddedAs,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddedAs {
    /// A new document.
    New,
    /// A new version of a document.
    Replacement,
    /// Nothing: it was there already.
    Nothing,
}

impl KnowledgeBases {
    /// Takes a file in. The very file again changes nothing; another version of it is taken only with
    /// `replace`, in place, and the version before goes to `superseded/`.
    ///
    /// # Errors
    ///
    /// No such knowledge base; a file that gives no Markdown, is too large, or of a name that is there;
    /// files that cannot be written.
    pub fn add(
        &self,
        name: &KbName,
        incoming: Incoming,
        replace: bool,
        author: &Author,
        stamp: &Stamp,
    ) -> Result<Added> {
        let opened = self.open(name)?;
        incoming.check(opened.config.max_document_bytes)?;
        let standing = self.standing_for(&opened, &incoming, false)?;
        match &standing {
            Standing::Same(record) => {
                self.put_back(name, &opened, (record, &incoming))?;
                let document = self.document_of(name, record.as_ref().clone());
                return Ok(Added { document, outcome: AddedAs::Nothing });
            }
            Standing::Other(record) if !replace => {
                return Err(duplicate(&incoming.filename, &record.id, &record.source_mode));
            }
            Standing::Other(_) | Standing::Nothing => {}
        }
        let candidate = Candidate::new(incoming, &standing, &stamp.id);
        self.add_one(name, &opened, candidate, author, stamp)
    }

    /// As `add`, for the file at an absolute path, which the document is kept in step with from then
    /// on.
    ///
    /// # Errors
    ///
    /// As `add`; a path that is none of a readable file outside of Coffer's own folder.
    pub fn add_path(
        &self,
        name: &KbName,
        path: &Path,
        replace: bool,
        author: &Author,
        stamp: &Stamp,
    ) -> Result<Added> {
        let most = self.open(name)?.config.max_document_bytes;
        let incoming = Incoming::at(path, self.0.home.root(), most)?;
        self.add(name, incoming, replace, author, stamp)
    }

    pub(super) fn add_one(
        &self,
        name: &KbName,
        opened: &Opened,
        candidate: Candidate,
        author: &Author,
        stamp: &Stamp,
    ) -> Result<Added> {
        let by = (author, stamp.now);
        let fates = self.take_in((name, opened), &[candidate], &|| false, by)?;
        let fate = fates.into_iter().next().unwrap_or(Err(Error::Cancelled));
        let (fate, id) = fate?;
        let id = Id::parse(&id).ok_or_else(|| Error::Internal("an id is none".to_owned()))?;
        let record = self.known(opened, name, &id)?;
        let outcome = match fate {
            Fate::New => AddedAs::New,
            Fate::Replaced => AddedAs::Replacement,
            Fate::Unchanged => AddedAs::Nothing,
        };
        (self.0.on_event)(KbEvent::Document(name.clone(), id));
        Ok(Added { document: self.document_of(name, record), outcome })
    }
}

fn duplicate(filename: &str, id: &Id, mode: &str) -> Error {
    let edited = match SourceMode::of_word(mode) {
        SourceMode::Converted => "",
        SourceMode::Edited => ", which was edited here",
    };
    let message = format!(
        "document `{id}` is of another version of it{edited}; say that it is to be replaced"
    );
    unfit(filename, Unfit::Duplicate, message)
}
