//! The sessions of coding agents: listed, found again, and read from where a reader left off.
//!
//! A list looks at every file's stat and reads those that changed; what was found out stands in the
//! index, without any word but a title that was scrubbed. What one session copied from another is told
//! with the one it was said in.
//!
//! Deliberately absent: which agents there are, where their folders lie, and what is made of the words.

mod catalogue;
mod clean;
mod lineage;
mod list;
mod row;
mod show;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use coffer_domain::time::Timestamp;
use coffer_env::Home;

use crate::config::Settings;
use crate::error::{Error, Result};
use crate::index::{self, Failure, Index, TranscriptCount};
use crate::secrets::Custom;
use crate::transcripts::{READING, TranscriptReader, messages_after};
use crate::vault::Dir;

pub use crate::transcripts::{Format, Message, Position, Role, State, Summary};
pub use clean::Clean;
pub use list::{Order, Page, Query, Sort};
pub use show::{Shown, Turn};

/// Where the sessions of one agent are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The kind of agent.
    pub format: Format,
    /// Its folders; people have several.
    pub roots: Vec<PathBuf>,
}

/// One session, or a source that should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// What can be said of it.
    pub summary: Summary,
    /// Whether it could be read.
    pub state: State,
    /// The file that it is in.
    pub source_path: PathBuf,
    /// Records of no known kind.
    pub unknown: u64,
    source: crate::transcripts::Source,
}

impl Session {
    /// When its source changed last.
    #[must_use]
    pub fn changed_at(&self) -> Timestamp {
        self.source.stamp.changed_at()
    }
}

/// What could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The file or folder.
    pub path: PathBuf,
    /// Why, in plain words.
    pub reason: String,
}

/// The sessions of agents. Cheap to clone.
#[derive(Clone)]
pub struct Sessions(Arc<Inner>);

struct Inner {
    index: Arc<Index>,
    settings: Settings,
    scratch: PathBuf,
    /// Two lists do not read the same files at once.
    reading: Mutex<()>,
}

impl Sessions {
    /// The sessions, with what is known of them in an index.
    pub(crate) fn new(home: &Home, index: Arc<Index>, settings: Settings) -> Self {
        Self(Arc::new(Inner { index, settings, scratch: home.run(), reading: Mutex::default() }))
    }

    /// One session by the agent's id; where several have it, the one that was active last.
    ///
    /// # Errors
    ///
    /// `TranscriptNotFound`, or an index that cannot be used.
    pub fn find(&self, shelf: &Shelf, id: &str) -> Result<Session> {
        let all = self.catalogue(shelf, &|_, _| {})?.sessions;
        named(&all, id).map(|session| leaving(session.clone(), &self.0.settings.secrets()))
    }

    /// How many messages a session has and when it changed last, where that is known without reading:
    /// the file that it is in is as it was when they were counted. Looks at nothing else, so that a hook may ask.
    ///
    /// # Errors
    ///
    /// An index that cannot be used.
    pub fn counted(&self, shelf: &Shelf, id: &str) -> Result<Option<(u64, Timestamp)>> {
        let ask = || self.0.index.read(|db| index::transcript_counts(db, shelf.format.name(), id));
        let counts = match ask() {
            Err(Failure::Replaced(_)) => ask().map_err(Error::index)?,
            other => other.map_err(Error::index)?,
        };
        let is_still = |count: &TranscriptCount| {
            let dir = Dir::open(Path::new(&count.root));
            let stat = dir.and_then(|dir| dir.stat_at(&count.path)).ok().flatten();
            count.reading == READING
                && stat.is_some_and(|stat| row::numbers(stat.into()) == count.stamp)
        };
        let all_still = counts.iter().all(is_still);
        let counts = counts.iter().filter(|_| all_still);
        Ok(counts.map(|it| (it.messages.cast_unsigned(), row::changed_at(it.stamp))).max())
    }

    /// Gives the messages of a session that no earlier session of its line holds, behind those that
    /// were read before: `read` says where the last of them stood. They are as they were said: whoever lets
    /// them go anywhere scrubs them, by what has heard all that was said before. Returns the session as it
    /// was when it was read.
    ///
    /// # Errors
    ///
    /// `TranscriptNotFound`, or an index that cannot be used.
    pub fn read(
        &self,
        shelf: &Shelf,
        id: &str,
        read: &[Position],
        sink: &mut dyn FnMut(Message, &mut Clean),
    ) -> Result<Session> {
        let all = self.catalogue(shelf, &|_, _| {})?.sessions;
        let session = named(&all, id)?;
        let reader = self.reader(shelf);
        let copied = lineage::copied(&*reader, session, &all);
        let secrets = self.0.settings.secrets();
        let mut clean = Clean::new(Arc::clone(&secrets));
        let mut take = |message: Message, is_new: bool| {
            if is_new && message.position.ordinal > copied {
                sink(message, &mut clean);
            } else {
                clean.pass(&message);
            }
        };
        let reading = messages_after(&*reader, &session.source, read, &secrets, &mut take);
        let (summary, state, unknown) = (reading.summary, reading.state, reading.unknown);
        Ok(leaving(Session { summary, state, unknown, ..session.clone() }, &secrets))
    }

    fn reader(&self, shelf: &Shelf) -> Box<dyn TranscriptReader> {
        shelf.format.reader(&self.0.scratch)
    }
}

/// A session as it leaves: what counts as a secret may have changed since its title was kept.
fn leaving(mut session: Session, secrets: &Custom) -> Session {
    let title = session.summary.title.take();
    session.summary.title =
        title.and_then(|title| Some(secrets.scrub(&title).ok()?.text.into_owned()));
    session
}

/// Of those that have an id, the one that was active last.
fn named<'s>(all: &'s [Session], id: &str) -> Result<&'s Session> {
    let named = all.iter().filter(|session| session.summary.session_id == id);
    let last = named.max_by_key(|session| session.summary.last_activity_at);
    last.ok_or_else(|| Error::TranscriptNotFound(id.to_owned()))
}

#[cfg(test)]
mod tests;
