//! OpenCode: JSON trees of two layouts, and databases.
//!
//! Versions before 0.6 kept `project/<folder>/storage/session/{info,message,part}`; those before 1.2
//! `storage/{session,message,part}`; later ones `opencode.db`. The trees stay where they are when a
//! database takes over, some sessions are in both, and then the database counts.

mod database;
mod tree;
mod wire;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::TranscriptReader;
use super::conversation::{About, Conversation};
use super::harness::without;
use super::message::{Message, Role};
use super::reading::Reading;
use super::source::{Source, Survey};
use crate::error::Result;
use crate::secrets::Custom;
use crate::vault::{Dir, Skipped};
use database::Database;
use wire::{Part, Said, Session};

/// Titles that stand until a session has one, with a time behind.
const PLACEHOLDERS: &[&str] = &["New session - ", "Child session - "];

pub(super) struct OpenCode {
    /// A folder of Coffer's own, for a copy of a database that cannot be read where it is.
    scratch: PathBuf,
}

impl OpenCode {
    pub(super) fn new(scratch: &Path) -> Self {
        Self { scratch: scratch.to_owned() }
    }

    fn read_database(
        &self,
        sources: &[(usize, &Source)],
        secrets: &Custom,
        sink: &mut dyn FnMut(Message),
        each: &mut dyn FnMut(usize, Reading),
    ) {
        let Some((_, first)) = sources.first() else { return };
        let database = Database::open(&first.root, &first.path, &self.scratch);
        for (number, source) in sources {
            let id = source.part.as_deref().unwrap_or(&source.path);
            let reading = match (&database, &source.part) {
                (Err(reason), _) => Reading::unreadable(id, reason.clone()),
                (Ok(database), Some(part)) => database
                    .read(part, secrets, sink)
                    .unwrap_or_else(|reason| Reading::unreadable(id, reason)),
                (Ok(_), None) => unknown(id, secrets, sink),
            };
            each(*number, reading);
        }
    }
}

impl TranscriptReader for OpenCode {
    fn survey(&self, root: &Path) -> Result<Survey> {
        let Some(dir) = Dir::find(root)? else { return Ok(Survey::default()) };
        let (names, skipped) = database::names(&dir);
        let mut survey = Survey { is_there: true, sources: Vec::new(), skipped };
        for name in names {
            match database::survey(root, &name, &self.scratch) {
                Ok(sources) => survey.sources.extend(sources),
                Err(reason) => survey.skipped.push(Skipped { path: name, reason }),
            }
        }
        let taken: HashSet<String> =
            survey.sources.iter().filter_map(|source| source.part.clone()).collect();
        let tree = tree::survey(root, &dir);
        survey.skipped.extend(tree.skipped);
        let others = tree.sources.into_iter().filter(|source| !taken.contains(source.stem()));
        survey.sources.extend(others);
        Ok(survey)
    }

    fn read(&self, source: &Source, secrets: &Custom, sink: &mut dyn FnMut(Message)) -> Reading {
        if !database::is_name(&source.path) {
            return tree::read(source, secrets, sink);
        }
        let mut read = None;
        self.read_database(&[(0, source)], secrets, sink, &mut |_, reading| read = Some(reading));
        read.unwrap_or_else(|| Reading::unreadable(&source.path, "it gave nothing".to_owned()))
    }

    /// A database is opened once for all its sessions.
    fn summarize(
        &self,
        sources: &[&Source],
        secrets: &Custom,
        each: &mut dyn FnMut(usize, Reading),
    ) {
        let numbered = || sources.iter().copied().enumerate();
        let is_row = |source: &Source| database::is_name(&source.path);
        let mut files: Vec<(&Path, &str)> =
            numbered().filter(|(_, it)| is_row(it)).map(|(_, it)| (&*it.root, &*it.path)).collect();
        files.sort_unstable();
        files.dedup();
        for (root, path) in files {
            let rows: Vec<_> =
                numbered().filter(|(_, it)| it.root == root && it.path == path).collect();
            self.read_database(&rows, secrets, &mut drop, each);
        }
        for (number, source) in numbered().filter(|(_, source)| !is_row(source)) {
            each(number, tree::read(source, secrets, &mut drop));
        }
    }
}

/// A database whose tables are none that are known.
fn unknown(id: &str, secrets: &Custom, sink: &mut dyn FnMut(Message)) -> Reading {
    let mut conversation = Conversation::new(sink);
    conversation.wonder_at("(tables of no known version)");
    let about = About { session_id: id.to_owned(), ..About::default() };
    conversation.finish(about, secrets)
}

/// What a session says of itself.
fn about(session: &Session<'_>, id: &str) -> About {
    let title = session.title.text().filter(|title| {
        !PLACEHOLDERS.iter().any(|placeholder| {
            let time = title.strip_prefix(placeholder);
            time.is_some_and(|time| coffer_domain::time::Timestamp::parse(time).is_some())
        })
    });
    About {
        session_id: id.to_owned(),
        title: title.map(str::to_owned),
        project_path: session.directory.owned(),
        git_branch: None,
        agent_version: session.version.owned(),
        forked_from: None,
        is_side: session.parent_id.text().is_some(),
    }
}

/// Adds what a message says, with its parts in order.
fn say(conversation: &mut Conversation<'_>, id: &str, said: &Said<'_>, parts: &[Part<'_>]) {
    let at = said.created();
    conversation.see(at);
    let texts = parts.iter().filter(|part| part.is_prose()).filter_map(|part| part.text.text());
    let text = texts.collect::<Vec<_>>().join("\n");
    match said.role.text() {
        Some("user") => {
            // Some versions kept the words of a message without parts only as its title.
            let title = said.summary.object().and_then(|summary| summary.title.text());
            let words = title.filter(|_| parts.is_empty()).unwrap_or(&text);
            conversation.say(Role::Human, typed(words), Some(id), at);
        }
        Some("assistant") if said.is_compaction() => conversation.pass_over("compaction"),
        Some("assistant") => conversation.say(Role::Assistant, text, Some(id), at),
        _ => conversation.wonder_at("message (no known role)"),
    }
    for part in parts.iter().filter(|part| !part.is_known()) {
        conversation.wonder_at(part.kind.text().unwrap_or("part (no type)"));
    }
}

/// The person's words. `opencode run` keeps the quotation marks that a shell needed.
fn typed(text: &str) -> String {
    let text = without(text, &[]);
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_quoted =
        |inner: &&str| !inner.replace("\\\"", "").contains('"') && !inner.ends_with('\\');
    match inner.filter(is_quoted) {
        Some(inner) => inner.replace("\\\"", "\"").trim().to_owned(),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests;
