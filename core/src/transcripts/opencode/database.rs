//! The databases: `opencode.db`, and `opencode-<channel>.db`. The only SQL over tables that are not
//! Coffer's.
//!
//! They belong to a program that may be at work in them, and nothing may come to be beside them, so
//! that each is opened in the way that leaves no trace: one without a log as it stands; one with a log
//! over the log's index, which is only read; and a log without an index, which SQLite would have to
//! make, in a copy below Coffer's own folder.
#![expect(
    clippy::disallowed_methods,
    reason = "this is another program's database, only read here"
)]

mod place;

use std::path::Path;
use std::time::Duration;

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OpenFlags, Row};

use self::place::Place;
use super::wire::{Part, Said, Session, of_millis};
use super::{about, say};
use crate::secrets::Custom;
use crate::transcripts::conversation::{About, Conversation};
use crate::transcripts::json::{self, Json};
use crate::transcripts::message::Message;
use crate::transcripts::reading::Reading;
use crate::transcripts::source::{Source, Stamp};
use crate::vault::{Dir, Skipped, walk_down};

/// How long a connection waits for the program whose database it is.
const BUSY: Duration = Duration::from_secs(2);
/// How often a database is opened again that changed while it was read as it stood.
const RETRIES: usize = 3;

/// Columns that every known version has. A session's messages are counted by their index.
const SURVEY: &str = "
    SELECT s.id, s.time_updated,
        (SELECT count(*) FROM message m WHERE m.session_id = s.id),
        (SELECT m.time_updated FROM message m WHERE m.session_id = s.id
         ORDER BY m.time_created DESC, m.id DESC LIMIT 1)
    FROM session s ORDER BY s.id";
const SESSION: &str = "
    SELECT title, version, directory, parent_id, time_created, time_updated
    FROM session WHERE id = ?1";
const MESSAGES: &str =
    "SELECT id, time_created, data FROM message WHERE session_id = ?1 ORDER BY time_created, id";
const PARTS: &str = "SELECT data FROM part WHERE message_id = ?1 ORDER BY id";
/// Tables of versions to come, which exist already.
const NEWER: &[(&str, &str)] = &[
    ("session_v2", "SELECT 1 FROM session_v2 WHERE id NOT IN (SELECT id FROM session) LIMIT 1"),
    (
        "session_message",
        "SELECT 1 FROM session_message WHERE session_id NOT IN (SELECT session_id FROM message) LIMIT 1",
    ),
];

/// Whether a file of the root is a database of sessions.
pub(super) fn is_name(path: &str) -> bool {
    let channel = path.strip_prefix("opencode").and_then(|rest| rest.strip_suffix(".db"));
    channel.is_some_and(|channel| {
        channel.is_empty() || channel.starts_with('-') && !channel.contains('/')
    })
}

/// The databases of a root, and what is called like one and is none that is read.
pub(super) fn names(dir: &Dir) -> (Vec<String>, Vec<Skipped>) {
    let walk = walk_down(dir, &[""], 0, is_name);
    let is_ours = |skipped: &Skipped| skipped.path.is_empty() || is_name(&skipped.path);
    let skipped = walk.skipped.into_iter().filter(is_ours).collect();
    (walk.files.into_iter().map(|found| found.path).collect(), skipped)
}

/// The sessions of a database; one whose tables are none that are known stands for itself.
pub(super) fn survey(root: &Path, name: &str, scratch: &Path) -> Result<Vec<Source>, String> {
    let mut surveyed = survey_once(root, name, scratch);
    for _ in 1..RETRIES {
        if surveyed.is_err() {
            surveyed = survey_once(root, name, scratch);
        }
    }
    surveyed
}

fn survey_once(root: &Path, name: &str, scratch: &Path) -> Result<Vec<Source>, String> {
    let database = Database::open(root, name, scratch)?;
    let source = |part, stamp| Source { root: root.to_owned(), path: name.to_owned(), part, stamp };
    let mut found = Vec::new();
    let listed = database.rows(SURVEY, None, |row| {
        let (id, updated): (String, i64) = (row.get(0)?, row.get(1)?);
        let (count, last): (i64, Option<i64>) = (row.get(2)?, row.get(3)?);
        let mtime_ns = updated.max(last.unwrap_or(0)).saturating_mul(1_000_000);
        found.push(source(Some(id), Stamp { size: count, mtime_ns, inode: 0 }));
        Ok(())
    });
    let is_known = match listed {
        Ok(()) => true,
        Err(error) if is_schema(&error) => false,
        Err(error) => return Err(words(&error)),
    };
    if !is_known || database.holds_newer() {
        found.push(source(None, database.place.stamp));
    }
    database.place.is_still()?;
    Ok(found)
}

/// An open database.
pub(super) struct Database {
    connection: Connection,
    place: Place,
}

impl Database {
    pub(super) fn open(root: &Path, name: &str, scratch: &Path) -> Result<Self, String> {
        let place = Place::of(root, name, scratch)?;
        let connection = Self::at(&place).map_err(|error| words(&error))?;
        Ok(Self { connection, place })
    }

    fn at(place: &Place) -> rusqlite::Result<Connection> {
        let access = if place.is_copy() {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        } else {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        };
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(&place.uri, flags)?;
        connection.busy_timeout(BUSY)?;
        connection.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;")?;
        // What cannot be read is found out here.
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    }

    /// Reads one session.
    pub(super) fn read(
        &self,
        id: &str,
        secrets: &Custom,
        sink: &mut dyn FnMut(Message),
    ) -> Result<Reading, String> {
        let mut conversation = Conversation::new(sink);
        let mut told = None;
        let session = self.rows(SESSION, Some(id), |row| {
            told = Some(session_of(row)?);
            Ok(())
        });
        session.map_err(|error| words(&error))?;
        let Some((mut about, times)) = told else {
            return Err("the session is not there any more".to_owned());
        };
        for time in times {
            conversation.see(Some(time));
        }
        about.session_id = id.to_owned();
        self.messages(id, &mut conversation).map_err(|error| words(&error))?;
        self.place.is_still()?;
        Ok(conversation.finish(about, secrets))
    }

    fn messages(&self, id: &str, conversation: &mut Conversation<'_>) -> rusqlite::Result<()> {
        self.rows(MESSAGES, Some(id), |row| {
            let (id, created): (String, i64) = (row.get(0)?, row.get(1)?);
            let data: String = row.get(2)?;
            conversation.see(Some(of_millis(created)));
            let mut mended = Vec::new();
            let Some(said) = json::record::<Said<'_>>(data.as_bytes(), &mut mended) else {
                conversation.wonder_at("message (no record)");
                return Ok(());
            };
            let texts = self.parts(&id)?;
            let mut mended: Vec<Vec<u8>> = texts.iter().map(|_| Vec::new()).collect();
            let mut parts = Vec::new();
            for (text, mended) in texts.iter().zip(&mut mended) {
                match json::record::<Part<'_>>(text.as_bytes(), mended) {
                    Some(part) => parts.push(part),
                    None => conversation.wonder_at("part (no record)"),
                }
            }
            say(conversation, &id, &said, &parts);
            Ok(())
        })
    }

    fn parts(&self, message: &str) -> rusqlite::Result<Vec<String>> {
        let mut parts = Vec::new();
        self.rows(PARTS, Some(message), |row| {
            parts.push(row.get(0)?);
            Ok(())
        })?;
        Ok(parts)
    }

    /// Whether sessions are kept in tables that are not read.
    fn holds_newer(&self) -> bool {
        NEWER.iter().any(|(table, query)| {
            let exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
            let (mut is_there, mut is_used) = (false, false);
            let asked = self.rows(exists, Some(table), |_| {
                is_there = true;
                Ok(())
            });
            let looked = self.rows(query, None, |_| {
                is_used = true;
                Ok(())
            });
            asked.is_ok() && is_there && (looked.is_err() || is_used)
        })
    }

    fn rows(
        &self,
        query: &str,
        id: Option<&str>,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(query)?;
        let mut rows = match id {
            Some(id) => statement.query([id])?,
            None => statement.query([])?,
        };
        while let Some(row) = rows.next()? {
            each(row)?;
        }
        Ok(())
    }
}

/// What a row says of its session, and its times.
fn session_of(row: &Row<'_>) -> rusqlite::Result<(About, [Timestamp; 2])> {
    let text = |column| -> rusqlite::Result<Json<'_>> {
        let text: Option<String> = row.get(column)?;
        Ok(text.map_or(Json::Nothing, |text| Json::Text(text.into())))
    };
    let session = Session {
        title: text(0)?,
        version: text(1)?,
        directory: text(2)?,
        parent_id: text(3)?,
        time: Json::Nothing,
    };
    let (created, updated): (i64, i64) = (row.get(4)?, row.get(5)?);
    Ok((about(&session, ""), [of_millis(created), of_millis(updated)]))
}

/// Whether the tables are others than those that are asked for.
fn is_schema(error: &rusqlite::Error) -> bool {
    let text = error.to_string();
    text.contains("no such table") || text.contains("no such column")
}

/// SQLite's words, with what they are about.
fn words(error: &rusqlite::Error) -> String {
    format!("the database cannot be read: {error}")
}
