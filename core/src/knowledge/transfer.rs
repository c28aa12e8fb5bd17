//! What an export takes along of either face, and what an import says of its files.

use coffer_domain::archive::Owner;

use crate::vault::Dir;

/// So many rows of each list are reported.
const REPORTED: usize = 1_000;

/// Files that travel together.
pub(crate) struct Folder {
    /// The folder that they are in.
    pub dir: Dir,
    /// Relative to it, in the order of the archive, and their names there.
    pub files: Vec<(String, String)>,
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
    /// The store, or the knowledge base.
    pub store: Owner,
    /// The path relative to that; of a memory that is there already, its place in the source.
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
    pub(crate) fn add(&mut self, path: impl Into<String>, reason: impl Into<String>) {
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

/// What becomes of files, counted, and named where nothing is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcomes {
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
}

impl Outcomes {
    /// Counts a file, and names it where that is wanted, up to a thousand of them.
    pub(crate) fn count(&mut self, file: ImportedFile, is_named: bool) {
        match file.outcome {
            Outcome::Added => self.added += 1,
            Outcome::Same => self.same += 1,
            Outcome::Conflicting => self.conflicting += 1,
        }
        if is_named {
            self.name(file);
        }
    }

    fn name(&mut self, file: ImportedFile) {
        if self.files.len() < REPORTED {
            self.files.push(file);
        } else {
            self.more_files += 1;
        }
    }
}
