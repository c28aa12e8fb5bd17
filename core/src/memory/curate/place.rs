//! An item that finds its place: the file that takes it in is written, and it is retired; both, or neither.
//! After a crash between them the next start does the rest, and so does the next pass.

use std::path::Path;

use coffer_domain::id::sha256;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::Item;
use super::record::Pending;
use crate::error::Result;
use crate::index::Change;
use crate::knowledge::StoreRef;
use crate::memory::Memory;
use crate::vault::Expect;

impl Memory {
    /// Has a file written that takes an item in, by its path and its text before and after, and retires the
    /// item. For callers that hold the store and have seen that the item still is what it was.
    pub(super) fn place_item(
        &self,
        at: &StoreRef,
        item: &Item,
        (path, before, text): (&str, Option<&[u8]>, &str),
        now: Timestamp,
        write: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let retired = StorePaths::retired(&item.path, now);
        let (to, name) = at.place(&retired)?;
        // Whether there can be such a name: a long one has no room for the time behind it.
        to.holds(name)?;
        let pending = Pending::new(at, (path, text), (&item.path, &item.bytes), now);
        let pending = pending.begin(&self.0.home)?;
        let written = write();
        let is_written = written.is_ok();
        let placed = written
            .and_then(|()| self.retire_item(at, &item.path, |bytes| bytes == item.bytes, now));
        let Err(error) = placed else {
            pending.forget();
            return Ok(());
        };
        // Either may have been done all the same, where only flushing it failed. What fails here, too, leaves
        // the record for the next pass.
        self.knowledge().look_again(at);
        let is_there = at.dir()?.stat_at(&item.path)?.is_some();
        if is_there {
            self.take_back(at, path, before, text)?;
        }
        pending.forget();
        if is_there || !is_written { Err(error) } else { Ok(()) }
    }

    /// Has a file say again what it said before, if it says something else now, so that an item that stays in
    /// the inbox stands nowhere twice.
    fn take_back(
        &self,
        at: &StoreRef,
        path: &str,
        before: Option<&[u8]>,
        text: &str,
    ) -> Result<()> {
        let (dir, name) = at.place(path)?;
        if dir.read(name)?.is_none_or(|file| file.bytes != text.as_bytes()) {
            return Ok(());
        }
        match before {
            Some(before) => drop(dir.write(name, before, Expect::Version(text.as_bytes()))?),
            None => drop(dir.withdraw(name, text.as_bytes())?),
        }
        Ok(())
    }

    /// Moves an item that found its place to `superseded/`, if it still is the one.
    fn retire_item(
        &self,
        at: &StoreRef,
        path: &str,
        is_its: impl Fn(&[u8]) -> bool,
        now: Timestamp,
    ) -> Result<()> {
        if self.move_away(at, path, is_its, now)? {
            self.knowledge().commit(at, vec![Change::Remove(path.to_owned())], Vec::new());
        }
        Ok(())
    }

    /// Moves a file to `superseded/`. One that somebody changed at the last moment is put back, and it
    /// says so. For callers that hold the store.
    pub(super) fn move_away(
        &self,
        at: &StoreRef,
        path: &str,
        is_its: impl Fn(&[u8]) -> bool,
        now: Timestamp,
    ) -> Result<bool> {
        let (from, name) = at.place(path)?;
        let retired = StorePaths::retired(path, now);
        let (to, new_name) = at.place(&retired)?;
        from.rename(name, &to, new_name)?;
        let is_its = to.read(new_name)?.is_some_and(|file| is_its(&file.bytes));
        // Where another file stands there by now, this one stays where it is kept.
        Ok(is_its || to.rename(new_name, &from, name).is_err())
    }

    /// Finishes what a dead process began: an item whose place was written is retired.
    pub(crate) fn finish_curating(&self) {
        for begun in Pending::all(&self.0.home) {
            match self.finish_placing(&begun.pending) {
                Ok(()) => begun.forget(),
                Err(error) => tracing::warn!(%error, "an item that found its place waits"),
            }
        }
    }

    fn finish_placing(&self, pending: &Pending) -> Result<()> {
        let Some(store) = self.store_at(&pending.root)? else { return Ok(()) };
        let at = self.store_ref(&store);
        self.knowledge().exclusively(&at, || {
            let place = self.read_file(&store, &pending.path)?;
            let is_written = place.is_some_and(|file| file.sha256() == pending.sha256);
            let is_its = |bytes: &[u8]| sha256(bytes) == pending.item_sha256;
            let item = self.read_file(&store, &pending.item)?;
            if is_written && item.is_some_and(|file| is_its(&file.bytes)) {
                self.retire_item(&at, &pending.item, is_its, pending.at())?;
            }
            Ok(())
        })
    }

    /// The store in a folder.
    fn store_at(&self, root: &Path) -> Result<Option<StoreName>> {
        Ok(self.stores()?.into_iter().find(|store| store.dir == root).map(|store| store.name))
    }
}
