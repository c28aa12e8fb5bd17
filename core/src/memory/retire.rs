//! Retiring files of the lanes beside knowledge, and the log that says so.

use coffer_domain::fact::Author;
use coffer_domain::store::{StoreName, is_indexed};
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::index::Change;
use crate::vault::{Expect, on_fresh_text};

/// The log's path in a store.
pub(super) const LOG: &str = "consolidation-log.md";

impl Memory {
    /// Retires all rules.
    ///
    /// # Errors
    ///
    /// No rules; files that cannot be moved.
    pub fn delete_rules(&self, store: &StoreName, author: &Author, now: Timestamp) -> Result<()> {
        let paths = self.rules(store)?;
        let paths: Vec<String> =
            paths.into_iter().map(|file| format!("rules/{}", file.name)).collect();
        self.retire(store, &paths, "rules", author, now)
    }

    /// Retires a day of the journal, `YYYY-MM-DD`.
    ///
    /// # Errors
    ///
    /// No such day; a file that cannot be moved.
    pub fn delete_journal(
        &self,
        store: &StoreName,
        period: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let days = self.journal(store)?;
        let is_there = days.iter().any(|day| day.name == format!("{period}.md"));
        let paths: Vec<String> = is_there.then(|| StorePaths::day(period)).into_iter().collect();
        self.retire(store, &paths, period, author, now)
    }

    /// Retires the working state of a branch, by its exact name.
    ///
    /// # Errors
    ///
    /// No such branch; a file that cannot be moved.
    pub fn delete_handoff(
        &self,
        store: &StoreName,
        branch: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let scenes = self.handoffs(store)?;
        let paths: Vec<String> = scenes
            .iter()
            .filter(|scene| scene.scene.branch == branch)
            .filter_map(|scene| self.paths(store).relative(&scene.path))
            .collect();
        self.retire(store, &paths, branch, author, now)
    }

    /// Retires the log itself.
    ///
    /// # Errors
    ///
    /// No log; a file that cannot be moved.
    pub fn delete_log(&self, store: &StoreName, author: &Author, now: Timestamp) -> Result<()> {
        let paths: Vec<String> =
            self.consolidation_log(store)?.text.map(|_| LOG.to_owned()).into_iter().collect();
        self.retire(store, &paths, LOG, author, now)
    }

    /// Moves files to `superseded/`, together; `asked` is what a person called them.
    fn retire(
        &self,
        store: &StoreName,
        paths: &[String],
        asked: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        if paths.is_empty() {
            let (store, name) = (store.to_string(), asked.to_owned());
            return Err(Error::LaneFileNotFound { store, name });
        }
        let at = self.store_ref(store);
        self.knowledge().exclusively(&at, || {
            let moves: Vec<(String, String)> =
                paths.iter().map(|path| (path.clone(), StorePaths::retired(path, now))).collect();
            let id = format!("retire-{store}-{}", now.compact());
            self.0.intents.carry_out(&id, &at.root, moves)?;
            let ids: Vec<&str> = paths.iter().map(String::as_str).collect();
            let audit = audit_row("memory_deleted", author, store, &ids, now);
            let indexed = paths.iter().filter(|path| is_indexed(path));
            let changes = indexed.cloned().map(Change::Remove).collect();
            self.knowledge().commit(&at, changes, vec![audit]);
            Ok(())
        })?;
        for path in paths.iter().filter(|path| *path != LOG) {
            self.log(store, &format!("deleted `{path}`"), author, now)?;
        }
        self.changed(store);
        Ok(())
    }

    /// Appends a line to the consolidation log.
    pub(super) fn log(
        &self,
        store: &StoreName,
        what: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let line = format!("- {} · {} {what}\n", now.whole_second(), author.name());
        let at = self.store_ref(store);
        on_fresh_text(|| {
            self.knowledge().exclusively(&at, || {
                let dir = at.dir()?;
                let before = dir.read(LOG)?;
                let mut text = before.as_ref().map_or_else(Vec::new, |file| file.bytes.clone());
                if !text.is_empty() && !text.ends_with(b"\n") {
                    text.push(b'\n');
                }
                text.extend(line.bytes());
                dir.write(LOG, &text, Expect::as_read(before.as_ref())).map(drop)
            })
        })
    }
}
