//! Records of purges under way: what is to be taken out must not stand in the tables of jobs, so that
//! it has a file of its own, readable by its owner only, which goes with the purge.

use coffer_domain::id::Id;
use coffer_env::Home;
use serde::{Deserialize, Serialize};

use super::finder::Wanted;
use crate::error::{Error, Result};
use crate::vault::{Dir, Expect, walk};

/// The file of a record.
#[derive(Serialize, Deserialize)]
struct Written {
    text: Option<String>,
    pattern: Option<String>,
    dry_run: bool,
    /// What names are made of what was found, since that is gone once files are written anew.
    names: Vec<String>,
}

/// What a record says.
pub(super) struct Record {
    pub wanted: Wanted,
    pub dry_run: bool,
    pub names: Vec<String>,
}

impl Record {
    fn bytes(&self) -> Vec<u8> {
        let (text, pattern) = match &self.wanted {
            Wanted::Text(text) => (Some(text.clone()), None),
            Wanted::Pattern(pattern) => (None, Some(pattern.clone())),
            Wanted::Secrets => (None, None),
        };
        let written = Written { text, pattern, dry_run: self.dry_run, names: self.names.clone() };
        serde_json::to_vec(&written).unwrap_or_default()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let Written { text, pattern, dry_run, names } = serde_json::from_slice(bytes).ok()?;
        let wanted = match (text, pattern) {
            (Some(text), _) => Wanted::Text(text),
            (None, Some(pattern)) => Wanted::Pattern(pattern),
            (None, None) => Wanted::Secrets,
        };
        Some(Self { wanted, dry_run, names })
    }
}

/// The folder of the records.
pub(super) struct Records(Dir);

impl Records {
    /// The records of a home.
    pub(super) fn of(home: &Home) -> Result<Self> {
        Dir::make(&home.purges()).map(Self)
    }

    /// Writes a record down.
    pub(super) fn add(&self, id: &Id, record: &Record) -> Result<()> {
        let written = self.0.write(&name(id), &record.bytes(), Expect::Absent);
        written.map(drop).inspect_err(|_| {
            let _ = self.remove(id);
        })
    }

    /// Reads a record; `None` where there is none any more.
    pub(super) fn get(&self, id: &Id) -> Result<Option<Record>> {
        let Some(file) = self.0.read(&name(id))? else { return Ok(None) };
        let record = Record::read(&file.bytes);
        record.map(Some).ok_or_else(|| {
            let reason = "the record of what is to be purged is damaged; ask again".to_owned();
            Error::Unavailable { action: "read", path: self.0.path().to_owned(), reason }
        })
    }

    /// Writes down what names are made of what was found.
    pub(super) fn note(&self, id: &Id, record: &Record) -> Result<()> {
        let name = name(id);
        let Some(present) = self.0.read(&name)? else { return Ok(()) };
        self.0.write(&name, &record.bytes(), Expect::as_read(Some(&present))).map(drop)
    }

    /// The purge is over.
    pub(super) fn remove(&self, id: &Id) -> Result<()> {
        self.0.remove(name(id).as_ref())
    }

    /// The records that there are.
    pub(super) fn ids(&self) -> Vec<Id> {
        let found = walk(&self.0, &[""], |path| path.ends_with(".json"));
        let stem = |path: &str| Id::parse(path.strip_suffix(".json")?);
        found.files.iter().filter_map(|file| stem(&file.path)).collect()
    }
}

fn name(id: &Id) -> String {
    format!("{id}.json")
}
