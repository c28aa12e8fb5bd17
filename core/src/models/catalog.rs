//! Which models are installed, and removing them. Installing is `install`.
//!
//! A model is a folder below `models/`. It can be put there by hand; Coffer's own way also leaves a
//! list of its files with their checksums.

mod install;
mod manifest;
mod source;
#[cfg(test)]
mod tests;
mod web;

use std::sync::Arc;

use coffer_env::Home;

use super::ModelFailure;
use super::local::{FILES, ModelKind, WEIGHTS, measure};
use super::name::ModelName;
use crate::error::{Error, Result};
use crate::vault::{Dir, remove_folder};
use manifest::Manifest;

pub use install::{Install, InstallFrom};

/// The models of one home.
#[derive(Clone)]
pub struct Models {
    home: Home,
    configured: Arc<dyn Fn() -> Option<String> + Send + Sync>,
}

/// An installed model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name, which is its folder's.
    pub name: String,
    /// What it is; unknown when it cannot be used.
    pub kind: Option<ModelKind>,
    /// How many numbers a vector of it has; unknown when it cannot be used.
    pub dimensions: Option<u64>,
    /// The size of its files.
    pub size_bytes: u64,
    /// The checksum of its weights, as it was when the model was installed.
    pub sha256: Option<String>,
    /// Whether its files are those that were installed.
    pub checksum: Checksum,
    /// Whether the settings name it.
    pub in_use: bool,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// Whether the files of a model are those that were installed, by their names and sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checksum {
    /// They are.
    Recorded,
    /// Another file is there, or one is missing or has another size.
    Changed,
    /// Nobody knows: the folder was put there by hand.
    Unknown,
}

impl Checksum {
    const ALL: [Self; 3] = [Self::Recorded, Self::Changed, Self::Unknown];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Changed => "changed",
            Self::Unknown => "unknown",
        }
    }

    /// The state of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl Models {
    /// The models of a home; `configured` says which one the settings name.
    pub(crate) fn new(
        home: Home,
        configured: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self { home, configured: Arc::new(configured) }
    }

    /// All models, by name. One that cannot be used is in the list, too, with the reason.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read.
    pub fn list(&self) -> Result<Vec<Model>> {
        let Some(models) = Dir::find(&self.home.models())? else { return Ok(Vec::new()) };
        let names = models.folders()?;
        let names = names.iter().filter_map(|name| ModelName::parse(name));
        names.map(|name| Ok(self.look(models.at(name.as_str())?, &name))).collect()
    }

    /// Removes a model for good.
    ///
    /// # Errors
    ///
    /// No such model, the one that the settings name, or files that cannot be removed.
    pub fn remove(&self, name: &str) -> Result<()> {
        let missing = || Error::ModelNotFound(name.to_owned());
        let name = ModelName::parse(name).ok_or_else(missing)?;
        let models = Dir::find(&self.home.models())?.ok_or_else(missing)?;
        models.find_at(name.as_str())?.ok_or_else(missing)?;
        if self.is_in_use(&name) {
            return Err(Error::ModelInUse(name.to_string()));
        }
        // Under its own name a model is there whole or not at all.
        let unfinished = name.unfinished();
        remove_folder(&models, unfinished.as_ref())?;
        models.rename(name.as_str(), &models, &unfinished)?;
        remove_folder(&models, unfinished.as_ref())
    }

    fn look(&self, dir: Dir, name: &ModelName) -> Model {
        let manifest = Manifest::of(&dir);
        // What cannot be looked at is what the problem is about.
        let size = |file| Some((file, dir.stat_at(file).ok()??.size));
        let sizes: Vec<(&str, u64)> = FILES.into_iter().filter_map(size).collect();
        let checksum = match &manifest {
            None => Checksum::Unknown,
            Some(manifest) if manifest.sizes() == sizes => Checksum::Recorded,
            Some(_) => Checksum::Changed,
        };
        let measured = measure(dir);
        let (kind, width) = measured.as_ref().ok().copied().unzip();
        Model {
            name: name.to_string(),
            kind,
            dimensions: width.and_then(|width| u64::try_from(width).ok()),
            size_bytes: sizes.iter().map(|(_, size)| size).sum(),
            sha256: manifest.and_then(|manifest| manifest.sha256(WEIGHTS)),
            checksum,
            in_use: self.is_in_use(name),
            problem: measured.err().map(|failure: ModelFailure| failure.to_string()),
        }
    }

    fn is_in_use(&self, name: &ModelName) -> bool {
        (self.configured)().is_some_and(|configured| configured == name.as_str())
    }
}
