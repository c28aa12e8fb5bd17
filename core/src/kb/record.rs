//! What is being done to knowledge bases, written down before it begins: whoever is cut off leaves a
//! record, by which the next start finishes it or takes it back.

use coffer_domain::kb::{DocumentText, KbName};
use coffer_env::{KbPaths, clock};
use serde::{Deserialize, Serialize};

use super::delete::Deletion;
use super::{KnowledgeBases, locked};
use crate::error::Result;
use crate::vault::{Dir, Expect, walk};

/// Something under way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Record {
    /// A knowledge base goes.
    Base(Deletion),
    /// Documents come: those that stand keep their originals, of the others nothing stays.
    Intake { base: String, documents: Vec<Staged> },
    /// A document goes.
    Removal { base: String, stem: String },
}

/// An original that waits until its document stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Staged {
    /// The document's file, without its ending.
    pub stem: String,
    /// Tells it from others that wait for the same document.
    pub token: String,
    /// What the original's name ends in.
    pub extension: String,
    /// The hash of the original; the document's file names it.
    pub sha256: String,
}

impl KnowledgeBases {
    /// Does something that is written down first, then what is left to do of it by what stands: where it
    /// fails, it is finished or taken back at once, or with the next one, or by the next start.
    pub(super) fn recorded<T>(
        &self,
        record: &Record,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let records = Dir::make(&self.0.home.kb_records())?;
        let waiting = std::mem::take(&mut *locked(&self.0.unsettled));
        for waiting in waiting {
            self.settle_found(&records, &waiting)?;
        }
        let name = format!("{:032x}.json", u128::from_ne_bytes(clock::random()));
        let text = serde_json::to_vec(record).unwrap_or_default();
        if let Err(error) = records.write(&name, &text, Expect::Absent) {
            // A record that may stand all the same must not be carried out later.
            let _ = records.remove(name.as_ref());
            return Err(error);
        }
        let done = work();
        let settled = self.settle(record).or_else(|_| self.settle(record));
        if settled.is_err() || records.remove(name.as_ref()).is_err() {
            tracing::warn!(name, "the record of work on a knowledge base waits");
            locked(&self.0.unsettled).push(name);
        }
        done.and_then(|done| settled.map(|()| done))
    }

    /// Goes on with what a dead process began. What cannot be settled now waits for later.
    pub(crate) fn take_up(&self) -> Result<()> {
        let records = Dir::make(&self.0.home.kb_records())?;
        let found = walk(&records, &[""], |path| path.ends_with(".json")).files;
        found.iter().try_for_each(|found| self.settle_found(&records, &found.path))
    }

    fn settle_found(&self, records: &Dir, name: &str) -> Result<()> {
        let Some(file) = records.read(name)? else { return Ok(()) };
        let settled = match serde_json::from_slice::<Record>(&file.bytes) {
            Ok(record) => self.settle(&record),
            // Half a record cannot be: it was written whole or not at all.
            Err(_) => Ok(()),
        };
        if let Err(error) = settled.and_then(|()| records.remove(name.as_ref())) {
            tracing::warn!(%error, "work on a knowledge base waits");
            locked(&self.0.unsettled).push(name.to_owned());
        }
        Ok(())
    }

    /// Finishes what took its first step, and takes back the rest.
    fn settle(&self, record: &Record) -> Result<()> {
        match record {
            Record::Base(deletion) => self.finish(deletion),
            Record::Intake { base, documents } => self.settle_intake(base, documents),
            Record::Removal { base, stem } if self.has_document(base, stem) => Ok(()),
            Record::Removal { base, stem } => match self.found(base)? {
                Some(root) => remove_rest(&root, stem),
                None => Ok(()),
            },
        }
    }

    fn has_document(&self, base: &str, stem: &str) -> bool {
        let document = KbPaths::document(stem);
        let root = self.found(base).ok().flatten();
        root.is_some_and(|root| !matches!(root.stat_at(&document), Ok(None)))
    }

    fn settle_intake(&self, base: &str, documents: &[Staged]) -> Result<()> {
        let Some(root) = self.found(base)? else { return Ok(()) };
        let Some(raw) = root.find_at(KbPaths::RAW)? else { return Ok(()) };
        for staged in documents {
            if raw.holds(&staged.name())? {
                staged.settle(&raw, staged.stands(&root)?)?;
            }
        }
        raw.sync()
    }

    fn found(&self, base: &str) -> Result<Option<Dir>> {
        let root = KbName::parse(base).map(|name| Dir::find(self.paths(&name).root()));
        root.unwrap_or(Ok(None))
    }
}

impl Staged {
    /// Whether the document that it is the original of stands.
    fn stands(&self, root: &Dir) -> Result<bool> {
        let path = KbPaths::document(&self.stem);
        let file = root.read_at(&path)?;
        Ok(file.is_some_and(|file| {
            let text = String::from_utf8_lossy(&file.bytes);
            let read = DocumentText::read(&text, &path, file.stat.modified());
            read.source_sha256.as_ref() == Some(&self.sha256)
        }))
    }

    /// Its name among the originals while it waits.
    pub(super) fn name(&self) -> String {
        KbPaths::staged(&self.stem, &self.token, &self.extension)
    }

    /// Takes its place beside its document, or goes. The caller flushes the folder.
    pub(super) fn settle(&self, raw: &Dir, stands: bool) -> Result<()> {
        let staged = self.name();
        match (raw.holds(&staged)?, stands) {
            (false, _) => Ok(()),
            (true, true) => raw.supplant(&staged, &KbPaths::original(&self.stem, &self.extension)),
            (true, false) => raw.remove(staged.as_ref()),
        }
    }
}

/// Removes what belongs to a document that is gone.
fn remove_rest(root: &Dir, stem: &str) -> Result<()> {
    remove_some(root, KbPaths::RAW, |name| KbPaths::is_original(name, stem))?;
    remove_some(root, KbPaths::SUPERSEDED, |name| KbPaths::is_retired(name, stem))
}

fn remove_some(root: &Dir, folder: &str, wanted: impl Fn(&str) -> bool) -> Result<()> {
    let Some(dir) = root.find_at(folder)? else { return Ok(()) };
    dir.names(wanted)?.iter().try_for_each(|name| dir.remove(name.as_ref()))
}
