//! What the organizer does to a store's files: reading inbox and topics, writing a topic with an item in
//! it, adding a rule, retiring a topic. Every version that goes stands in `superseded/` before it goes, and
//! what changed since it was read is left alone.
//!
//! Deliberately absent: any model, and what becomes of an item.

mod place;
mod promote;
mod record;
mod rules;
mod topic;

use coffer_domain::fact::{Actor, FileText};
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::{Memory, Recall, audit_row, organizer};
use crate::error::Result;
use crate::vault::{Expect, File, walk};

pub(crate) use rules::{RULES_OF_A_FILE, RulesFile};
pub(crate) use topic::TopicText;

/// The list of topics, for people and agents who browse.
const INDEX: &str = "knowledge/INDEX.md";
/// How much of an item a question for topics is made of, in characters.
const QUESTION_CHARS: usize = 1_000;

/// What is in an inbox. Paths are relative to the store.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// The items, the oldest first.
    pub items: Vec<String>,
    /// What cannot be read, and why.
    pub unreadable: Vec<(String, String)>,
}

/// An item of the inbox, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Relative to the store.
    pub path: String,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// What it says.
    pub text: String,
    /// Who wrote it: an agent's name, or `user`.
    pub author: String,
    /// When.
    pub created_at: Timestamp,
    bytes: Vec<u8>,
}

/// A topic document, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Topic {
    /// Its file's stem.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// What it says.
    pub text: String,
    bytes: Vec<u8>,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applied {
    /// It is made.
    Done,
    /// It was there already.
    Same,
    /// What it was based on changed meanwhile: nothing was done.
    Moved,
}

impl Item {
    fn read(path: &str, file: File) -> Self {
        let read =
            FileText::read(&String::from_utf8_lossy(&file.bytes), path, file.stat.modified());
        let author = match read.actor {
            Actor::User => Actor::User.as_str().to_owned(),
            Actor::Agent => read.agent.unwrap_or_else(|| Actor::Agent.as_str().to_owned()),
        };
        Self {
            path: path.to_owned(),
            title: read.title,
            description: read.description,
            text: read.body,
            author,
            created_at: read.created_at,
            bytes: file.bytes,
        }
    }

    /// What an origin names it by.
    pub(crate) fn name(&self) -> &str {
        stem(&self.path)
    }
}

impl Topic {
    fn read(path: &str, file: File) -> Self {
        let read =
            FileText::read(&String::from_utf8_lossy(&file.bytes), path, file.stat.modified());
        Self {
            slug: stem(path).to_owned(),
            title: read.title,
            description: read.description,
            text: read.body,
            bytes: file.bytes,
        }
    }

    /// Relative to the store.
    pub(crate) fn path(&self) -> String {
        topic_path(&self.slug)
    }
}

impl Memory {
    /// What is in the inbox.
    pub(crate) fn inbox(&self, store: &StoreName) -> Result<Inbox> {
        let Some(dir) = self.store_ref(store).found()? else { return Ok(Inbox::default()) };
        let found = walk(&dir, &["knowledge/inbox"], |path| path.ends_with(".md"));
        let skipped = found.skipped.into_iter().map(|skipped| (skipped.path, skipped.reason));
        let mut unreadable: Vec<(String, String)> = skipped.collect();
        let mut items = Vec::with_capacity(found.files.len());
        for found in found.files {
            match self.item(store, &found.path) {
                Ok(item) => items.extend(item.map(|item| (item.created_at, item.path))),
                Err(error) => unreadable.push((found.path, error.to_string())),
            }
        }
        items.sort();
        Ok(Inbox { items: items.into_iter().map(|(_, path)| path).collect(), unreadable })
    }

    /// An item as it stands; `None` where it is gone.
    pub(crate) fn item(&self, store: &StoreName, path: &str) -> Result<Option<Item>> {
        Ok(self.read_file(store, path)?.map(|file| Item::read(path, file)))
    }

    /// All topic documents, by their slugs' order. One that cannot be read is left out.
    pub(crate) fn topics(&self, store: &StoreName) -> Result<Vec<Topic>> {
        let Some(dir) = self.store_ref(store).found()? else { return Ok(Vec::new()) };
        let found = walk(&dir, &["knowledge"], is_topic);
        let read = |path: &str| match self.read_file(store, path) {
            Ok(file) => file.map(|file| Topic::read(path, file)),
            Err(error) => {
                tracing::warn!(%store, %error, "a topic is left out");
                None
            }
        };
        let mut topics: Vec<Topic> =
            found.files.iter().filter_map(|found| read(&found.path)).collect();
        topics.sort_by(|a, b| a.slug.cmp(&b.slug));
        Ok(topics)
    }

    /// A topic as it stands.
    pub(crate) fn topic(&self, store: &StoreName, slug: &str) -> Result<Option<Topic>> {
        let path = topic_path(slug);
        if self.paths(store).resolve(&path).is_none() || !is_topic(&path) {
            return Ok(None);
        }
        Ok(self.read_file(store, &path)?.map(|file| Topic::read(&path, file)))
    }

    /// The topics that a text may belong to, the likeliest first, of those that are wanted.
    pub(crate) fn likely_topics(
        &self,
        store: &StoreName,
        text: &str,
        most: usize,
        is_wanted: impl Fn(&Topic) -> bool,
    ) -> Result<Vec<Topic>> {
        let query: String = text.chars().take(QUESTION_CHARS).collect();
        let asked = Recall { query, mode: None, top_k: 20 };
        let recalled = self.recall(std::slice::from_ref(store), &asked)?;
        let mut topics: Vec<Topic> = Vec::with_capacity(most);
        for hit in recalled.hits {
            let path = self.paths(store).relative(&hit.path);
            let path = path.filter(|path| is_topic(path));
            let slug =
                path.as_deref().map(stem).filter(|slug| topics.iter().all(|it| it.slug != *slug));
            // One that cannot be read, as what became a link, hinders no item.
            let topic = slug.and_then(|slug| self.topic(store, slug).ok().flatten());
            topics.extend(topic.filter(|topic| topic.is_editable() && is_wanted(topic)));
            if topics.len() == most {
                break;
            }
        }
        Ok(topics)
    }

    /// Writes the list of topics, where it says something else.
    pub(crate) fn write_topic_index(&self, store: &StoreName) -> Result<()> {
        let text = topic_index(&self.topics(store)?);
        let at = self.store_ref(store);
        if at.found()?.is_none() {
            return Ok(());
        }
        self.knowledge().exclusively(&at, || {
            let (dir, name) = at.place(INDEX)?;
            let before = dir.read(name)?;
            if before.as_ref().is_some_and(|file| file.bytes == text.as_bytes()) {
                return Ok(());
            }
            dir.write(name, text.as_bytes(), Expect::as_read(before.as_ref())).map(drop)
        })
    }

    /// Notes that a pass of the engine ended, with what it did.
    pub(crate) fn note_pass(
        &self,
        event: &str,
        store: &StoreName,
        counts: &[(&str, u64)],
        now: Timestamp,
    ) {
        let mut row = audit_row(event, &organizer(), store, &[], now);
        row.counts =
            counts.iter().map(|(name, count)| ((*name).to_owned(), count.cast_signed())).collect();
        self.audit(&row);
        self.changed(store);
    }

    /// Notes something that the engine did in the store's log. It is done all the same where the log cannot
    /// be written.
    pub(crate) fn note(&self, store: &StoreName, what: &str, now: Timestamp) {
        if let Err(error) = self.log(store, what, &organizer(), now) {
            tracing::warn!(%store, %error, "the log lacks what the engine did");
        }
    }

    /// Whether a file still is what it was when it was read.
    fn is_still(&self, store: &StoreName, path: &str, bytes: Option<&[u8]>) -> Result<bool> {
        let file = self.read_file(store, path)?;
        Ok(file.as_ref().map(|file| &file.bytes[..]) == bytes)
    }
}

fn topic_path(slug: &str) -> String {
    format!("knowledge/{slug}.md")
}

fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Whether a path is a topic document's: directly in the lane, and not the list.
fn is_topic(path: &str) -> bool {
    let name = path.strip_prefix("knowledge/").filter(|name| !name.contains('/'));
    name.is_some_and(|name| name.ends_with(".md") && !name.starts_with('.')) && path != INDEX
}

fn topic_index(topics: &[Topic]) -> String {
    let mut text = "# Topics\n".to_owned();
    if !topics.is_empty() {
        text.push('\n');
    }
    for topic in topics {
        let plain = |text: &str| text.replace(['[', ']', '\n', '\r'], " ");
        // A name with spaces or parentheses must not end the link.
        text.extend(["- [", &plain(&topic.title), "](<", &topic.slug, ".md>)"]);
        if let Some(description) = &topic.description {
            text.extend([": ", &plain(description)]);
        }
        text.push('\n');
    }
    text
}
