//! Clearing a store: all facts and topic documents retire together.

use coffer_domain::fact::Author;
use coffer_domain::store::{Lane, StoreName};
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::{Memory, audit_row};
use crate::error::Result;
use crate::index::{Change, known};

impl Memory {
    /// Moves every fact and topic document to `superseded/`; returns how many. A crash on the way
    /// is finished at the next start. The store and its other lanes stay.
    ///
    /// # Errors
    ///
    /// Files that cannot be moved.
    pub fn clear(&self, store: &StoreName, author: &Author, now: Timestamp) -> Result<u64> {
        let at = self.store_ref(store);
        let rows = self.knowledge().fresh(&at, |db| known(db, &at.scope))?;
        let mut paths: Vec<String> = rows.into_keys().collect();
        paths.retain(|path| Lane::of_path(path) == Some(Lane::Knowledge));
        paths.sort_unstable();
        if paths.is_empty() {
            return Ok(0);
        }
        let cleared = paths.len() as u64;
        let _in_flight = self.knowledge().in_flight(&at, paths.clone());
        self.knowledge().exclusively(&at, || {
            let moves: Vec<(String, String)> =
                paths.iter().map(|path| (path.clone(), StorePaths::retired(path, now))).collect();
            let id = format!("clear-{store}-{}", now.compact());
            self.0.intents.carry_out(&id, &at.root, moves)?;
            let mut audit = audit_row("memory_cleared", author, store, &[], now);
            audit.counts.insert("cleared".to_owned(), cleared.cast_signed());
            let changes = paths.into_iter().map(Change::Remove).collect();
            self.knowledge().commit(&at, changes, vec![audit]);
            Ok(())
        })?;
        self.changed(store);
        Ok(cleared)
    }
}
