//! Installing a model: its files are copied or fetched beside it, compared with their checksums,
//! tried out, and only then given the model's name. Nothing that is installed is written over.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use coffer_env::clock;
use sha2::{Digest as _, Sha256};

use super::manifest::{Entry, MANIFEST, Manifest};
use super::source::{Offer, Source};
use super::{Model, Models};
use crate::error::{Error, Result};
use crate::models::local::open_folder;
use crate::models::name::ModelName;
use crate::models::{Embedder as _, ModelFailure, Role};
use crate::vault::{Dir, Expect, remove_folder, split};

/// So much is copied at once; between two parts the work can be ended.
const PART: usize = 256 << 10;
/// How long a new model may take for a word.
const PATIENCE: Duration = Duration::from_secs(60);
/// What a new model is tried out with: one of the words must be readable.
const WORDS: [&str; 2] = ["test", "文字"];

/// What is to be installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Install {
    /// The name that it gets.
    pub name: ModelName,
    /// Where it is.
    pub from: InstallFrom,
}

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallFrom {
    /// A folder as Hugging Face has it, an absolute path.
    Folder(PathBuf),
    /// An address below which there are the files, and their list `coffer-model.json`.
    Url(String),
}

/// Told how many bytes of how many are there; says whether to go on.
type Told<'a> = &'a dyn Fn(u64, u64) -> bool;

impl Models {
    /// Looks whether an installation could begin, before work on it is queued.
    ///
    /// # Errors
    ///
    /// A name that is taken, a folder that holds no model, an address that is not asked.
    pub fn check_install(&self, install: &Install) -> Result<()> {
        self.refuse_taken(&install.name)?;
        match Source::of(&install.from, self.home.root())? {
            source @ Source::Folder { .. } => listed(&source).map(drop),
            Source::Web(_) => Ok(()),
        }
    }

    /// Installs a model.
    ///
    /// # Errors
    ///
    /// As above; a source that cannot be reached or is not what its list says; files that are no
    /// model; an end that was asked for. Nothing is left behind then.
    pub fn install(&self, install: &Install, told: Told<'_>) -> Result<Model> {
        let Install { name, from } = install;
        self.refuse_taken(name)?;
        let source = Source::of(from, self.home.root())?;
        let models = Dir::make(&self.home.models())?;
        remove_unfinished(&models)?;
        let unfinished = name.unfinished();
        let filled = models
            .make_at(&unfinished)
            .and_then(|dir| fill(&dir, &source, told).map(|()| dir))
            .and_then(|dir| try_out(dir, name).map_err(|failure| source.bad(failure.to_string())));
        if let Err(error) = filled {
            // The next installation takes away what cannot be removed now.
            let _ = remove_folder(&models, unfinished.as_ref());
            return Err(error);
        }
        models.rename(&unfinished, &models, name.as_str())?;
        Ok(self.look(models.at(name.as_str())?, name))
    }

    fn refuse_taken(&self, name: &ModelName) -> Result<()> {
        let models = Dir::find(&self.home.models())?;
        match models.map_or(Ok(None), |models| models.find_at(name.as_str()))? {
            Some(_) => Err(Error::ModelExists(name.to_string())),
            None => Ok(()),
        }
    }
}

/// Installations run one after another, so that what is unfinished is a dead one's.
fn remove_unfinished(models: &Dir) -> Result<()> {
    let folders = models.folders()?.into_iter();
    let dead = folders.filter(|folder| ModelName::is_unfinished(folder));
    dead.into_iter().try_for_each(|folder| remove_folder(models, folder.as_ref()))
}

/// The files that a source has, if they are a model's.
fn listed(source: &Source) -> Result<Vec<Offer>> {
    let offers = source.offers()?;
    let entry = |offer: &Offer| Entry { name: offer.name, size: offer.size, sha256: String::new() };
    let manifest = Manifest { files: offers.iter().map(entry).collect() };
    manifest.whole().map_err(|reason| source.bad(reason))?;
    Ok(offers)
}

fn fill(dir: &Dir, source: &Source, told: Told<'_>) -> Result<()> {
    let offers = listed(source)?;
    let total = offers.iter().map(|offer| offer.size).sum();
    let mut copy = Copy { source, told, done: 0, total };
    let mut manifest = Manifest::default();
    for Offer { name, size, sha256 } in offers {
        let (folder, file) = split(name);
        let mut found = String::new();
        dir.make_at(folder)?.write_parts(file, false, |to| {
            found = copy.file(name, size, to)?;
            Ok(())
        })?;
        if sha256.is_some_and(|wanted| wanted != found) {
            return Err(source.bad(format!("`{name}` is not what `{MANIFEST}` says: {found}")));
        }
        manifest.files.push(Entry { name, size, sha256: found });
    }
    dir.write(MANIFEST, &manifest.to_bytes(), Expect::Absent).map(drop)
}

/// Files on their way.
struct Copy<'a> {
    source: &'a Source,
    told: Told<'a>,
    done: u64,
    total: u64,
}

impl Copy<'_> {
    /// Copies a file of so many bytes and gives its checksum.
    fn file(&mut self, name: &'static str, size: u64, to: &mut File) -> Result<String> {
        let mut from = self.source.open(name)?;
        let (mut hash, mut left, mut part) = (Sha256::new(), size, vec![0; PART]);
        while left > 0 {
            let count = from.read(&mut part).map_err(|error| self.source.failed(name, &error))?;
            let bytes = &part[..count];
            if bytes.is_empty() || count as u64 > left {
                break;
            }
            hash.update(bytes);
            to.write_all(bytes).map_err(|error| Error::file("write", name.as_ref(), &error))?;
            left -= count as u64;
            self.tell(count as u64)?;
        }
        let is_longer = left == 0 && matches!(from.read(&mut part[..1]), Ok(1));
        if left > 0 || is_longer {
            return Err(self
                .source
                .bad(format!("`{name}` has not the {size} bytes that it should")));
        }
        Ok(hex::encode(hash.finalize()))
    }

    fn tell(&mut self, bytes: u64) -> Result<()> {
        self.done += bytes;
        if (self.told)(self.done, self.total) { Ok(()) } else { Err(Error::Cancelled) }
    }
}

/// A model that does not work is none.
fn try_out(dir: Dir, name: &ModelName) -> Result<(), ModelFailure> {
    let model = open_folder(dir, name)?;
    let words = WORDS.map(str::to_owned);
    let found = model.embed(&words, Role::Query, clock::instant() + PATIENCE)?;
    if found.iter().all(Option::is_none) {
        return Err(ModelFailure::Refused(format!("the model `{name}` can read no word")));
    }
    Ok(())
}
