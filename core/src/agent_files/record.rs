//! What Coffer may have in a file, what it noted of it, and the file's text with more or less of it.
//!
//! As long as nobody else changed the file, taking something away turns every step back, compares
//! the result with the hash of the text before the first step, and takes the remaining steps again:
//! connect and disconnect leave the very bytes. Where somebody did, each entry is taken out alone.

use std::path::PathBuf;

use coffer_domain::id::sha256;

use super::change::Change;
use super::entry::{Entry, Standing};
use super::flaw::Flaw;
use super::text::{Format, Text};

/// What a piece of a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The agent starts Coffer's MCP server.
    Mcp,
    /// The agent tells Coffer of its sessions.
    Hook,
    /// The agent's own memory is off.
    Memory,
}

/// A file of an agent and what Coffer may have in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// The file.
    pub path: PathBuf,
    /// What may be in it.
    pub content: Content,
}

/// What Coffer may have in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// Entries among others.
    Entries {
        /// How the file is written.
        format: Format,
        /// By what they are for.
        parts: Vec<(Part, Vec<Entry>)>,
    },
    /// All of it.
    Whole {
        /// What it is for.
        part: Part,
        /// The text, whose first line nobody else begins a file with.
        text: String,
    },
}

/// What Coffer noted of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRecord {
    /// The file.
    pub path: PathBuf,
    /// Whether Coffer made it.
    pub created: bool,
    /// The folders that Coffer made for it, outermost first.
    pub folders: Vec<PathBuf>,
    /// SHA-256 before the first step; empty when others changed the file in between.
    pub before: String,
    /// SHA-256 after the last step.
    pub after: String,
    /// What Coffer has in it.
    pub parts: Vec<Part>,
    /// The steps, oldest first.
    pub changes: Vec<(Part, Change)>,
}

/// What a file is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Its text; `None` for no file.
    pub text: Option<String>,
    /// What is to be noted of it.
    pub record: Option<FileRecord>,
}

impl Target {
    /// Whether anything of these parts may be in the file.
    pub(crate) fn has(&self, parts: &[Part]) -> bool {
        match &self.content {
            Content::Entries { parts: known, .. } => known.iter().any(|(it, _)| parts.contains(it)),
            Content::Whole { part, .. } => parts.contains(part),
        }
    }

    /// How the entries of a part stand in a text.
    pub(crate) fn standing(
        &self,
        part: Part,
        present: Option<&str>,
    ) -> Result<Vec<Standing>, Flaw> {
        if !self.has(&[part]) {
            return Ok(Vec::new());
        }
        let Some(present) = present else { return Ok(vec![Standing::Absent]) };
        match &self.content {
            Content::Whole { text, .. } if present == text => Ok(vec![Standing::Present]),
            Content::Whole { text, .. } if is_own(present, text) => Ok(vec![Standing::Other]),
            Content::Whole { .. } => Ok(vec![Standing::Absent]),
            Content::Entries { format, .. } => {
                let text = Text::read(*format, present)?;
                let entries = self.entries(part).filter(|entry| entry.counts());
                Ok(entries.map(|entry| entry.standing(text.node())).collect())
            }
        }
    }

    /// The file with these parts in it.
    pub(crate) fn put(
        &self,
        parts: &[Part],
        present: Option<&str>,
        record: Option<&FileRecord>,
    ) -> Result<Outcome, Flaw> {
        // What was noted of a file that is gone is of no use.
        let record = record.filter(|_| present.is_some());
        match &self.content {
            Content::Whole { part, text } => whole(*part, text, present, record, &self.path),
            Content::Entries { format, .. } => {
                let text = Text::read(*format, present.unwrap_or_default())?;
                let (next, changes) = self.written(parts, &text)?;
                if changes.is_empty() {
                    let text = present.map(str::to_owned);
                    return Ok(Outcome { text, record: record.cloned() });
                }
                let record = self.noted(present, record, &next.text(), changes);
                Ok(Outcome { text: Some(next.text()), record: Some(record) })
            }
        }
    }

    /// The file without these parts.
    pub(crate) fn take(
        &self,
        parts: &[Part],
        present: Option<&str>,
        record: Option<&FileRecord>,
    ) -> Result<Outcome, Flaw> {
        let Some(present) = present else { return Ok(Outcome { text: None, record: None }) };
        match &self.content {
            Content::Whole { text, .. } if is_own(present, text) => {
                Ok(Outcome { text: None, record: None })
            }
            Content::Whole { .. } => Ok(Outcome { text: Some(present.to_owned()), record: None }),
            Content::Entries { format, .. } => {
                let text = Text::read(*format, present)?;
                match record.and_then(|record| self.unwound(parts, &text, record)) {
                    Some(outcome) => Ok(outcome),
                    None => self.cut(parts, &text, record),
                }
            }
        }
    }

    /// The least text that has these parts, for a person to paste.
    pub(crate) fn snippet(&self, parts: &[Part]) -> String {
        let outcome = self.put(parts, None, None);
        outcome.ok().and_then(|outcome| outcome.text).unwrap_or_default()
    }

    fn entries(&self, part: Part) -> impl DoubleEndedIterator<Item = &Entry> {
        let parts = match &self.content {
            Content::Entries { parts, .. } => parts.as_slice(),
            Content::Whole { .. } => &[],
        };
        parts.iter().filter(move |(it, _)| *it == part).flat_map(|(_, entries)| entries)
    }

    fn written(&self, parts: &[Part], text: &Text) -> Result<(Text, Vec<(Part, Change)>), Flaw> {
        let (mut text, mut all) = (text.clone(), Vec::new());
        for part in parts {
            for entry in self.entries(*part) {
                let (next, changes) = entry.put(&text)?;
                all.extend(changes.into_iter().map(|change| (*part, change)));
                text = next;
            }
        }
        Ok((text, all))
    }

    fn noted(
        &self,
        present: Option<&str>,
        record: Option<&FileRecord>,
        next: &str,
        changes: Vec<(Part, Change)>,
    ) -> FileRecord {
        let hash = sha256(present.unwrap_or_default());
        let mut record = match record {
            Some(record) if record.after == hash => record.clone(),
            Some(record) => FileRecord { before: String::new(), ..record.clone() },
            None => FileRecord {
                path: self.path.clone(),
                created: present.is_none(),
                folders: Vec::new(),
                before: hash,
                after: String::new(),
                parts: Vec::new(),
                changes: Vec::new(),
            },
        };
        record.after = sha256(next);
        record.parts.extend(changes.iter().map(|(part, _)| *part));
        record.parts.sort_unstable();
        record.parts.dedup();
        record.changes.extend(changes);
        record
    }

    /// All steps turned back and the remaining ones taken again; `None` where the bytes before the
    /// first step do not come out.
    fn unwound(&self, parts: &[Part], text: &Text, record: &FileRecord) -> Option<Outcome> {
        if record.after != sha256(text.text()) || record.changes.is_empty() {
            return None;
        }
        let mut steps = record.changes.iter().rev();
        let body = steps
            .try_fold(text.body().to_owned(), |body, (_, change)| change.splice.undone(&body))?;
        let base = text.with_body(&body).ok()?.text();
        if sha256(&base) != record.before {
            return None;
        }
        let left: Vec<Part> =
            record.parts.iter().copied().filter(|part| !parts.contains(part)).collect();
        let base = (!record.created).then_some(base);
        let mut outcome = self.put(&left, base.as_deref(), None).ok()?;
        if let Some(again) = &mut outcome.record {
            again.folders.clone_from(&record.folders);
        }
        Some(outcome)
    }

    fn cut(
        &self,
        parts: &[Part],
        text: &Text,
        record: Option<&FileRecord>,
    ) -> Result<Outcome, Flaw> {
        let known = record.map(|record| record.changes.as_slice()).unwrap_or_default();
        let mut next = text.clone();
        for part in parts.iter().rev() {
            for entry in self.entries(*part).rev() {
                let id = entry.id();
                let of_entry = known.iter().filter(|(it, change)| it == part && change.entry == id);
                let changes: Vec<Change> = of_entry.map(|(_, change)| change.clone()).collect();
                next = entry.take(&next, &changes)?;
            }
        }
        let left = record.and_then(|record| left_over(record, parts, &next.text()));
        let was_made = record.is_some_and(|record| record.created);
        let is_over = was_made && left.is_none() && next.node().is_bare();
        Ok(Outcome { text: (!is_over).then(|| next.text()), record: left })
    }
}

/// What stays noted of a file when some parts of it are gone.
fn left_over(record: &FileRecord, parts: &[Part], next: &str) -> Option<FileRecord> {
    let mut record = record.clone();
    record.parts.retain(|part| !parts.contains(part));
    record.changes.retain(|(part, _)| !parts.contains(part));
    record.before.clear();
    record.after = sha256(next);
    (!record.parts.is_empty()).then_some(record)
}

fn whole(
    part: Part,
    text: &str,
    present: Option<&str>,
    record: Option<&FileRecord>,
    path: &std::path::Path,
) -> Result<Outcome, Flaw> {
    if present.is_some_and(|present| !is_own(present, text)) {
        return Err(Flaw("another file stands at its name".to_owned()));
    }
    let made = FileRecord {
        path: path.to_owned(),
        created: true,
        folders: record.map(|record| record.folders.clone()).unwrap_or_default(),
        before: sha256(""),
        after: sha256(text),
        parts: vec![part],
        changes: Vec::new(),
    };
    Ok(Outcome { text: Some(text.to_owned()), record: Some(made) })
}

/// Whether a text is one that Coffer wrote, of whichever version: its first line says so.
fn is_own(present: &str, text: &str) -> bool {
    present.lines().next().is_some_and(|line| text.lines().next() == Some(line))
}
