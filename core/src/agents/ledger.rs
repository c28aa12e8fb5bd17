//! `installs/<agent>.json`: what undoes the changes of an agent's files, exactly. Not in the database,
//! which may be deleted. What is written here is this file's own form, and not the engine's types.

use std::path::PathBuf;

use coffer_env::Home;
use serde::{Deserialize, Serialize};

use crate::agent_files::{Change, FileRecord, Part, Splice, Step};
use crate::error::{Error, Result};
use crate::vault::{Dir, Expect, File};

/// The only form there is yet.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LedgerRow {
    version: u32,
    files: Vec<FileRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRow {
    path: PathBuf,
    created: bool,
    folders: Vec<PathBuf>,
    sha256_before: String,
    sha256_after: String,
    parts: Vec<PartRow>,
    changes: Vec<ChangeRow>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartRow {
    Mcp,
    Hook,
    Memory,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeRow {
    part: PartRow,
    entry: String,
    below: Vec<StepRow>,
    prior: Option<String>,
    there: usize,
    at: usize,
    removed: String,
    inserted: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StepRow {
    Key(String),
    Item(usize),
}

/// What Coffer noted of an agent's files.
pub(super) struct Ledger {
    name: String,
    file: Option<File>,
    records: Vec<FileRecord>,
}

impl Ledger {
    /// Reads that of an agent.
    pub(super) fn read(home: &Home, agent: &str) -> Result<Self> {
        let name = format!("{agent}.json");
        let file = match Dir::find(&home.installs())? {
            Some(dir) => dir.read(&name)?,
            None => None,
        };
        let damaged = || {
            let path = home.below(&format!("installs/{name}")).unwrap_or_else(|| home.installs());
            let reason = "it is damaged, or of a newer version; move it away".to_owned();
            Error::Unavailable { action: "read", path, reason }
        };
        let rows = file.as_ref().map(|file| serde_json::from_slice::<LedgerRow>(&file.bytes));
        let rows = rows.transpose().map_err(|_| damaged())?;
        if rows.as_ref().is_some_and(|rows| rows.version != VERSION) {
            return Err(damaged());
        }
        let records = rows.into_iter().flat_map(|rows| rows.files).map(of_row).collect();
        Ok(Self { name, file, records })
    }

    /// All of it.
    pub(super) fn records(&self) -> &[FileRecord] {
        &self.records
    }

    /// What was noted of a file.
    pub(super) fn of(&self, path: &std::path::Path) -> Option<&FileRecord> {
        self.records.iter().find(|record| record.path == path)
    }

    /// Notes something else of a file, or nothing more.
    pub(super) fn put(&mut self, path: &std::path::Path, record: Option<FileRecord>) {
        self.records.retain(|known| known.path != path);
        self.records.extend(record);
    }

    /// Folders that were made for a file that is gone go with the last other file in them.
    pub(super) fn hand_over(&mut self, folders: Vec<PathBuf>) {
        for folder in folders {
            let heir = self.records.iter_mut().find(|record| record.path.starts_with(&folder));
            if let Some(heir) = heir.filter(|heir| !heir.folders.contains(&folder)) {
                heir.folders.push(folder);
                heir.folders.sort();
            }
        }
    }

    /// Writes it; one without a word goes.
    pub(super) fn write(&mut self, home: &Home) -> Result<()> {
        let dir = Dir::make(&home.installs())?;
        if self.records.is_empty() {
            self.file = None;
            return dir.remove(self.name.as_ref());
        }
        let files = self.records.iter().map(to_row).collect();
        let rows = LedgerRow { version: VERSION, files };
        let bytes = serde_json::to_vec_pretty(&rows)
            .map_err(|error| Error::Internal(format!("the ledger cannot be written: {error}")))?;
        dir.write(&self.name, &bytes, Expect::as_read(self.file.as_ref()))?;
        self.file = dir.read(&self.name)?;
        Ok(())
    }
}

fn of_row(row: FileRow) -> FileRecord {
    let FileRow { path, created, folders, sha256_before, sha256_after, parts, changes } = row;
    let change = |row: ChangeRow| {
        let ChangeRow { part, entry, below, prior, there, at, removed, inserted } = row;
        let step = |step| match step {
            StepRow::Key(key) => Step::Key(key),
            StepRow::Item(index) => Step::Item(index),
        };
        let below = below.into_iter().map(step).collect();
        let splice = Splice { at, removed, inserted };
        (of_part(part), Change { entry, below, prior, there, splice })
    };
    FileRecord {
        path,
        created,
        folders,
        before: sha256_before,
        after: sha256_after,
        parts: parts.into_iter().map(of_part).collect(),
        changes: changes.into_iter().map(change).collect(),
    }
}

fn to_row(record: &FileRecord) -> FileRow {
    let FileRecord { path, created, folders, before, after, parts, changes } = record;
    let change = |(part, change): &(Part, Change)| {
        let Change { entry, below, prior, there, splice } = change.clone();
        let Splice { at, removed, inserted } = splice;
        let step = |step| match step {
            Step::Key(key) => StepRow::Key(key),
            Step::Item(index) => StepRow::Item(index),
        };
        let below = below.into_iter().map(step).collect();
        ChangeRow { part: to_part(*part), entry, below, prior, there, at, removed, inserted }
    };
    FileRow {
        path: path.clone(),
        created: *created,
        folders: folders.clone(),
        sha256_before: before.clone(),
        sha256_after: after.clone(),
        parts: parts.iter().map(|part| to_part(*part)).collect(),
        changes: changes.iter().map(change).collect(),
    }
}

const fn of_part(row: PartRow) -> Part {
    match row {
        PartRow::Mcp => Part::Mcp,
        PartRow::Hook => Part::Hook,
        PartRow::Memory => Part::Memory,
    }
}

const fn to_part(part: Part) -> PartRow {
    match part {
        Part::Mcp => PartRow::Mcp,
        Part::Hook => PartRow::Hook,
        Part::Memory => PartRow::Memory,
    }
}
