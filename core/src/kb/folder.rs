//! Taking a folder in: every file that a person's tools see in it. It can be done again, and goes on
//! where it was cut off: what was taken in is known again by its place and its bytes.

use std::path::{Path, PathBuf};

use coffer_domain::fact::Author;
use coffer_domain::kb::{KbName, SourceMode};
use coffer_env::clock::{self, Stamp};

use super::intake::{Candidate, Fate, Fates, Standing};
use super::{Added, AddedAs, Incoming, KnowledgeBases, Opened};
use crate::error::{Error, Result, Unfit};
use crate::vault::{Dir, Source, Tree, tree};

/// So many files are taken in together.
const BATCH: usize = 64;
/// Files of more bytes than this are not taken in together with others.
const BATCH_BYTES: usize = 8 << 20;
/// So many files of each kind are named.
const REPORTED: usize = 1_000;

/// Which folder, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderIngest {
    /// The knowledge base.
    pub base: KbName,
    /// The folder, absolute.
    pub path: PathBuf,
    /// Whether other versions of what was taken in before take its place. Edited documents stay.
    pub replace: bool,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOutcome {
    /// It is a document now, or a new version of one.
    Ingested,
    /// It was there already.
    Unchanged,
    /// It was left out.
    Skipped,
    /// It could not be taken in.
    Failed,
}

impl FileOutcome {
    const ALL: [Self; 4] = [Self::Ingested, Self::Unchanged, Self::Skipped, Self::Failed];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ingested => "ingested",
            Self::Unchanged => "unchanged",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }

    /// The outcome of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word)
    }
}

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestedFile {
    /// Relative to the folder.
    pub path: String,
    /// What became of it.
    pub outcome: FileOutcome,
    /// Why it was left out, or could not be taken in.
    pub reason: Option<String>,
}

/// What became of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FolderReport {
    /// Files that are documents now.
    pub ingested: u64,
    /// Files that were there already.
    pub unchanged: u64,
    /// Files that were left out.
    pub skipped: u64,
    /// Files that could not be taken in.
    pub failed: u64,
    /// The first thousand that were left out or failed, and the first thousand others.
    pub files: Vec<IngestedFile>,
}

impl FolderReport {
    /// How many files there are beside those that are named.
    pub fn more_files(&self) -> u64 {
        let all = self.ingested + self.unchanged + self.skipped + self.failed;
        all.saturating_sub(self.files.len() as u64)
    }

    fn add(&mut self, path: &str, outcome: FileOutcome, reason: Option<String>) {
        let (ordinary, odd) = (self.ingested + self.unchanged, self.skipped + self.failed);
        let (counter, alike) = match outcome {
            FileOutcome::Ingested => (&mut self.ingested, ordinary),
            FileOutcome::Unchanged => (&mut self.unchanged, ordinary),
            FileOutcome::Skipped => (&mut self.skipped, odd),
            FileOutcome::Failed => (&mut self.failed, odd),
        };
        *counter += 1;
        if alike < REPORTED as u64 {
            self.files.push(IngestedFile { path: path.to_owned(), outcome, reason });
        }
    }

    /// Adds a file that was not taken in; an error that is not about one file is given back.
    fn add_error(&mut self, path: &str, error: Error) -> Result<()> {
        let outcome = match &error {
            Error::IngestRejected { reason, .. } => match reason {
                Unfit::Empty | Unfit::Duplicate | Unfit::UnsupportedType => FileOutcome::Skipped,
                Unfit::TooLarge | Unfit::Unreadable => FileOutcome::Failed,
            },
            Error::ReconversionBlocked { .. } => FileOutcome::Skipped,
            Error::Invalid { .. } | Error::BadSource { .. } | Error::VersionConflict { .. } => {
                FileOutcome::Failed
            }
            _ => return Err(error),
        };
        let reason = match error {
            Error::IngestRejected { message, .. } => message,
            Error::ReconversionBlocked { .. } => "its document was edited".to_owned(),
            other => other.to_string(),
        };
        self.add(path, outcome, Some(reason));
        Ok(())
    }
}

impl KnowledgeBases {
    /// Finds out whether a folder can be taken in, before work on it is queued; whether the path is one.
    ///
    /// # Errors
    ///
    /// No such knowledge base; a path where nothing is, or in Coffer's own folder.
    pub fn is_folder(&self, name: &KbName, path: &Path) -> Result<bool> {
        self.open(name)?;
        Ok(matches!(Source::open(path, self.0.home.root())?, Source::Folder(_)))
    }

    /// Takes a folder in, or a single file. `progress` is told done and total files, and ends the work by `false`; what
    /// was taken in by then stays.
    ///
    /// # Errors
    ///
    /// No such knowledge base or folder; files that cannot be written; `Cancelled`.
    pub fn ingest_folder(
        &self,
        request: &FolderIngest,
        progress: &dyn Fn(u64, u64) -> bool,
    ) -> Result<FolderReport> {
        let FolderIngest { base, path, replace } = request;
        let opened = self.open(base)?;
        let Source::Folder(dir) = Source::open(path, self.0.home.root())? else {
            return self.ingest_one(request);
        };
        let Tree { files, left_out } = tree(dir.path(), || progress(0, 0));
        // A walk that was ended early has not seen all files.
        if !progress(0, files.len() as u64) {
            return Err(Error::Cancelled);
        }
        let mut report = FolderReport::default();
        for (path, reason) in left_out {
            report.add(&path, FileOutcome::Skipped, Some(reason));
        }
        self.knowledge().reconcile(&opened.at)?;
        let total = files.len() as u64;
        let mut files = files.into_iter().peekable();
        let mut done = 0;
        while files.peek().is_some() {
            // Its settings may be others by now.
            let opened = self.open(base)?;
            let walk = Walk { name: base, opened: &opened, dir: &dir, replace: *replace };
            let (batch, seen) = self.next_batch(&walk, &mut files, &mut report)?;
            self.take_batch(&walk, &batch, &mut report, &|| !progress(done, total))?;
            done += seen;
            if !progress(done, total) {
                return Err(Error::Cancelled);
            }
        }
        Ok(report)
    }

    /// A single file, as a folder of one.
    fn ingest_one(&self, request: &FolderIngest) -> Result<FolderReport> {
        let FolderIngest { base, path, replace } = request;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut report = FolderReport::default();
        match self.add_path(base, path, *replace, &Author::USER, &Stamp::new()) {
            Ok(Added { outcome: AddedAs::New | AddedAs::Replacement, .. }) => {
                report.add(&name, FileOutcome::Ingested, None);
            }
            Ok(Added { outcome: AddedAs::Nothing, .. }) => {
                report.add(&name, FileOutcome::Unchanged, None);
            }
            Err(error) => report.add_error(&name, error)?,
        }
        Ok(report)
    }

    /// The next files that are to be taken in, and how many were looked at for it.
    fn next_batch(
        &self,
        walk: &Walk<'_>,
        files: &mut impl Iterator<Item = String>,
        report: &mut FolderReport,
    ) -> Result<(Vec<Candidate>, u64)> {
        let (mut batch, mut bytes, mut seen) = (Vec::new(), 0, 0);
        while batch.len() < BATCH && bytes < BATCH_BYTES && seen < 4 * BATCH as u64 {
            let Some(path) = files.next() else { break };
            seen += 1;
            match self.candidate(walk, &path) {
                Ok(Some(candidate)) => {
                    bytes += candidate.incoming.bytes.len();
                    batch.push(candidate);
                }
                Ok(None) => report.add(&path, FileOutcome::Unchanged, None),
                // The person's own files: one that cannot be read holds up no other.
                Err(error @ Error::Unavailable { .. }) => {
                    report.add(&path, FileOutcome::Failed, Some(error.to_string()));
                }
                Err(error) => report.add_error(&path, error)?,
            }
        }
        Ok((batch, seen))
    }

    /// A file that is to be taken in; `None` for one that was already.
    fn candidate(&self, walk: &Walk<'_>, path: &str) -> Result<Option<Candidate>> {
        let most = walk.opened.config.max_document_bytes;
        let source = walk.dir.path().iter().chain(path.split('/').map(AsRef::as_ref));
        let source: PathBuf = source.collect();
        let incoming = Incoming::below(walk.dir, path, path, &source.to_string_lossy(), most)?;
        let Some(incoming) = incoming else {
            return Err(Error::BadSource { path: source, reason: "it is gone".to_owned() });
        };
        incoming.check(most)?;
        let standing = self.standing_for(walk.opened, &incoming, true)?;
        match &standing {
            Standing::Same(record) => {
                self.put_back(walk.name, walk.opened, (record, &incoming))?;
                return Ok(None);
            }
            Standing::Other(record) if !walk.replace => {
                let is_edited = SourceMode::of_word(&record.source_mode) == SourceMode::Edited;
                let message = match is_edited {
                    true => "it changed since, and its document was edited",
                    false => "it changed since; say that changed files are to be replaced",
                };
                return Err(super::incoming::unfit(path, Unfit::Duplicate, message));
            }
            Standing::Other(_) | Standing::Nothing => {}
        }
        let id = clock::new_id(clock::now());
        Ok(Some(Candidate::new(incoming, &standing, &id).keeping_edits()))
    }

    fn take_batch(
        &self,
        walk: &Walk<'_>,
        batch: &[Candidate],
        report: &mut FolderReport,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let fates = match self.take_some(walk, batch, cancelled) {
            // Somebody saves one of the documents just now: that is no matter of the others.
            Err(Error::VersionConflict { .. }) => self.take_singly(walk, batch, cancelled)?,
            fates => fates?,
        };
        for (candidate, fate) in batch.iter().zip(fates) {
            let path = &candidate.incoming.filename;
            match fate {
                Ok((Fate::New | Fate::Replaced, _)) => {
                    report.add(path, FileOutcome::Ingested, None);
                }
                Ok((Fate::Unchanged, _)) => report.add(path, FileOutcome::Unchanged, None),
                Err(error) => report.add_error(path, error)?,
            }
        }
        self.changed(walk.name);
        Ok(())
    }
}

impl KnowledgeBases {
    fn take_some(
        &self,
        walk: &Walk<'_>,
        files: &[Candidate],
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Fates> {
        let by = (&Author::USER, clock::now());
        self.take_in((walk.name, walk.opened), files, cancelled, by)
    }

    fn take_singly(
        &self,
        walk: &Walk<'_>,
        files: &[Candidate],
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Fates> {
        let mut fates = Vec::with_capacity(files.len());
        for file in files {
            match self.take_some(walk, std::slice::from_ref(file), cancelled) {
                Err(error @ Error::VersionConflict { .. }) => fates.push(Err(error)),
                taken => fates.extend(taken?),
            }
        }
        Ok(fates)
    }
}

/// A folder that is taken in.
struct Walk<'a> {
    name: &'a KbName,
    opened: &'a Opened,
    dir: &'a Dir,
    replace: bool,
}
