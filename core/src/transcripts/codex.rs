//! Codex CLI: `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, `archived_sessions/`, and the
//! same compressed.
//!
//! Three eras: bare lines, lines in an envelope with `user_message` and `agent_message` events, and
//! paginated ones, whose events are `item_completed`. The requests to the model stand beside the events
//! and say the same with the harness's own texts between; they are read only where a file has no
//! event. A fork of the older kind begins with its parent's history; the first `session_meta` is its own.

mod known;
mod line;
mod prose;
mod zstd;

use std::io::Read;
use std::path::Path;

use coffer_domain::time::Timestamp;

use super::TranscriptReader;
use super::conversation::{About, Conversation};
use super::json;
use super::lines::{Line, Lines};
use super::message::{Message, Role};
use super::reading::Reading;
use super::source::{Source, Survey};
use crate::error::Result;
use crate::secrets::Custom;
use crate::vault::{Dir, walk_down};
use line::{Payload, Record};
use zstd::Frames;

/// Folders below the root, and how deep rollouts lie in them.
const FOLDERS: &[&str] = &["archived_sessions", "sessions"];
const DEPTH: usize = 3;
const PLAIN: &str = ".jsonl";
const PACKED: &str = ".jsonl.zst";
/// How long an id is, at the end of a file's name.
const ID: usize = 36;

pub(super) struct Codex;

impl TranscriptReader for Codex {
    fn survey(&self, root: &Path) -> Result<Survey> {
        let Some(dir) = Dir::find(root)? else { return Ok(Survey::default()) };
        let walk = walk_down(&dir, FOLDERS, DEPTH, is_rollout);
        let mut sources = walk.files.into_iter().map(|found| Source::file(root, found)).collect();
        keep_one_each(&mut sources);
        Ok(Survey { is_there: true, sources, skipped: walk.skipped })
    }

    fn read(&self, source: &Source, secrets: &Custom, sink: &mut dyn FnMut(Message)) -> Reading {
        read_rollout(source, secrets, sink)
            .unwrap_or_else(|reason| Reading::unreadable(&id_of_name(source), reason))
    }
}

fn read_rollout(
    source: &Source,
    secrets: &Custom,
    sink: &mut dyn FnMut(Message),
) -> Result<Reading, String> {
    let mut rollout = Rollout::new(sink, has_events(source)?);
    each_record(source, |record| {
        rollout.take(record);
        true
    })?;
    Ok(rollout.finish(source, secrets))
}

fn is_rollout(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("rollout-") && (name.ends_with(PLAIN) || name.ends_with(PACKED))
}

/// Of a rollout that is there twice, the plain one counts, and the one that is not archived.
fn keep_one_each(sources: &mut Vec<Source>) {
    let rank =
        |source: &Source| (source.path.ends_with(PACKED), source.path.starts_with("archived"));
    sources.sort_by(|a, b| a.stem().cmp(b.stem()).then(rank(a).cmp(&rank(b))));
    sources.dedup_by(|later, first| later.stem() == first.stem());
    sources.sort_by(|a, b| a.path.cmp(&b.path));
}

/// The id that a file's name ends with, else the path.
fn id_of_name(source: &Source) -> String {
    let stem = source.stem();
    let id = stem.len().checked_sub(ID).and_then(|at| stem.get(at..));
    let is_id = |id: &&str| id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    id.filter(is_id).unwrap_or(&source.path).to_owned()
}

/// Whether what was said stands in events.
fn has_events(source: &Source) -> Result<bool, String> {
    let mut found = false;
    each_record(source, |record| {
        found = matches!(record, Some(record) if record.event().is_some_and(|event| prose::event(event).is_some()));
        !found
    })?;
    Ok(found)
}

/// Gives each line as a record, `None` where it is none, as long as `take` wants more.
fn each_record(
    source: &Source,
    mut take: impl FnMut(Option<&Record<'_>>) -> bool,
) -> Result<(), String> {
    let file = source.open().map_err(|error| error.to_string())?;
    let is_packed = source.path.ends_with(PACKED);
    let file: Box<dyn Read> = if is_packed { Box::new(Frames::of(file)) } else { Box::new(file) };
    let mut lines = Lines::of(file);
    while let Some(line) = lines.next().map_err(|error| error.to_string())? {
        let mut mended = Vec::new();
        let goes_on = match line {
            Line::TooLong => take(None),
            Line::Whole(line) => take(json::record(line, &mut mended).as_ref()),
            Line::Open(line) => match json::record(line, &mut mended) {
                None if line.starts_with(b"{") => true,
                record => take(record.as_ref()),
            },
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// A rollout under way.
struct Rollout<'s> {
    conversation: Conversation<'s>,
    about: About,
    /// Whether events tell what was said.
    events: bool,
    has_meta: bool,
    /// What the last event said, and how events of its kind are called: some files have both kinds.
    last: Option<(prose::Form, Role, String)>,
}

impl<'s> Rollout<'s> {
    fn new(sink: &'s mut dyn FnMut(Message), events: bool) -> Self {
        Self {
            conversation: Conversation::new(sink),
            about: About::default(),
            events,
            has_meta: false,
            last: None,
        }
    }

    fn take(&mut self, record: Option<&Record<'_>>) {
        let Some(record) = record else { return self.conversation.wonder_at("(no record)") };
        let own = record.payload.object().and_then(|payload| payload.timestamp.text());
        let at = record.timestamp.text().or(own).and_then(Timestamp::parse);
        self.conversation.see(at);
        match (record.kind.text(), record.payload.object()) {
            (Some("session_meta"), Some(payload)) => self.meta(payload),
            (Some("event_msg"), Some(payload)) => self.event(payload, at),
            (Some("response_item"), Some(payload)) => self.item(payload, at),
            (Some("turn_context"), Some(payload)) => self.place(payload),
            (Some(kind), Some(_)) if known::is_line(kind) => self.conversation.pass_over(kind),
            (Some(kind), _) => self.bare(kind, record, at),
            (None, _) => self.untyped(record),
        }
    }

    /// The first one is the session's own; in a fork the parent's follows.
    fn meta(&mut self, payload: &Payload<'_>) {
        if std::mem::replace(&mut self.has_meta, true) {
            return self.conversation.pass_over("session_meta");
        }
        let about = &mut self.about;
        about.session_id = payload.id.owned().unwrap_or_default();
        about.project_path = payload.cwd.owned();
        about.agent_version = payload.cli_version.owned();
        about.git_branch = payload.git.object().and_then(|git| git.branch.owned());
        about.forked_from = payload.forked_from_id.owned();
        about.is_side = payload.source.object().is_some_and(|source| source.subagent.is_set())
            || payload.thread_source.text() == Some("subagent")
            || payload.parent_thread_id.text().is_some();
    }

    fn place(&mut self, payload: &Payload<'_>) {
        if self.about.project_path.is_none() {
            self.about.project_path = payload.cwd.owned();
        }
    }

    fn event(&mut self, payload: &Payload<'_>, at: Option<Timestamp>) {
        let kind = payload.kind.text().unwrap_or("(no type)");
        if kind == "thread_name_updated" {
            self.about.title = payload.thread_name.owned();
        }
        match prose::event(payload) {
            Some(said) => self.told(said, at),
            None if known::is_event(payload) => self.conversation.pass_over(kind),
            None => self.conversation.wonder_at(kind),
        }
    }

    fn told(&mut self, said: prose::Said<'_>, at: Option<Timestamp>) {
        let prose::Said { form, role, text, id } = said;
        let Some(text) = text else { return self.conversation.pass_over("(harness)") };
        let is_mirror = self.last.as_ref().is_some_and(|(other, of, said)| {
            *other != form && *of == role && said.trim() == text.trim()
        });
        if is_mirror {
            self.last = None;
            return;
        }
        self.last = Some((form, role, text.clone()));
        self.conversation.say(role, text, id, at);
    }

    fn item(&mut self, payload: &Payload<'_>, at: Option<Timestamp>) {
        let kind = payload.kind.text().unwrap_or("(no type)");
        let message = (kind == "message").then(|| prose::item(&payload.as_message()));
        match message {
            Some(prose::Item::Said(role, text)) if !self.events => {
                self.conversation.say(role, text, payload.id.text(), at);
            }
            Some(prose::Item::Unknown) => self.conversation.wonder_at("message (unknown form)"),
            Some(prose::Item::Said(..) | prose::Item::Harness) => self.conversation.pass_over(kind),
            None if known::is_item(kind) => self.conversation.pass_over(kind),
            None => self.conversation.wonder_at(kind),
        }
    }

    /// A line of the first era, which has no envelope.
    fn bare(&mut self, kind: &str, record: &Record<'_>, at: Option<Timestamp>) {
        if record.payload.is_set() || !known::is_item(kind) {
            return self.conversation.wonder_at(kind);
        }
        if kind != "message" {
            return self.conversation.pass_over(kind);
        }
        let message = record.message();
        if self.about.project_path.is_none() {
            self.about.project_path = prose::folder(&message);
        }
        match prose::item(&message) {
            prose::Item::Said(role, text) => {
                self.conversation.say(role, text, record.id.text(), at);
            }
            prose::Item::Harness => self.conversation.pass_over(kind),
            prose::Item::Unknown => self.conversation.wonder_at("message (unknown form)"),
        }
    }

    /// The first line of the first era names the session; others note a state.
    fn untyped(&mut self, record: &Record<'_>) {
        let is_state = record.record_type.text().is_some();
        match record.id.text() {
            Some(id) if !self.has_meta && record.timestamp.text().is_some() => {
                self.has_meta = true;
                self.about.session_id = id.to_owned();
                self.about.git_branch = record.git.object().and_then(|git| git.branch.owned());
            }
            _ if is_state => self.conversation.pass_over("state"),
            _ => self.conversation.wonder_at("(no type)"),
        }
    }

    fn finish(mut self, source: &Source, secrets: &Custom) -> Reading {
        if self.about.session_id.is_empty() {
            self.about.session_id = id_of_name(source);
        }
        self.conversation.finish(self.about, secrets)
    }
}

#[cfg(test)]
mod tests;
