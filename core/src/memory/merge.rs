//! Merging one project's store into another one's: everything moves, nothing is lost or doubled.
//!
//! The merge is recorded before the first file moves. Each step can be done again, so that whoever
//! finds the record after a crash does the whole once more and thereby finishes it. A failure while
//! running takes the steps back.

mod carry;
mod record;
mod trail;

use coffer_domain::fact::Author;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::store_file::StoreFile;
use super::{Memory, audit_row, locked};
use crate::error::{Error, Result};
use crate::index::{Failure, HistoryFilter, audit, forget_resource, forget_store};
use crate::vault::{Dir, discard};
use carry::Carrier;
use record::{Record, Records};
use trail::Trail;

/// The event of a merge in the trail.
const EVENT: &str = "memory_stores_merged";

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The store that has everything now.
    pub target: StoreName,
    /// How many files came into it.
    pub files: u64,
    /// Whether it took the other one's label.
    pub label_moved: bool,
    /// Whether it took the other one's folder on this machine, having none itself.
    pub root_moved: bool,
    /// All project ids that it stands for beside its own.
    pub aliases: Vec<String>,
}

impl Memory {
    /// Merges `source` into `target`; the source's folder is gone afterwards.
    ///
    /// # Errors
    ///
    /// The global store, or one store twice; no such store; files that cannot be moved, which then
    /// are where they were.
    pub fn merge(
        &self,
        source: &StoreName,
        target: &StoreName,
        author: &Author,
        now: Timestamp,
    ) -> Result<Merged> {
        for (field, store) in [("source", source), ("target", target)] {
            if *store == StoreName::Global {
                let reason = "must be a project's store; the global one never merges".to_owned();
                return Err(Error::Invalid { field, reason });
            }
        }
        if source == target {
            let reason = "must be another store than `source`".to_owned();
            return Err(Error::Invalid { field: "target", reason });
        }
        let _one = locked(&self.0.merging);
        self.finish_recorded();
        for store in [source, target] {
            self.store_file(store)?.ok_or_else(|| Error::StoreNotFound(store.to_string()))?;
        }
        let record = Record::new(source, target, author.name(), now);
        let records = Records::of(&self.0.home)?;
        records.add(&record)?;
        match self.carry_out(&record) {
            Ok(merged) => self.conclude(&records, &record, merged),
            Err((error, is_undone)) => {
                if is_undone {
                    records.remove(&record)?;
                }
                Err(error)
            }
        }
    }

    /// Finishes what a dead process began: merges, and topics that took an item in. What cannot be
    /// finished now waits.
    pub(crate) fn finish_begun(&self) {
        self.finish_curating();
        let _one = locked(&self.0.merging);
        self.finish_recorded();
    }

    /// Merges that wait to be finished, source and target of each; none of them runs just now.
    pub(crate) fn waiting_merges(&self) -> Result<Vec<(StoreName, StoreName)>> {
        let _one = locked(&self.0.merging);
        let waiting = Records::of(&self.0.home)?.all()?;
        Ok(waiting.into_iter().map(|record| (record.source, record.target)).collect())
    }

    fn finish_recorded(&self) {
        let finished = Records::of(&self.0.home).and_then(|records| {
            for record in records.all()? {
                let merged = self.carry_out(&record).map_err(|(error, _)| error)?;
                self.conclude(&records, &record, merged)?;
                let Record { source, target, .. } = &record;
                tracing::info!(%source, %target, "a merge that was cut off is finished");
            }
            Ok(())
        });
        if let Err(error) = finished {
            tracing::warn!(%error, "stores that were to be merged wait");
        }
    }

    /// Moves everything, while nobody else writes in either store; with an error comes whether the
    /// steps that were done are taken back.
    fn carry_out(&self, record: &Record) -> std::result::Result<Merged, (Error, bool)> {
        let mut is_undone = true;
        let (source, target) = (self.store_ref(&record.source), self.store_ref(&record.target));
        // Always in the same order, as everybody who needs two stores.
        let (first, second) =
            if source.root < target.root { (&source, &target) } else { (&target, &source) };
        let merged = self.knowledge().alone(first, || {
            self.knowledge().alone(second, || {
                let into = target.found()?;
                let into = into.ok_or_else(|| Error::StoreNotFound(record.target.to_string()))?;
                let mut merged = self.merged_before(record);
                if let Some(from) = source.found()? {
                    let mut trail = Trail::new(&from, &into);
                    let done = self
                        .take_in(record, &mut trail)
                        .and_then(|taken| self.dissolve(record).map(|()| taken));
                    merged = done.inspect_err(|_| is_undone = undone(&trail))?;
                }
                Ok(merged)
            })
        });
        merged.map_err(|error| (error, is_undone))
    }

    /// What there is to say of a merge whose source is gone already.
    fn merged_before(&self, record: &Record) -> Merged {
        let file = self.store_file(&record.target).ok().flatten().unwrap_or_default();
        Merged {
            target: record.target.clone(),
            files: 0,
            label_moved: false,
            root_moved: false,
            aliases: file.merged_identities,
        }
    }

    /// Identity first, which may be refused, then the files.
    fn take_in(&self, record: &Record, trail: &mut Trail<'_>) -> Result<Merged> {
        let theirs = self.store_file(&record.source)?.unwrap_or_default();
        let (mut label_moved, mut root_moved) = (false, false);
        let changed =
            self.changed_store_file(&record.target, trail.target(), record.at, |file| {
                label_moved = file.label.is_none() && theirs.label.is_some();
                root_moved = file.roots_here().is_empty() && !theirs.roots_here().is_empty();
                join(file, theirs, record);
            })?;
        trail.write("store.yaml", changed.before, changed.text.as_bytes())?;
        let mut carrier = Carrier::new(record.source.project_id(), record.at);
        carrier.carry_all(trail)?;
        trail.flush()?;
        let aliases = changed.file.merged_identities;
        let target = record.target.clone();
        Ok(Merged { target, files: carrier.taken(), label_moved, root_moved, aliases })
    }

    /// Takes what is left of the source's folder away.
    fn dissolve(&self, record: &Record) -> Result<()> {
        let source = self.store_ref(&record.source);
        let trash = self.0.home.trash();
        match (discard(&source.root, &trash, record.at), source.found()) {
            // It is moved, and only not flushed.
            (Err(_), Ok(None)) => {
                Dir::open(&trash)?.sync()?;
                Dir::open(&self.0.home.projects())?.sync()
            }
            (discarded, _) => discarded,
        }
    }

    /// The files are merged: the index follows, and the record ends. An index that cannot takes
    /// nothing back; the record stays for it.
    fn conclude(&self, records: &Records, record: &Record, merged: Merged) -> Result<Merged> {
        locked(&self.0.files).remove(&record.source);
        locked(&self.0.learned).remove(&record.source);
        match self.follow(record) {
            Ok(()) => {
                self.audit_once(record, &merged);
                records.remove(record)?;
            }
            Err(error) => tracing::warn!(%error, "the index lags behind a merge"),
        }
        self.changed(&record.source);
        self.changed(&record.target);
        Ok(merged)
    }

    fn follow(&self, record: &Record) -> Result<()> {
        let (source, target) = (self.store_ref(&record.source), self.store_ref(&record.target));
        self.knowledge().forget(&source);
        let forgotten = self.knowledge().index().write(|tx| {
            forget_resource(tx, &source.scope)?;
            forget_store(tx, &source.scope)
        });
        match forgotten {
            // A new one knows nothing of the source.
            Err(Failure::Replaced(_)) => {}
            other => other.map_err(Error::index)?,
        }
        self.knowledge().reconcile(&target)?;
        self.mirror_all().map(drop)
    }

    /// One row in the trail for each merge, also where it was finished after a crash.
    fn audit_once(&self, record: &Record, merged: &Merged) {
        let filter = HistoryFilter {
            limit: 100,
            event: Some(EVENT.to_owned()),
            store: Some(record.target.to_string()),
            ..HistoryFilter::default()
        };
        let rows = self.knowledge().read(|db| audit(db, &filter)).unwrap_or_default();
        if rows.iter().all(|row| row.at != record.at) {
            let ids = [record.source.project_id()];
            let author = Author::agent(&record.actor);
            let mut row = audit_row(EVENT, &author, &record.target, &ids, record.at);
            row.counts.insert("files".to_owned(), merged.files.cast_signed());
            self.audit(&row);
        }
    }
}

fn undone(trail: &Trail<'_>) -> bool {
    let taken_back = trail.undo();
    if let Err(error) = &taken_back {
        tracing::warn!(%error, "a merge that failed is finished at the next start");
    }
    taken_back.is_ok()
}

/// What the target's file takes from the source's: whatever it lacks itself, and all identities.
fn join(file: &mut StoreFile, theirs: StoreFile, record: &Record) {
    file.label = file.label.take().or(theirs.label);
    file.description = file.description.take().or(theirs.description);
    file.remote = file.remote.take().or(theirs.remote);
    file.root_commit = file.root_commit.take().or(theirs.root_commit);
    for (host, theirs) in theirs.project_roots {
        let ours = file.project_roots.entry(host).or_default();
        let mut roots: Vec<_> = theirs.into_iter().filter(|root| !ours.contains(root)).collect();
        // The latest stands last, and that stays the target's.
        roots.append(ours);
        *ours = roots;
    }
    let gone = std::iter::once(record.source.project_id().to_owned());
    for id in gone.chain(theirs.merged_identities) {
        let is_own = id.eq_ignore_ascii_case(record.target.project_id());
        if !is_own && !file.merged_identities.contains(&id) {
            file.merged_identities.push(id);
        }
    }
}
