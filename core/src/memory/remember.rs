//! Remember: a new fact, written and flushed before the caller hears of it.

use std::path::Path;

use coffer_domain::fact::{Author, NewFact};
use coffer_domain::id::Id;
use coffer_domain::similar;
use coffer_domain::store::StoreName;
use coffer_env::StorePaths;
use coffer_env::clock::Stamp;

use super::redact::Redacted;
use super::{Fact, Memory, audit_row};
use crate::error::Result;
use crate::index;
use crate::vault::Expect;

/// At most so many near-duplicates are reported.
const REPORTED: usize = 5;

/// What a caller wants to be remembered.
#[derive(Debug, Clone, Copy, Default)]
pub struct FactIn<'a> {
    /// The fact, Markdown.
    pub text: &'a str,
    /// A short title.
    pub title: Option<&'a str>,
    /// One line on what it says.
    pub description: Option<&'a str>,
    /// The session that it comes from.
    pub origin_session_id: Option<&'a str>,
    /// The project's main folder, for a store that the write has to make.
    pub project_root: Option<&'a Path>,
}

/// A fact that says nearly the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Similar {
    /// Its id.
    pub id: Id,
    /// Its title.
    pub title: String,
}

/// A fact that is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// As written.
    pub fact: Fact,
    /// Facts that say nearly the same; nothing was merged.
    pub similar: Vec<Similar>,
    /// Whether recall finds it already; if not, the next read heals it.
    pub indexed: bool,
    /// What was taken out of it.
    pub redacted: Redacted,
}

impl Memory {
    /// Writes a new fact into the store's inbox, without the secrets in it. The first write makes the
    /// store; a store that was merged into another one is that other one.
    ///
    /// # Errors
    ///
    /// A text that the store does not take; a file that cannot be written.
    pub fn remember(
        &self,
        store: &StoreName,
        fact: FactIn<'_>,
        author: &Author,
        stamp: Stamp,
    ) -> Result<Remembered> {
        let into = self.living(store)?;
        match self.remember_in(&into, fact, author, stamp.clone()) {
            // The store may have been merged into another one between the question and the write.
            Err(error) => match self.living(&into)? {
                heir if heir != into => self.remember_in(&heir, fact, author, stamp),
                _ => Err(error),
            },
            done => done,
        }
    }

    fn remember_in(
        &self,
        store: &StoreName,
        fact: FactIn<'_>,
        author: &Author,
        stamp: Stamp,
    ) -> Result<Remembered> {
        let max = self.config_of(store)?.max_fact_chars as usize;
        let FactIn { text, title, description, origin_session_id, project_root } = fact;
        let mut redacted = Redacted::new();
        let text = self.redact("text", text, &mut redacted)?;
        let title = self.redact_any("title", title, &mut redacted)?;
        let description = self.redact_any("description", description, &mut redacted)?;
        let new =
            NewFact::new(&text, title.as_deref(), description.as_deref(), origin_session_id, max)?;
        self.provision(store, project_root, author, stamp.now)?;
        let similar = self.similar(store, &new.text);
        let path = StorePaths::fact(&new.title, stamp.id.as_str());
        let file = new.render(&stamp.id, author, stamp.now);
        let audit = audit_row("memory_added", author, store, &[stamp.id.as_str()], stamp.now);
        let at = self.store_ref(store);
        let written = self.knowledge().write(&at, &path, file.as_bytes(), Expect::Absent, audit)?;
        self.document_changed(store, &stamp.id);
        let fact = self.read_fact(store, &path, &written.file, stamp.id);
        Ok(Remembered { fact, similar, indexed: written.indexed, redacted })
    }

    /// Facts whose words are nearly those of a text. A report only: an index that cannot answer
    /// does not hold up a write.
    fn similar(&self, store: &StoreName, text: &str) -> Vec<Similar> {
        let bands = similar::signature(text);
        let scope = self.store_ref(store).scope;
        let found = self.knowledge().read(|db| index::similar(db, &scope, &bands));
        let mut alike: Vec<(f64, Similar)> = found
            .unwrap_or_default()
            .into_iter()
            .map(|(id, title, other)| (similar::resemblance(text, &other), Similar { id, title }))
            .filter(|(resemblance, _)| *resemblance >= similar::SIMILAR)
            .collect();
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
        alike.into_iter().take(REPORTED).map(|(_, similar)| similar).collect()
    }
}
