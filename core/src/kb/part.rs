//! Reading on in a document's file, line by line, from where a passage stands.

use coffer_domain::frontmatter;
use coffer_domain::id::Id;
use coffer_domain::kb::KbName;

use super::documents::not_found;
use super::{Document, KnowledgeBases};
use crate::error::{Error, Result};
use crate::index::record_of;

/// Lines of a document's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The document.
    pub document: Document,
    /// What its header says, YAML.
    pub header: String,
    /// The lines, those of the header left out.
    pub markdown: String,
    /// The first line, from 1 in the whole file.
    pub line_start: u64,
    /// The last line; one less than the first where there are none.
    pub line_end: u64,
    /// How many lines the file has.
    pub total_lines: u64,
}

/// Most bytes of lines in one part: agents pay for each, and take no more than about so much at once.
pub const PART_BYTES: usize = 100_000;

impl KnowledgeBases {
    /// At most `limit` lines of a document, and at most [`PART_BYTES`] of them, from a line of its file on.
    ///
    /// # Errors
    ///
    /// No such knowledge base or document; a file that cannot be read; a first line that is longer than a part:
    /// half of a line would be taken for the whole of it.
    pub fn part(&self, name: &KbName, id: &Id, offset: u64, limit: u64) -> Result<Part> {
        let opened = self.open(name)?;
        let at = &opened.at;
        let record = self.knowledge().fresh(at, |db| record_of(db, &at.scope, id))?;
        let record = record.ok_or_else(|| not_found(name, id))?;
        let file = at.dir()?.read_at(&record.path)?.ok_or_else(|| not_found(name, id))?;
        let text = String::from_utf8_lossy(&file.bytes);
        let split = frontmatter::split(&text);
        let before = text[..split.body_start].matches('\n').count() as u64;
        let blank = split.body.lines().take_while(|line| line.trim().is_empty()).count() as u64;
        let line_start = offset.max(before + blank + 1);
        let skipped = usize::try_from(line_start - before - 1).unwrap_or(usize::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let lines = fitting(split.body.lines().skip(skipped).take(limit), line_start)?;
        Ok(Part {
            header: split.header.unwrap_or_default().to_owned(),
            markdown: lines.join("\n"),
            line_start,
            line_end: line_start + lines.len() as u64 - 1,
            total_lines: text.lines().count() as u64,
            document: self.document_of(name, record),
        })
    }
}

/// As many whole lines as a part has room for.
fn fitting<'t>(lines: impl Iterator<Item = &'t str>, first: u64) -> Result<Vec<&'t str>> {
    let mut left = PART_BYTES;
    let mut fitting = Vec::new();
    for line in lines {
        if line.len() >= left {
            if fitting.is_empty() {
                let next = first + 1;
                let reason = format!(
                    "line {first} alone has {} bytes, and at most {PART_BYTES} are read at once: search or \
                     grep for what it says, or read on from line {next}",
                    line.len()
                );
                return Err(Error::Invalid { field: "offset", reason });
            }
            break;
        }
        left -= line.len() + 1;
        fitting.push(line);
    }
    Ok(fitting)
}
