//! The JSON trees: a file for each session, each message, and each part of one.

use std::path::Path;

use super::wire::{Part, Said, Session};
use super::{about, say};
use crate::secrets::Custom;
use crate::transcripts::conversation::Conversation;
use crate::transcripts::json;
use crate::transcripts::message::Message;
use crate::transcripts::reading::Reading;
use crate::transcripts::source::{Source, Survey};
use crate::vault::{Dir, Skipped, walk_down};

/// What each file of a tree ends with.
const ENDING: &str = ".json";

/// Where a tree keeps what.
struct Layout {
    messages: String,
    /// The folder of a message's parts, without the message's id.
    parts: String,
}

impl Layout {
    /// The layout that a session's file lies in.
    fn of(path: &str, id: &str) -> Option<Self> {
        if path.starts_with("storage/session/") {
            let (messages, parts) = (format!("storage/message/{id}"), "storage/part".to_owned());
            return Some(Self { messages, parts });
        }
        let (above, _) = path.rsplit_once("/info/")?;
        Some(Self {
            messages: format!("{above}/message/{id}"),
            parts: format!("{above}/part/{id}"),
        })
    }
}

/// The sessions of both layouts. The file of a session and the folder of its messages tell together
/// whether it changed.
pub(super) fn survey(root: &Path, dir: &Dir) -> Survey {
    let mut walk = walk_down(dir, &["storage/session"], 1, is_session);
    let projects =
        dir.find_at("project").and_then(|found| found.map_or(Ok(Vec::new()), |it| it.folders()));
    let older = projects.unwrap_or_else(|error| {
        walk.skipped.push(Skipped { path: "project".to_owned(), reason: error.to_string() });
        Vec::new()
    });
    for folder in older {
        let start = format!("project/{folder}/storage/session/info");
        let found = walk_down(dir, &[&start], 0, is_session);
        walk.files.extend(found.files);
        walk.skipped.extend(found.skipped);
    }
    let mut sources: Vec<Source> =
        walk.files.into_iter().map(|found| Source::file(root, found)).collect();
    for source in &mut sources {
        let messages = Layout::of(&source.path, source.stem()).map(|layout| layout.messages);
        if let Some(changed) = messages.and_then(|folder| dir.changed_at(&folder)) {
            source.stamp.mtime_ns = source.stamp.mtime_ns.max(changed);
        }
    }
    Survey { is_there: true, sources, skipped: walk.skipped }
}

fn is_session(path: &str) -> bool {
    path.ends_with(ENDING)
}

pub(super) fn read(source: &Source, secrets: &Custom, sink: &mut dyn FnMut(Message)) -> Reading {
    let id = source.stem();
    read_all(source, id, secrets, sink).unwrap_or_else(|reason| Reading::unreadable(id, reason))
}

fn read_all(
    source: &Source,
    id: &str,
    secrets: &Custom,
    sink: &mut dyn FnMut(Message),
) -> Result<Reading, String> {
    let dir = Dir::open(&source.root).map_err(|error| error.to_string())?;
    let mut conversation = Conversation::new(sink);
    let file = dir.read_at(&source.path).map_err(|error| error.to_string())?;
    let bytes = file.map(|file| file.bytes).unwrap_or_default();
    let mut mended = Vec::new();
    let session: Session<'_> = json::record(bytes.trim_ascii(), &mut mended).unwrap_or_else(|| {
        conversation.wonder_at("session (no record)");
        Session::default()
    });
    let mut about = about(&session, id);
    for time in session.time.object().into_iter().flat_map(|time| time.both()) {
        conversation.see(time);
    }
    let Some(layout) = Layout::of(&source.path, id) else {
        return Ok(conversation.finish(about, secrets));
    };
    for name in names(&dir, &layout.messages)? {
        let folder = add(&mut conversation, &dir, &layout, &name);
        // The first versions named the folder only here.
        about.project_path = about.project_path.or(folder);
    }
    Ok(conversation.finish(about, secrets))
}

/// Adds one message, and returns the folder that it names.
fn add(
    conversation: &mut Conversation<'_>,
    dir: &Dir,
    layout: &Layout,
    name: &str,
) -> Option<String> {
    let id = name.trim_end_matches(ENDING);
    let folder = format!("{}/{id}", layout.parts);
    let Some(bytes) = bytes(dir, &format!("{}/{name}", layout.messages)) else {
        conversation.wonder_at("message (cannot be read)");
        return None;
    };
    let mut mended = Vec::new();
    let Some(said) = json::record::<Said<'_>>(bytes.trim_ascii(), &mut mended) else {
        conversation.wonder_at("message (no record)");
        return None;
    };
    let parts: Vec<Option<Vec<u8>>> = match names(dir, &folder) {
        Ok(names) => {
            names.iter().map(|name| self::bytes(dir, &format!("{folder}/{name}"))).collect()
        }
        Err(_) => vec![None],
    };
    let mut mended: Vec<Vec<u8>> = parts.iter().map(|_| Vec::new()).collect();
    let mut read = Vec::new();
    for (bytes, mended) in parts.iter().zip(&mut mended) {
        let bytes = bytes.as_deref().map(<[u8]>::trim_ascii);
        match bytes.and_then(|bytes| json::record::<Part<'_>>(bytes, mended)) {
            Some(part) => read.push(part),
            None => conversation.wonder_at("part (no record)"),
        }
    }
    say(conversation, id, &said, &read);
    said.path.object().and_then(|folders| folders.cwd.owned())
}

fn bytes(dir: &Dir, path: &str) -> Option<Vec<u8>> {
    dir.read_at(path).ok().flatten().map(|file| file.bytes)
}

/// The names of a folder's files: their order is the order of time.
fn names(dir: &Dir, folder: &str) -> Result<Vec<String>, String> {
    let Some(dir) = dir.find_at(folder).map_err(|error| error.to_string())? else {
        return Ok(Vec::new());
    };
    let walk = walk_down(&dir, &[""], 0, |name| name.ends_with(ENDING));
    Ok(walk.files.into_iter().map(|found| found.path).collect())
}
