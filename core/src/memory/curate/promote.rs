//! A pattern of the journal becomes an item of the inbox, once.

use coffer_domain::fact::{Author, NewFact};
use coffer_domain::id::Id;
use coffer_domain::journal::Entry;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::stem;
use crate::error::Result;
use crate::memory::{Memory, audit_row};
use crate::vault::{Expect, walk};

impl Memory {
    /// Puts what an entry says into the inbox, as an agent's, with the days that it recurred on. A pattern
    /// that was put there before is not put there again, even where its item found its place.
    pub(crate) fn promote(
        &self,
        store: &StoreName,
        entry: &Entry,
        days: &[String],
        now: Timestamp,
    ) -> Result<()> {
        let id = Id::of_import("journal", &store.to_string(), &entry.text());
        let path = StorePaths::fact(&entry.title, id.as_str());
        if self.is_promoted(store, &path)? {
            return Ok(());
        }
        let max = self.config_of(store)?.max_fact_chars as usize;
        let text = format!("{}\n\nIn the journal on {}.", entry.body, days.join(", "));
        let title = Some(entry.title.as_str()).filter(|title| !title.is_empty());
        let fact = NewFact::new(&text, title, None, None, max)?;
        let author = Author::agent("journal");
        let file = fact.render(&id, &author, now);
        let audit = audit_row("memory_added", &author, store, &[id.as_str()], now);
        let at = self.store_ref(store);
        self.knowledge().write(&at, &path, file.as_bytes(), Expect::Absent, audit)?;
        self.document_changed(store, &id);
        Ok(())
    }

    /// Whether the item of a pattern stands in the inbox, or stood there.
    fn is_promoted(&self, store: &StoreName, path: &str) -> Result<bool> {
        let Some(dir) = self.store_ref(store).found()? else { return Ok(false) };
        if dir.stat_at(path)?.is_some() {
            return Ok(true);
        }
        let origin = |name: &str| {
            let (origin, _) = StorePaths::origin(name.strip_prefix("superseded/")?)?;
            Some(origin)
        };
        let wanted = stem(path).to_owned();
        let is_its = |name: &str| origin(name).is_some_and(|origin| stem(&origin) == wanted);
        Ok(!walk(&dir, &["superseded"], is_its).files.is_empty())
    }
}
