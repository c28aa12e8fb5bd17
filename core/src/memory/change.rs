//! Editing and deleting a fact. The version before goes to `superseded/` first.

use coffer_domain::fact::{Author, checked_label, checked_text};
use coffer_domain::frontmatter;
use coffer_domain::id::Id;
use coffer_domain::store::{Lane, StoreName};
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::{Fact, Memory, audit_row, fact_not_found};
use crate::error::{Error, Result};
use crate::index::{Change, document};
use crate::vault::{Expect, File};

/// A change of a fact; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct FactChange {
    /// The new text.
    pub text: Option<String>,
    /// The new title.
    pub title: Option<String>,
    /// The new description; empty removes it.
    pub description: Option<String>,
    /// SHA-256 of the file that the change is based on.
    pub if_sha256: Option<String>,
}

impl Memory {
    /// Changes a fact or topic document in place; only what must change in the file does.
    ///
    /// # Errors
    ///
    /// No such fact; a journal; a header that does not parse; another version than the expected
    /// one; a text that the store does not take.
    pub fn edit(
        &self,
        store: &StoreName,
        id: &Id,
        change: &FactChange,
        author: &Author,
        now: Timestamp,
    ) -> Result<Fact> {
        let at = self.store_ref(store);
        let max = self.config_of(store)?.max_fact_chars as usize;
        let change = checked(change, max)?;
        // Bring the index up first: the lock below is the one that a comparison needs.
        self.find(store, id)?;
        let fact = self.knowledge().exclusively(&at, || {
            let (path, file) = self.editable(store, id)?;
            let sha256 = file.sha256();
            self.expect_version(store, &path, &sha256, change.if_sha256.as_deref())?;
            let text = self.changed_text(store, &path, &file, &change, now)?;
            if text.as_bytes() == file.bytes {
                return Ok(self.read_fact(store, &path, &file, id.clone()));
            }
            self.archive(store, &path, &file, now)?;
            let audit = audit_row("memory_updated", author, store, &[id.as_str()], now);
            let expect = Expect::Version(&file.bytes);
            let written = self.knowledge().write(&at, &path, text.as_bytes(), expect, audit)?;
            Ok(self.read_fact(store, &path, &written.file, id.clone()))
        })?;
        self.document_changed(store, id);
        Ok(fact)
    }

    /// Takes a fact out of the store; its file stands in `superseded/` from then on.
    ///
    /// # Errors
    ///
    /// No such fact; a journal; files that cannot be moved.
    pub fn delete(
        &self,
        store: &StoreName,
        id: &Id,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let at = self.store_ref(store);
        self.find(store, id)?;
        self.knowledge().exclusively(&at, || {
            let (path, _) = self.editable(store, id)?;
            let (from, name) = at.place(&path)?;
            let retired = StorePaths::retired(&path, now);
            let (to, new_name) = at.place(&retired)?;
            from.rename(name, &to, new_name)?;
            let audit = audit_row("memory_deleted", author, store, &[id.as_str()], now);
            self.knowledge().commit(&at, vec![Change::Remove(path)], vec![audit]);
            Ok(())
        })?;
        self.document_changed(store, id);
        Ok(())
    }

    /// The path and file of a document that may be changed.
    fn editable(&self, store: &StoreName, id: &Id) -> Result<(String, File)> {
        let at = self.store_ref(store);
        let row = self.knowledge().read(|db| document(db, &at.scope, id))?;
        let row = row.ok_or_else(|| fact_not_found(store, id))?;
        if Lane::of_path(&row.path) != Some(Lane::Knowledge) {
            let path = self.absolute(store, &row.path);
            let reason = "a journal is appended to, never edited through Coffer".to_owned();
            return Err(Error::NotEditable { path, reason });
        }
        let file = self.read_file(store, &row.path)?;
        Ok((row.path, file.ok_or_else(|| fact_not_found(store, id))?))
    }

    fn expect_version(
        &self,
        store: &StoreName,
        path: &str,
        current: &str,
        expected: Option<&str>,
    ) -> Result<()> {
        match expected {
            Some(expected) if expected != current => Err(Error::VersionConflict {
                path: self.absolute(store, path),
                current_sha256: current.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn changed_text(
        &self,
        store: &StoreName,
        path: &str,
        file: &File,
        change: &FactChange,
        now: Timestamp,
    ) -> Result<String> {
        let refused =
            |reason: String| Error::NotEditable { path: self.absolute(store, path), reason };
        let text = std::str::from_utf8(&file.bytes)
            .map_err(|_| refused("its text is not UTF-8".to_owned()))?;
        let body = match &change.text {
            Some(body) if frontmatter::split(text).body_text() != body => {
                frontmatter::replace_body(text, body)
            }
            _ => text.to_owned(),
        };
        let mut fields: Vec<(&str, Option<&str>)> = Vec::new();
        fields.extend(change.title.as_deref().map(|title| ("title", Some(title))));
        fields.extend(
            change
                .description
                .as_deref()
                .map(|text| ("description", Some(text).filter(|text| !text.is_empty()))),
        );
        let (known, problem) = frontmatter::parse(&body);
        fields.retain(|(key, value)| known.get_str(key) != *value);
        let stamp = now.whole_second().to_string();
        let changes = body != text || !fields.is_empty();
        if changes && problem.is_none() && known.get_str("updated_at").is_some() {
            fields.push(("updated_at", Some(&stamp)));
        }
        if fields.is_empty() {
            return Ok(body);
        }
        frontmatter::set_fields(&body, &fields).map_err(|problem| {
            refused(format!("its frontmatter does not parse ({problem}); mend it in an editor"))
        })
    }

    /// Keeps the bytes of a version that is about to be replaced.
    pub(super) fn archive(
        &self,
        store: &StoreName,
        path: &str,
        file: &File,
        now: Timestamp,
    ) -> Result<()> {
        let retired = StorePaths::retired(path, now);
        let (dir, name) = self.store_ref(store).place(&retired)?;
        dir.write(name, &file.bytes, Expect::Absent).map(|_| ())
    }

    /// The absolute path of one below a store.
    pub(crate) fn absolute(&self, store: &StoreName, path: &str) -> std::path::PathBuf {
        let paths = self.paths(store);
        paths.resolve(path).unwrap_or_else(|| paths.root().to_owned())
    }
}

fn checked(change: &FactChange, max_chars: usize) -> Result<FactChange> {
    let text = change.text.as_deref().map(|text| checked_text(text, max_chars)).transpose()?;
    let title = change.title.as_deref().map(|title| checked_label("title", title)).transpose()?;
    let description = match change.description.as_deref().map(str::trim) {
        Some("") => Some(String::new()),
        Some(text) => Some(checked_label("description", text)?),
        None => None,
    };
    Ok(FactChange { text, title, description, if_sha256: change.if_sha256.clone() })
}
