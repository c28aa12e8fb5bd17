//! Writing a topic, with the item that it takes in.

use coffer_domain::frontmatter::{self, Field};
use coffer_domain::slug;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::{Applied, Item, Topic, stem, topic_path};
use crate::error::{Error, Result};
use crate::index::Change;
use crate::memory::{Memory, audit_row, organizer};
use crate::vault::{Expect, File};

/// Longest slug of a topic, in bytes.
const SLUG_BYTES: usize = 60;
/// Longest name of a file, in bytes.
const NAME_BYTES: usize = 255;
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

impl Topic {
    /// Whether another text can be put into its file without losing what else is in it.
    pub(super) fn is_editable(&self) -> bool {
        let text = std::str::from_utf8(&self.bytes);
        text.is_ok_and(|text| {
            frontmatter::set_fields(text, &[("title", Some(&self.title))]).is_ok()
        })
    }
}

impl Memory {
    /// A slug for a new topic: what is wanted, made safe, and suffixed where a file has it.
    pub(crate) fn free_slug(&self, store: &StoreName, wanted: &str) -> Result<String> {
        let wanted = slug::slug(wanted.strip_suffix(".md").unwrap_or(wanted), SLUG_BYTES);
        let dir = self.store_ref(store).found()?;
        let lane = dir.map(|dir| dir.find_at("knowledge")).transpose()?.flatten();
        let names = lane.map_or(Ok(Vec::new()), |lane| lane.names(|name| name.ends_with(".md")))?;
        // Also folders and links, and names that are one where case or accents make no difference.
        let taken: Vec<String> =
            names.iter().map(|name| slug::slug(stem(name), NAME_BYTES)).collect();
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
            let present = self.read_file(store, &path)?;
            let is_same = |file: &File| before.is_some_and(|topic| topic.bytes == file.bytes);
            let is_still = present.as_ref().map_or(before.is_none(), is_same)
                && item
                    .map_or(Ok(true), |item| self.is_still(store, &item.path, Some(&item.bytes)))?;
            if is_still {
                self.write_topic(store, &path, present.as_ref(), &text, item, now)?;
            }
            Ok(is_still)
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        let verb = if before.is_some() { "updated" } else { "created" };
        let from = item.map(|item| format!(" from `{}`", item.path)).unwrap_or_default();
        self.note(store, &format!("{verb} `{path}`{from}"), now);
        Ok(Applied::Done)
    }

    fn write_topic(
        &self,
        store: &StoreName,
        path: &str,
        present: Option<&File>,
        text: &str,
        item: Option<&Item>,
        now: Timestamp,
    ) -> Result<()> {
        let at = self.store_ref(store);
        let write = || {
            if let Some(present) = present {
                self.archive(store, path, present, now)?;
            }
            let expect = Expect::as_read(present);
            let audit = audit_row("memory_updated", &organizer(), store, &[path], now);
            self.knowledge().write(&at, path, text.as_bytes(), expect, audit).map(drop)
        };
        match item {
            Some(item) => {
                let before = present.map(|file| &file.bytes[..]);
                self.place_item(&at, item, (path, before, text), now, write)
            }
            None => write(),
        }
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
            let is_its = |bytes: &[u8]| bytes == topic.bytes;
            let is_retired = self.is_still(store, &path, Some(&topic.bytes))?
                && self.move_away(&at, &path, is_its, now)?;
            if is_retired {
                let audit = audit_row("memory_deleted", &organizer(), store, &[&path], now);
                self.knowledge().commit(&at, vec![Change::Remove(path.clone())], vec![audit]);
            }
            Ok(is_retired)
        })?;
        if !is_done {
            return Ok(Applied::Moved);
        }
        let reason: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let reason: String = reason.chars().take(200).collect();
        self.note(store, &format!("superseded `{path}`: {reason}"), now);
        Ok(Applied::Done)
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
