//! Records of merges under way: what outlives the process that began one.

use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::Home;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::vault::{Dir, Expect, walk};

/// One merge.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// The store that goes.
    pub source: StoreName,
    /// The store that takes it in.
    pub target: StoreName,
    /// Who wants it.
    pub actor: String,
    /// When it began.
    pub at: Timestamp,
}

/// The file of a record.
#[derive(Serialize, Deserialize)]
struct Written {
    source: String,
    target: String,
    actor: String,
    at_micros: i64,
}

impl Record {
    /// A merge that begins.
    pub(super) fn new(source: &StoreName, target: &StoreName, actor: &str, at: Timestamp) -> Self {
        let (source, target) = (source.clone(), target.clone());
        Self { source, target, actor: actor.to_owned(), at }
    }

    /// One record for a store that goes: it cannot go twice.
    fn name(&self) -> String {
        format!("{}.json", self.source)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let Written { source, target, actor, at_micros } = serde_json::from_slice(bytes).ok()?;
        let (source, target) = (StoreName::parse(&source)?, StoreName::parse(&target)?);
        Some(Self { source, target, actor, at: Timestamp::from_micros(at_micros) })
    }
}

/// The folder of the records.
pub(super) struct Records(Dir);

impl Records {
    /// The records of a home.
    pub(super) fn of(home: &Home) -> Result<Self> {
        Dir::make(&home.merges()).map(Self)
    }

    /// Writes a record down; it counts from then on.
    pub(super) fn add(&self, record: &Record) -> Result<()> {
        let written = Written {
            source: record.source.to_string(),
            target: record.target.to_string(),
            actor: record.actor.clone(),
            at_micros: record.at.micros(),
        };
        let bytes = serde_json::to_vec(&written).unwrap_or_default();
        if self.0.stat(&record.name())?.is_some() {
            let reason = "a merge of this store waits to be finished".to_owned();
            let path = self.0.path().to_owned();
            return Err(Error::Unavailable { action: "record the merge in", path, reason });
        }
        self.0.write(&record.name(), &bytes, Expect::Absent).map(|_| ()).inspect_err(|_| {
            // A record that may stand all the same must not be carried out later.
            let _ = self.remove(record);
        })
    }

    /// What dead processes left, in the order of names.
    pub(super) fn all(&self) -> Result<Vec<Record>> {
        let found = walk(&self.0, &[""], |path| path.ends_with(".json"));
        let mut records = Vec::new();
        for found in found.files {
            match self.0.read(&found.path)?.map(|file| Record::read(&file.bytes)) {
                Some(Some(record)) => records.push(record),
                Some(None) => tracing::warn!(file = found.path, "the record of a merge is odd"),
                None => {}
            }
        }
        Ok(records)
    }

    /// The merge is over, or was never begun.
    pub(super) fn remove(&self, record: &Record) -> Result<()> {
        self.0.remove(record.name().as_ref())
    }
}
