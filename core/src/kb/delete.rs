//! Deleting a knowledge base: all of its files and rows, for good.
//!
//! The deletion is recorded before it begins, and each of its steps can be done again: whoever is cut
//! off leaves a record, by which the next start does the rest. The folder leaves its place in one step,
//! so that it is there whole or gone.

use std::path::PathBuf;

use coffer_domain::fact::Author;
use coffer_domain::id::{Id, sha256};
use coffer_domain::kb::KbName;
use coffer_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{KIND, KnowledgeBases, audit_row, locked};
use crate::error::{Error, Result};
use crate::index::{Scope, drop_resource, forget_resource};
use crate::vault::{Dir, Expect, identity, remove_folder, walk};

/// A deletion under way.
#[derive(Debug, Serialize, Deserialize)]
struct Deletion {
    name: String,
    /// Which folder it is: another one of its name is another knowledge base.
    folder: Option<(u64, u64)>,
    /// Its name in the trash while its files go.
    trashed: String,
}

impl KnowledgeBases {
    /// Deletes a knowledge base with all its documents, originals and rows.
    ///
    /// # Errors
    ///
    /// None of this name; files that cannot be moved.
    pub fn delete(&self, name: &KbName, author: &Author, now: Timestamp) -> Result<()> {
        let snapshot = self.base(name)?;
        let at = self.open(name)?.at;
        self.knowledge().alone(&at, || {
            let folder = identity(&at.root);
            let trashed = format!("kb-{name}-{}", now.compact());
            let deletion = Deletion { name: name.to_string(), folder, trashed };
            let record = self.record(&deletion)?;
            let done = self.carry_out(&deletion, &at.scope);
            // Where it did not even leave its place, nothing happened and nothing is to happen later.
            if done.is_ok() || identity(&at.root) == folder {
                Dir::make(&self.deletions())?.remove(record.as_ref())?;
            }
            done
        })?;
        self.knowledge().forget(&at);
        locked(&self.0.files).remove(name);
        let mut audit = audit_row("resource_deleted", author, name, &[], now);
        audit.counts.insert("documents".to_owned(), snapshot.document_count.cast_signed());
        self.audit(&audit);
        self.changed(name);
        Ok(())
    }

    /// Goes on with what a dead process began.
    pub(crate) fn take_up(&self) -> Result<()> {
        self.finish_deletions()
    }

    fn finish_deletions(&self) -> Result<()> {
        let records = Dir::make(&self.deletions())?;
        for found in walk(&records, &[""], |path| path.ends_with(".json")).files {
            let Some(file) = records.read(&found.path)? else { continue };
            let done = match serde_json::from_slice::<Deletion>(&file.bytes) {
                Ok(deletion) => self.carry_out(&deletion, &scope(&deletion.name)),
                // Half a record cannot be: it was written whole or not at all.
                Err(_) => Ok(()),
            };
            match done {
                Ok(()) => records.remove(found.path.as_ref())?,
                Err(error) => tracing::warn!(%error, "a knowledge base waits to be deleted"),
            }
        }
        Ok(())
    }

    fn record(&self, deletion: &Deletion) -> Result<String> {
        let name = format!("{}.json", &sha256(&deletion.trashed)[..16]);
        let text = serde_json::to_vec(deletion).unwrap_or_default();
        Dir::make(&self.deletions())?.write(&name, &text, Expect::Absent)?;
        Ok(name)
    }

    fn carry_out(&self, deletion: &Deletion, scope: &Scope) -> Result<()> {
        let Deletion { name, folder, trashed } = deletion;
        let trash = Dir::make(&self.0.home.trash())?;
        if !trash.holds(trashed)? {
            let root = KbName::parse(name).map(|name| self.paths(&name).root().to_owned());
            let is_it = root.as_deref().and_then(identity) == *folder && folder.is_some();
            if is_it {
                Dir::open(&self.0.home.knowledge())?.rename(name, &trash, trashed)?;
            }
        }
        let stands = KbName::parse(name).is_some_and(|name| identity(self.paths(&name).root()).is_some());
        if !stands {
            let forgotten = self.knowledge().index().write(|tx| {
                forget_resource(tx, scope)?;
                drop_resource(tx, KIND, name)
            });
            forgotten.map_err(Error::index)?;
        }
        remove_folder(&trash, trashed)
    }

    fn deletions(&self) -> PathBuf {
        self.0.home.kb_records()
    }
}

fn scope(name: &str) -> Scope {
    Scope::new(KIND, name.to_owned(), Id::GLOBAL.to_owned())
}
