//! Records of items that are finding their place: what outlives the process that began it.

use std::path::PathBuf;

use coffer_domain::id::sha256;
use coffer_domain::time::Timestamp;
use coffer_env::Home;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::knowledge::StoreRef;
use crate::vault::{Dir, Expect, walk};

/// A file that takes an item in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pending {
    /// The store's folder.
    pub root: PathBuf,
    /// The file, relative to the store.
    pub path: String,
    /// SHA-256 of what it says once it is written.
    pub sha256: String,
    /// The item, relative to the store.
    pub item: String,
    /// SHA-256 of what the item says.
    pub item_sha256: String,
    at_micros: i64,
}

/// One that is written down.
pub(super) struct Begun {
    pub pending: Pending,
    folder: PathBuf,
    name: String,
}

impl Pending {
    pub(super) fn new(
        at: &StoreRef,
        (path, text): (&str, &str),
        (item, bytes): (&str, &[u8]),
        now: Timestamp,
    ) -> Self {
        Self {
            root: at.root.clone(),
            path: path.to_owned(),
            sha256: sha256(text),
            item: item.to_owned(),
            item_sha256: sha256(bytes),
            at_micros: now.micros(),
        }
    }

    /// When it began.
    pub(super) const fn at(&self) -> Timestamp {
        Timestamp::from_micros(self.at_micros)
    }

    /// Writes it down; it counts from then on.
    pub(super) fn begin(self, home: &Home) -> Result<Begun> {
        let folder = Dir::make(&home.curating())?;
        let record = serde_json::to_vec(&self).unwrap_or_default();
        let name = format!("{}.json", &sha256(&record)[..32]);
        folder.write(&name, &record, Expect::Absent).map(drop).inspect_err(|_| {
            // A record that may stand all the same must not be carried out later.
            let _ = folder.remove(name.as_ref());
        })?;
        Ok(Begun { pending: self, folder: home.curating(), name })
    }

    /// All that a dead process left.
    pub(super) fn all(home: &Home) -> Vec<Begun> {
        let Ok(Some(folder)) = Dir::find(&home.curating()) else { return Vec::new() };
        let found = walk(&folder, &[""], |path| path.ends_with(".json") && !path.contains('/'));
        let begun = |name: String| {
            let file = folder.read(&name).ok()??;
            let pending = serde_json::from_slice(&file.bytes).ok()?;
            Some(Begun { pending, folder: home.curating(), name })
        };
        found.files.into_iter().filter_map(|found| begun(found.path)).collect()
    }
}

impl Begun {
    /// Forgets it: it is finished, and to finish it again does nothing.
    pub(super) fn forget(&self) {
        let removed = Dir::open(&self.folder).and_then(|folder| folder.remove(self.name.as_ref()));
        if let Err(error) = removed {
            tracing::warn!(%error, "the record of an item that found its place is left");
        }
    }
}
