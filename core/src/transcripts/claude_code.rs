//! Claude Code: `projects/<folder>/<session>.jsonl`, one record a line.
//!
//! All versions from 0.2 on: one record for a whole answer and one for each part of it, copies of the
//! history in a file of their own after a resume, compaction, forks, records of whole requests. What
//! subagents did lies in files of their own, or is marked; titles are records, and the last one counts.

mod human;
mod record;

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
use record::{Content, Kind, Record};

/// The folder below the root, and how many folders below it sessions lie.
const FOLDER: &str = "projects";
const DEPTH: usize = 1;
/// Files of subagents, which some versions kept beside sessions.
const SIDE: &str = "agent-";

pub(super) struct ClaudeCode;

impl TranscriptReader for ClaudeCode {
    fn survey(&self, root: &Path) -> Result<Survey> {
        let Some(dir) = Dir::find(root)? else { return Ok(Survey::default()) };
        let walk = walk_down(&dir, &[FOLDER], DEPTH, is_session);
        let sources = walk.files.into_iter().map(|found| Source::file(root, found)).collect();
        Ok(Survey { is_there: true, sources, skipped: walk.skipped })
    }

    fn read(&self, source: &Source, secrets: &Custom, sink: &mut dyn FnMut(Message)) -> Reading {
        let mut session = Session::of(source, sink);
        match session.read(source) {
            Ok(()) => session.finish(secrets),
            Err(reason) => Reading::unreadable(source.stem(), reason),
        }
    }
}

fn is_session(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.matches('/').count() == DEPTH + 1 && name.ends_with(".jsonl") && !name.starts_with(SIDE)
}

/// A session under way.
struct Session<'s> {
    conversation: Conversation<'s>,
    about: About,
    titles: Titles,
    side_records: u64,
    messages: u64,
}

/// Titles by where they come from; the last of each kind counts.
#[derive(Default)]
struct Titles {
    custom: Option<String>,
    made: Option<String>,
    /// With the record that it is about, which may be in another file.
    summaries: Vec<(String, String)>,
    summary: Option<String>,
}

/// So many summaries of other sessions may stand at the head of a file.
const SUMMARIES: usize = 256;

impl<'s> Session<'s> {
    fn of(source: &Source, sink: &'s mut dyn FnMut(Message)) -> Self {
        Self {
            conversation: Conversation::new(sink),
            about: About { session_id: source.stem().to_owned(), ..About::default() },
            titles: Titles::default(),
            side_records: 0,
            messages: 0,
        }
    }

    fn read(&mut self, source: &Source) -> Result<(), String> {
        let file = source.open().map_err(|error| error.to_string())?;
        let mut lines = Lines::of(file);
        while let Some(line) = lines.next().map_err(|error| error.to_string())? {
            let mut mended = Vec::new();
            match line {
                Line::TooLong => self.conversation.wonder_at("(line too long)"),
                Line::Whole(line) => match json::record(line, &mut mended) {
                    Some(record) => self.take(&record),
                    None => self.conversation.wonder_at("(no record)"),
                },
                Line::Open(line) => match json::record(line, &mut mended) {
                    Some(record) => self.take(&record),
                    None if line.starts_with(b"{") => {}
                    None => self.conversation.wonder_at("(no record)"),
                },
            }
        }
        Ok(())
    }

    fn take(&mut self, record: &Record<'_>) {
        let kind = record.kind.text().unwrap_or("(no type)");
        let at = record.timestamp.text().and_then(Timestamp::parse);
        self.note(record);
        self.conversation.see(at);
        match Kind::of(kind) {
            Kind::User | Kind::Assistant if record.is_sidechain.is_true() => {
                self.side_records += 1;
                self.conversation.pass_over("(subagent)");
            }
            Kind::User => self.human(record, at),
            Kind::Assistant => self.assistant(record, at),
            Kind::Attachment => self.attachment(record, at),
            Kind::Summary => self.titles.add_summary(record),
            Kind::CustomTitle => replace(&mut self.titles.custom, record.custom_title.owned()),
            Kind::MadeTitle => replace(&mut self.titles.made, record.ai_title.owned()),
            Kind::Harness => self.conversation.pass_over(kind),
            Kind::Unknown => self.conversation.wonder_at(kind),
        }
    }

    /// What any record tells of the session.
    fn note(&mut self, record: &Record<'_>) {
        let about = &mut self.about;
        if about.project_path.is_none() {
            about.project_path = record.cwd.owned();
        }
        replace(&mut about.git_branch, record.git_branch.owned());
        replace(&mut about.agent_version, record.version.owned());
        if about.forked_from.is_none() {
            let ids = [&record.request_session_id, &record.session_id];
            let other =
                ids.into_iter().filter_map(|id| id.text()).find(|id| *id != about.session_id);
            about.forked_from = other.map(str::to_owned);
        }
        if let Some(id) = record.uuid.text() {
            self.titles.settle(id);
        }
    }

    fn human(&mut self, record: &Record<'_>, at: Option<Timestamp>) {
        match human::turn(record) {
            human::Turn::Said(text) => self.say(Role::Human, text, record, at),
            human::Turn::Harness => self.conversation.pass_over("user"),
            human::Turn::Unknown => self.conversation.wonder_at("user (unknown form)"),
        }
    }

    fn assistant(&mut self, record: &Record<'_>, at: Option<Timestamp>) {
        let Some(message) = record.message.object() else {
            return self.conversation.wonder_at("assistant (unknown form)");
        };
        let is_made_up = message.model.text() == Some("<synthetic>");
        if is_made_up || record.is_api_error_message.is_true() {
            return self.conversation.pass_over("assistant");
        }
        match Content::of(&message.content) {
            Content::Unknown => self.conversation.wonder_at("assistant (unknown form)"),
            Content::Texts(texts) => self.say(Role::Assistant, texts.join("\n"), record, at),
        }
    }

    /// What the person typed while the agent was at work has no record of its own.
    fn attachment(&mut self, record: &Record<'_>, at: Option<Timestamp>) {
        match record.attachment.object().and_then(human::queued) {
            Some(text) => self.say(Role::Human, text, record, at),
            None => self.conversation.pass_over("attachment"),
        }
    }

    fn say(&mut self, role: Role, text: String, record: &Record<'_>, at: Option<Timestamp>) {
        self.messages += u64::from(!text.trim().is_empty());
        self.conversation.say(role, text, record.uuid.text(), at);
    }

    fn finish(mut self, secrets: &Custom) -> Reading {
        let Titles { custom, made, summaries: _, summary } = self.titles;
        self.about.title = custom.or(made).or(summary);
        self.about.is_side = self.side_records > 0 && self.messages == 0;
        self.conversation.finish(self.about, secrets)
    }
}

impl Titles {
    fn add_summary(&mut self, record: &Record<'_>) {
        let (Some(text), Some(leaf)) = (record.summary.text(), record.leaf_uuid.text()) else {
            return;
        };
        if !human::is_error(text) && self.summaries.len() < SUMMARIES {
            self.summaries.push((leaf.to_owned(), text.to_owned()));
        }
    }

    /// A summary belongs to the session that the record it is about stands in.
    fn settle(&mut self, id: &str) {
        if let Some((_, text)) = self.summaries.iter().rfind(|(leaf, _)| leaf == id) {
            self.summary = Some(text.clone());
        }
    }
}

/// The later value, where there is one.
fn replace(value: &mut Option<String>, later: Option<String>) {
    if later.is_some() {
        *value = later;
    }
}

#[cfg(test)]
mod tests;
