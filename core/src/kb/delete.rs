//! Deleting a knowledge base: all of its files and rows, for good.
//!
//! The folder leaves its place in one step, so that it is there whole or gone; what is left to do then can
//! be done again.

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::kb::KbName;
use coffer_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::record::Record;
use super::{KIND, KnowledgeBaseConfig, KnowledgeBases, audit_row, locked};
use crate::error::{Error, Result};
use crate::index::{Scope, Tally, drop_resource, forget_resource, forget_some, resource, tally};
use crate::vault::{Dir, identity, remove_folder};

/// So many documents leave the index together: whoever else writes waits for no more.
const AT_ONCE: usize = 128;

/// A deletion under way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Deletion {
    name: String,
    /// Its name in the trash while its files go.
    trashed: String,
}

impl KnowledgeBases {
    /// Deletes a knowledge base with all its documents, originals and rows.
    ///
    /// # Errors
    ///
    /// None of this name, in the folder or in the index; files that cannot be moved.
    pub fn delete(&self, name: &KbName, author: &Author, now: Timestamp) -> Result<()> {
        let snapshot = match self.base(name) {
            Err(Error::BaseNotFound(_)) => return self.forget_gone(name, author, now),
            base => base?,
        };
        let at = self.open(name)?.at;
        self.knowledge().alone(&at, || {
            // Somebody else may have deleted it meanwhile.
            at.found()?.ok_or_else(|| Error::BaseNotFound(name.to_string()))?;
            let trashed = format!("kb-{name}-{}", now.compact());
            let deletion = Deletion { name: name.to_string(), trashed: trashed.clone() };
            self.recorded(&Record::Base(deletion), || {
                let trash = Dir::make(&self.0.home.trash())?;
                Dir::open(&self.0.home.knowledge())?.rename(name.as_str(), &trash, &trashed)
            })
        })?;
        self.knowledge().forget(&at);
        locked(&self.0.files).remove(name);
        self.deleted(name, snapshot.document_count, author, now);
        Ok(())
    }

    /// Takes out of the index what it has of one whose folder a person deleted or renamed.
    fn forget_gone(&self, name: &KbName, author: &Author, now: Timestamp) -> Result<()> {
        let at = self.store_ref(name, &KnowledgeBaseConfig::default());
        let (known, Tally { documents, .. }) = self
            .knowledge()
            .read(|db| Ok((resource(db, KIND, name.as_str())?, tally(db, &at.scope, "")?)))?;
        if known.is_none() {
            return Err(Error::BaseNotFound(name.to_string()));
        }
        self.forget_rows(name.as_str())?;
        self.knowledge().forget(&at);
        self.deleted(name, documents, author, now);
        Ok(())
    }

    fn deleted(&self, name: &KbName, documents: u64, author: &Author, now: Timestamp) {
        let mut audit = audit_row("resource_deleted", author, name, &[], now);
        audit.counts.insert("documents".to_owned(), documents.cast_signed());
        self.audit(&audit);
        self.changed(name);
    }

    /// Does what is left to do once the folder left its place; one that did not stays.
    pub(super) fn finish(&self, deletion: &Deletion) -> Result<()> {
        let Deletion { name, trashed } = deletion;
        let trash = Dir::make(&self.0.home.trash())?;
        if !trash.holds(trashed)? {
            return Ok(());
        }
        let is_free =
            KbName::parse(name).is_none_or(|name| identity(self.paths(&name).root()).is_none());
        if is_free {
            self.forget_rows(name)?;
        }
        remove_folder(&trash, trashed.as_ref())
    }

    fn forget_rows(&self, name: &str) -> Result<()> {
        let scope = Scope::new(KIND, name.to_owned(), Id::GLOBAL.to_owned());
        let index = self.knowledge().index();
        while index.write(|tx| forget_some(tx, &scope, AT_ONCE)).map_err(Error::index)? {}
        let forgotten = index.write(|tx| {
            forget_resource(tx, &scope)?;
            drop_resource(tx, KIND, name)
        });
        forgotten.map_err(Error::index)
    }
}
