//! Grep: what stands in the documents' files, whatever the index knows of them.

use std::time::Duration;

use coffer_domain::kb::{KbName, is_document};
use coffer_domain::store::Mode;
use coffer_env::{KbPaths, clock};

use super::KnowledgeBases;
use super::search::turned_off;
use crate::error::{Error, Result};
use crate::grep::{Case, Grep, Line};

/// After so long a grep stops with what it has.
const DEADLINE: Duration = Duration::from_secs(2);

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepRequest {
    /// A regular expression.
    pub pattern: String,
    /// At most so many lines.
    pub max_matches: u32,
    /// Whether letters match in their own case only; absent: if the pattern has an upper-case one.
    pub case_sensitive: Option<bool>,
}

/// A line that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepHit {
    /// The document's file, relative to the knowledge base.
    pub path: String,
    /// From 1.
    pub line_number: u64,
    /// The line, cut around the match when it is long.
    pub line: String,
}

/// What a grep found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grepped {
    /// In the order of files and lines.
    pub hits: Vec<GrepHit>,
    /// Whether there may be more.
    pub truncated: bool,
    /// Why the answer is empty, when it is.
    pub note: Option<String>,
}

impl KnowledgeBases {
    /// Lines that match. One that is turned off gives none.
    ///
    /// # Errors
    ///
    /// No such knowledge base; a pattern that does not parse; a folder that cannot be read.
    pub fn grep(&self, name: &KbName, asked: &GrepRequest) -> Result<Grepped> {
        let opened = self.open(name)?;
        let case = match asked.case_sensitive {
            None => Case::Smart,
            Some(true) => Case::Exact,
            Some(false) => Case::Any,
        };
        let mut grep = Grep::of_pattern(&asked.pattern, case).map_err(|error| match error {
            Error::BadPattern(reason) => {
                let reason = format!("does not parse: {reason}");
                Error::Invalid { field: "pattern", reason }
            }
            other => other,
        })?;
        if !opened.is_enabled {
            return Ok(Grepped { note: Some(turned_off(name)), ..Grepped::default() });
        }
        if !opened.config.enabled_modes.contains(&Mode::Grep) {
            let note = Some(format!("`grep` is none of the modes of {name}"));
            return Ok(Grepped { note, ..Grepped::default() });
        }
        let Some(docs) = opened.at.dir()?.find_at(KbPaths::DOCS)? else {
            return Ok(Grepped::default());
        };
        let path = |file: &str| format!("{}/{file}", KbPaths::DOCS);
        let mut files = docs.names(|file| is_document(&path(file)))?;
        files.sort_unstable();
        let began = clock::instant();
        let mut found = Grepped::default();
        for file in files {
            let left = (asked.max_matches as usize).saturating_sub(found.hits.len());
            if left == 0 || began.elapsed() > DEADLINE {
                found.truncated = true;
                break;
            }
            // A link, or a file that went meanwhile: the doctor lists what cannot be read.
            let Ok(Some((open, _))) = docs.open_file(&file) else { continue };
            let lines = grep.lines_of(&open, left, || began.elapsed() > DEADLINE);
            let (lines, is_cut) = lines;
            found.truncated |= is_cut;
            found.hits.extend(lines.into_iter().map(|Line { number, text }| GrepHit {
                path: path(&file),
                line_number: number,
                line: text,
            }));
        }
        Ok(found)
    }
}
