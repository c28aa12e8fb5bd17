//! Writing a topic, with the item that it takes in.

use coffer_domain::frontmatter::{self, Field};
use coffer_domain::slug;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::record::Pending;
use super::{Applied, Item, Topic, is_topic, stem, topic_path};
use crate::error::{Error, Result};
use crate::index::Change;
use crate::knowledge::StoreRef;
use crate::memory::{Memory, audit_row, organizer};
use crate::vault::{Expect, File, walk};

/// Longest slug of a topic, in bytes.
const SLUG_BYTES: usize = 60;
/// How often a slug is suffixed.
const SUFFIXES: u32 = 1_000;

/// What a topic is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TopicText {
    /// One line.
    pub title: String,
    /// One line; may be empty.
    pub description: String,
    /// Markdown.
    pub text: String,
}

impl Memory {
    /// A slug for a new topic: what is wanted, made safe, and suffixed where a file has it.
    pub(crate) fn free_slug(&self, store: &StoreName, wanted: &str) -> Result<String> {
        let wanted = slug::slug(wanted.strip_suffix(".md").unwrap_or(wanted), SLUG_BYTES);
        let taken: Vec<String> = match self.store_ref(store).found()? {
            Some(dir) => walk(&dir, &["knowledge"], is_topic).files,
            None => Vec::new(),
        }
        .iter()
        .map(|found| stem(&found.path).to_lowercase())
        .collect();
        // Where case makes no difference, `index.md` is the list of topics.
        let is_free = |slug: &String| slug != "index" && !taken.contains(slug);
        let suffixed = (2..SUFFIXES).map(|number| format!("{wanted}-{number}"));
        let free = std::iter::once(wanted.clone()).chain(suffixed).find(is_free);
        free.ok_or_else(|| Error::Internal(format!("every slug like `{wanted}` is taken")))
    }

    /// Writes a topic, new or in the place of the version that was read, and retires the item that it
    /// takes in: both, or neither; after a crash between them the next start does the rest.
    pub(crate) fn put_topic(
        &self,
        store: &StoreName,
        (slug, before): (&str, Option<&Topic>),
        topic: &TopicText,
        item: Option<&Item>,
        now: Timestamp,
    ) -> Result<Applied> {
        let at = self.store_ref(store);
        let path = topic_path(slug);
        let text = rendered(&path, before, topic, now)
            .map_err(|reason| Error::NotEditable { path: self.absolute(store, &path), reason })?;
        let is_done = self.knowledge().exclusively(&at, || {
            let is_still = self.is_still(store, &path, before.map(|topic| &topic.bytes[..]))?
                && item
                    .map_or(Ok(true), |item| self.is_still(store, &item.path, Some(&item.bytes)))?;
            if is_still {
                self.write_topic(store, &at, &path, &text, item, now)?;
            }
            Ok(is_still)
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        let verb = if before.is_some() { "updated" } else { "created" };
        let from = item.map(|item| format!(" from `{}`", item.path)).unwrap_or_default();
        self.note(store, &format!("{verb} `{path}`{from}"), now)?;
        Ok(Applied::Done(path))
    }

    fn write_topic(
        &self,
        store: &StoreName,
        at: &StoreRef,
        path: &str,
        text: &str,
        item: Option<&Item>,
        now: Timestamp,
    ) -> Result<()> {
        let present = self.read_file(store, path)?;
        if let Some(present) = &present {
            self.archive(store, path, present, now)?;
        }
        let pending = item.map(|item| Pending::new(at, path, text, &item.path, now));
        let pending = pending.map(|pending| pending.begin(&self.0.home)).transpose()?;
        let expect = Expect::as_read(present.as_ref());
        let audit = audit_row("memory_updated", &organizer(), store, &[path], now);
        let written = self.knowledge().write(at, path, text.as_bytes(), expect, audit);
        if let Some(item) = item.filter(|_| written.is_ok()) {
            self.retire_item(at, &item.path, now)?;
        }
        if let Some(pending) = pending {
            pending.end()?;
        }
        written.map(drop)
    }

    /// Retires a topic that was read, if it is still the same.
    pub(crate) fn retire_topic(
        &self,
        store: &StoreName,
        topic: &Topic,
        reason: &str,
        now: Timestamp,
    ) -> Result<Applied> {
        let (at, path) = (self.store_ref(store), topic.path());
        let is_done = self.knowledge().exclusively(&at, || {
            let is_still = self.is_still(store, &path, Some(&topic.bytes))?;
            if is_still {
                let (from, name) = at.place(&path)?;
                let retired = coffer_env::StorePaths::retired(&path, now);
                let (to, new_name) = at.place(&retired)?;
                from.rename(name, &to, new_name)?;
                let audit = audit_row("memory_deleted", &organizer(), store, &[&path], now);
                self.knowledge().commit(&at, vec![Change::Remove(path.clone())], vec![audit]);
            }
            Ok(is_still)
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        let reason: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let reason: String = reason.chars().take(200).collect();
        self.note(store, &format!("superseded `{path}`: {reason}"), now)?;
        Ok(Applied::Done(path))
    }

    /// Finishes what a dead process began: an item whose topic was written is retired.
    pub(crate) fn finish_curating(&self) {
        for pending in Pending::all(&self.0.home) {
            let finished = self.finish_topic(&pending.pending);
            match finished.and_then(|()| pending.end()) {
                Ok(()) => {}
                Err(error) => tracing::warn!(%error, "an item that found its place waits"),
            }
        }
    }

    fn finish_topic(&self, pending: &Pending) -> Result<()> {
        let Some(store) = self.store_at(&pending.root)? else { return Ok(()) };
        let at = self.store_ref(&store);
        self.knowledge().exclusively(&at, || {
            let topic = self.read_file(&store, &pending.topic)?;
            let is_written = topic.is_some_and(|file: File| file.sha256() == pending.sha256);
            if is_written && self.read_file(&store, &pending.item)?.is_some() {
                self.retire_item(&at, &pending.item, pending.at())?;
            }
            Ok(())
        })
    }

    /// The store in a folder.
    fn store_at(&self, root: &std::path::Path) -> Result<Option<StoreName>> {
        Ok(self.stores()?.into_iter().find(|store| store.dir == root).map(|store| store.name))
    }
}

/// The file of a topic: a new one, or the one before with what must change changed.
fn rendered(
    path: &str,
    before: Option<&Topic>,
    topic: &TopicText,
    now: Timestamp,
) -> Result<String, String> {
    let TopicText { title, description, text } = topic;
    let stamp = now.whole_second().to_string();
    let Some(before) = before else {
        let mut fields = vec![("title", Field::Text(title))];
        fields
            .extend((!description.is_empty()).then_some(("description", Field::Text(description))));
        fields.push(("updated_at", Field::Text(&stamp)));
        return Ok(frontmatter::render(&fields, text));
    };
    let old = std::str::from_utf8(&before.bytes).map_err(|_| "its text is not UTF-8".to_owned())?;
    let body = frontmatter::replace_body(old, text);
    let description = Some(description.as_str()).filter(|text| !text.is_empty());
    let mut fields = vec![("title", Some(title.as_str())), ("updated_at", Some(stamp.as_str()))];
    // What the model leaves out is not taken away.
    fields.extend(description.map(|text| ("description", Some(text))));
    frontmatter::set_fields(&body, &fields).map_err(|problem| {
        format!("the frontmatter of `{path}` does not parse ({problem}); mend it in an editor")
    })
}
