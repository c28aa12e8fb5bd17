//! Import: an archive of Coffer's, or what other programs remember, becomes files of stores.
//!
//! Nothing that stands is changed. A file with the same bytes, or a memory that an earlier import
//! brought, is the same; another file of the same name is kept beside the first one. So an import
//! that was cut off is finished by another one.

mod foreign;
mod intake;
mod unpack;

use std::collections::BTreeMap;
use std::path::PathBuf;

use coffer_domain::fact::Author;
use coffer_domain::import::Format;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::knowledge::Progress;
use crate::vault::{Source, walk};

use intake::Intake;

/// So many rows of each list are reported.
const REPORTED: usize = 1_000;

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFormat {
    /// An archive that an export wrote.
    Coffer,
    /// Memories of another program.
    Foreign(Format),
}

impl SourceFormat {
    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Coffer => "coffer",
            Self::Foreign(format) => format.as_str(),
        }
    }

    /// The format of a word.
    pub fn parse(word: &str) -> Option<Self> {
        let foreign = Format::ALL.into_iter().map(Self::Foreign);
        std::iter::once(Self::Coffer).chain(foreign).find(|format| format.as_str() == word)
    }
}

/// What is to be imported, and to where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The file or folder, absolute, outside of Coffer's folder.
    pub path: PathBuf,
    /// What it is; absent: judged by its files.
    pub format: Option<SourceFormat>,
    /// Of an archive: only this store. Else: the store that takes the memories.
    pub store: Option<StoreName>,
    /// The store that takes memories of other programs when none is named.
    pub otherwise: StoreName,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Added,
    /// It is there already.
    Same,
    /// Another one stands at its name, so that it goes beside it.
    Conflicting,
}

impl Outcome {
    const ALL: [Self; 3] = [Self::Added, Self::Same, Self::Conflicting];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Same => "same",
            Self::Conflicting => "conflicting",
        }
    }

    /// The outcome of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word)
    }
}

/// A file of an import, as a dry run lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFile {
    /// Its place in the source.
    pub from: String,
    /// The store.
    pub store: StoreName,
    /// The path relative to the store; of a memory that is there already, its place in the source.
    pub path: String,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// What was left out: path and reason of the first thousand, and how many there are more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// The path in the source, and why.
    pub rows: Vec<(String, String)>,
    /// How many more there are.
    pub more: u64,
}

impl LeftOut {
    /// Adds one.
    pub(super) fn add(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        if self.rows.len() < REPORTED {
            self.rows.push((path.into(), reason.into()));
        } else {
            self.more += 1;
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.rows.len() as u64 + self.more
    }
}

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// What the source is.
    pub format: SourceFormat,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Files that are new.
    pub added: u64,
    /// Files and memories that were there already.
    pub same: u64,
    /// Files that were put beside another one of their name.
    pub conflicting: u64,
    /// What was not taken.
    pub skipped: LeftOut,
    /// Of a dry run, the first thousand files.
    pub files: Vec<ImportedFile>,
    /// How many more there are.
    pub more_files: u64,
    /// How many secrets were taken out of memories of other programs, by the kind's name.
    pub redacted: BTreeMap<String, u64>,
}

impl Memory {
    /// Finds out what a source is, before work on it is queued.
    ///
    /// # Errors
    ///
    /// A path that cannot be read or may not be; files that are of no known format.
    pub fn check_import(&self, request: &Import) -> Result<SourceFormat> {
        let source = Source::open(&request.path, self.0.home.root())?;
        let format = request.format.map_or_else(|| guess(&source), Some);
        let bad = |reason: &str| {
            Err(Error::BadSource { path: request.path.clone(), reason: reason.to_owned() })
        };
        match (format, source) {
            (Some(SourceFormat::Coffer), Source::Folder(_)) => bad("it is a folder, no archive"),
            (Some(format), _) => Ok(format),
            (None, _) => bad("nothing tells what it is; name the format"),
        }
    }

    /// Imports, or says what an import would do. `progress` is told files done and in all, and ends
    /// the work by `false`; what was written before stays.
    ///
    /// # Errors
    ///
    /// As `check_import`; an archive that is damaged, of which nothing is taken; files that cannot
    /// be written; `Cancelled`.
    pub fn import(
        &self,
        request: &Import,
        now: Timestamp,
        progress: Progress<'_>,
    ) -> Result<Imported> {
        let format = self.check_import(request)?;
        let source = Source::open(&request.path, self.0.home.root())?;
        let mut intake = Intake::new(self, format, request.dry_run, now, progress);
        let taken = match (format, source) {
            (SourceFormat::Coffer, Source::File(dir, name)) => {
                unpack::unpack(&mut intake, request, &dir, &name)
            }
            (SourceFormat::Coffer, Source::Folder(_)) => Ok(()),
            (SourceFormat::Foreign(format), source) => {
                let into = request.store.as_ref().unwrap_or(&request.otherwise);
                foreign::take_in(&mut intake, &source, format, into)
            }
        };
        let taken = taken.and_then(|()| intake.flush());
        let (written, report) = intake.into_report();
        if !request.dry_run && (taken.is_ok() || written > 0) {
            self.audit_import(request, written, &report, now);
        }
        taken.map(|()| report)
    }

    fn audit_import(&self, request: &Import, written: u64, report: &Imported, now: Timestamp) {
        let mut row = audit_row("imported", &Author::USER, &request.otherwise, &[], now);
        row.store = match (report.format, &request.store) {
            (_, Some(store)) => Some(store.to_string()),
            (SourceFormat::Foreign(_), None) => Some(request.otherwise.to_string()),
            (SourceFormat::Coffer, None) => None,
        };
        let counts = [
            ("written", written),
            ("same", report.same),
            ("conflicting", report.conflicting),
            ("skipped", report.skipped.count()),
        ];
        for (name, count) in counts {
            row.counts.insert(name.to_owned(), count.cast_signed());
        }
        self.audit(&row);
    }
}

/// What a source seems to be.
fn guess(source: &Source) -> Option<SourceFormat> {
    match source {
        Source::File(_, name) => {
            let lower = name.to_ascii_lowercase();
            if [".tar.gz", ".tgz"].iter().any(|end| lower.ends_with(end)) {
                return Some(SourceFormat::Coffer);
            }
            Format::guess(&[name.as_str()]).map(SourceFormat::Foreign)
        }
        Source::Folder(dir) => {
            let wanted = |path: &str| Format::ALL.iter().any(|format| format.covers(path));
            let found = walk(dir, &[""], wanted);
            let paths: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
            Format::guess(&paths).map(SourceFormat::Foreign)
        }
    }
}
