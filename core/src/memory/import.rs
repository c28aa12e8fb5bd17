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

use coffer_domain::archive::Owner;
use coffer_domain::fact::Author;
use coffer_domain::import::Format;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::knowledge::{Outcomes, Progress};
use crate::vault::{Source, walk};

use intake::Intake;

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
    /// Of an archive: only this store or knowledge base. Else: the store that takes the memories.
    pub store: Option<Owner>,
    /// The store that takes memories of other programs when none is named.
    pub otherwise: StoreName,
    /// Whether nothing is written.
    pub dry_run: bool,
}

impl Import {
    /// The store that takes memories of other programs.
    fn taker(&self) -> Result<&StoreName> {
        match &self.store {
            None => Ok(&self.otherwise),
            Some(Owner::Store(store)) => Ok(store),
            Some(Owner::Base(_)) => {
                let reason = "must be a store: a knowledge base takes no memories".to_owned();
                Err(Error::Invalid { field: "store", reason })
            }
        }
    }
}

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// What the source is.
    pub format: SourceFormat,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// What became of its files.
    pub outcomes: Outcomes,
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
            (Some(SourceFormat::Coffer), Source::File(..)) => Ok(SourceFormat::Coffer),
            (Some(format), _) => request.taker().map(|_| format),
            (None, _) => bad("nothing tells what it is; name the format"),
        }
    }

    /// Imports, or says what an import would do. `progress` is told files done and in all, and ends
    /// the work by `false`; what was written before stays. `others` takes in what else an archive holds,
    /// and adds to how many files were written, and what became of each.
    ///
    /// # Errors
    ///
    /// As `check_import`; an archive that is damaged, of which nothing is taken; files that cannot
    /// be written; `Cancelled`.
    pub(crate) fn import(
        &self,
        request: &Import,
        now: Timestamp,
        progress: Progress<'_>,
        others: impl FnOnce(&mut u64, &mut Outcomes) -> Result<()>,
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
                let into = request.taker()?;
                foreign::take_in(&mut intake, &source, format, into)
            }
        };
        let taken = taken.and_then(|()| intake.flush());
        let (mut written, mut report) = intake.into_report();
        let taken = taken.and_then(|()| match format {
            SourceFormat::Coffer => others(&mut written, &mut report.outcomes),
            SourceFormat::Foreign(_) => Ok(()),
        });
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
            ("same", report.outcomes.same),
            ("conflicting", report.outcomes.conflicting),
            ("skipped", report.outcomes.skipped.count()),
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
