//! An archive of Coffer's: looked through wholly before its first file is written, so that a
//! damaged one changes nothing.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufReader, Seek as _};
use std::path::Path;

use coffer_domain::archive::{MANIFEST, STORE_FILE, name_of, place_of};
use coffer_domain::fact::Author;
use coffer_domain::id::sha256;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::intake::{Intake, Offered};
use super::{Import, Outcome};
use crate::archive::{Entry, LIMITS, Listed, Manifest, read};
use crate::error::{Error, Result};
use crate::knowledge::SettingsFile as _;
use crate::memory::store_file::StoreFile;
use crate::memory::{Memory, audit_row};
use crate::vault::{Dir, Expect};

/// What an archive holds that may be taken.
#[derive(Default)]
struct Survey {
    /// By name, and how the list has it.
    wanted: HashMap<String, Listed>,
    /// The `store.yaml` of each store.
    store_files: BTreeMap<StoreName, Vec<u8>>,
    /// What is not taken, and why.
    refused: BTreeMap<String, String>,
    manifest: Option<Manifest>,
}

/// Takes in what an archive holds.
pub(super) fn unpack(
    intake: &mut Intake<'_>,
    request: &Import,
    dir: &Dir,
    name: &str,
) -> Result<()> {
    let path = request.path.as_path();
    let missing = || Error::BadSource { path: path.to_owned(), reason: "it is gone".to_owned() };
    let (mut archive, _) = dir.open_file(name)?.ok_or_else(missing)?;
    let only = request.store.as_ref();
    let mut survey = survey(&archive, path, only)?;
    for (name, reason) in std::mem::take(&mut survey.refused) {
        intake.skip(name, reason);
    }
    for (store, bytes) in std::mem::take(&mut survey.store_files) {
        let name = name_of(&store, STORE_FILE);
        if let Some(listed) = survey.wanted.remove(&name) {
            take_store_file(intake, &store, &name, &bytes, listed.modified_ns)?;
        }
    }
    archive.rewind().map_err(|error| Error::file("read", path, &error))?;
    take_files(intake, &archive, path, survey.wanted)
}

/// Looks an archive through.
fn survey(archive: &File, path: &Path, only: Option<&StoreName>) -> Result<Survey> {
    let mut survey = Survey::default();
    let mut seen: HashMap<String, String> = HashMap::new();
    let bad = |reason: String| Error::BadSource { path: path.to_owned(), reason };
    read(BufReader::new(archive), path, &LIMITS, |entry| {
        match entry {
            Entry::Refused { name, reason } => survey.refuse(name, reason),
            Entry::File { name, bytes } if name == MANIFEST => {
                let manifest = Manifest::parse(&bytes).map_err(bad)?;
                if survey.manifest.replace(manifest).is_some() {
                    return Err(bad("it has two lists of its files".to_owned()));
                }
            }
            Entry::File { name, bytes } => match place_of(&name) {
                Err(reason) => survey.refuse(name, reason),
                Ok((store, _)) if only.is_some_and(|only| *only != store) => {}
                Ok(_) if seen.contains_key(&name) => survey.refuse(name, "it is there twice"),
                Ok((store, relative)) => {
                    let hash = sha256(&bytes);
                    if relative == STORE_FILE {
                        survey.store_files.insert(store, bytes);
                    }
                    seen.insert(name, hash);
                }
            },
        }
        Ok(())
    })?;
    let manifest = survey.manifest.take().ok_or_else(|| {
        bad(format!("it holds no `{MANIFEST}`, so it is no export of Coffer, or cut off"))
    })?;
    survey.compare(manifest, seen, only);
    Ok(survey)
}

impl Survey {
    fn refuse(&mut self, name: String, reason: impl Into<String>) {
        self.refused.entry(name).or_insert_with(|| reason.into());
    }

    /// Wants what is there as the list has it.
    fn compare(
        &mut self,
        manifest: Manifest,
        mut seen: HashMap<String, String>,
        only: Option<&StoreName>,
    ) {
        for listed in manifest.files {
            let of_others = |(store, _): (StoreName, &str)| only.is_some_and(|it| *it != store);
            if place_of(&listed.path).is_ok_and(of_others) {
                continue;
            }
            match seen.remove(&listed.path) {
                Some(hash) if hash == listed.sha256 => {
                    self.wanted.insert(listed.path.clone(), listed);
                }
                Some(_) => self.refuse(listed.path, "its bytes are not those that the list names"),
                None if self.wanted.contains_key(&listed.path) => {}
                None => self.refuse(listed.path, "the list names it, and it is not there"),
            }
        }
        for name in seen.into_keys() {
            self.refuse(name, "the list does not name it");
        }
    }
}

/// A store's identity and settings: what a store here says of itself stays.
fn take_store_file(
    intake: &mut Intake<'_>,
    store: &StoreName,
    name: &str,
    bytes: &[u8],
    modified_ns: i64,
) -> Result<()> {
    let heir = intake.living(store)?;
    if heir != *store {
        intake.skip(name, format!("the store was merged into `{heir}`, which has one of its own"));
        return Ok(());
    }
    let dir = intake.memory.store_ref(store).found()?;
    match dir.map_or(Ok(None), |dir| dir.read(STORE_FILE)) {
        Err(error) => intake.skip(name, error.to_string()),
        Ok(Some(file)) if file.bytes == bytes => {
            intake.count(name, store, STORE_FILE, Outcome::Same);
        }
        Ok(Some(_)) => intake.skip(name, "the store here has one of its own, which stays"),
        Ok(None) => {
            intake.count(name, store, STORE_FILE, Outcome::Added);
            if !intake.dry_run {
                let modified_ns = intake.past(modified_ns);
                intake.memory.adopt(store, bytes, modified_ns, intake.now)?;
                intake.wrote();
            }
        }
    }
    Ok(())
}

/// Reads an archive once more, and takes in what is wanted.
fn take_files(
    intake: &mut Intake<'_>,
    archive: &File,
    path: &Path,
    mut wanted: HashMap<String, Listed>,
) -> Result<()> {
    let total = wanted.len() as u64;
    let changed = || {
        let reason = "it changed while it was read; import it again".to_owned();
        Error::BadSource { path: path.to_owned(), reason }
    };
    read(BufReader::new(archive), path, &LIMITS, |entry| {
        let Entry::File { name, bytes } = entry else { return Ok(()) };
        let Some(listed) = wanted.remove(&name) else { return Ok(()) };
        intake.step(total - wanted.len() as u64 - 1, total)?;
        if sha256(&bytes) != listed.sha256 {
            return Err(changed());
        }
        let (store, relative) = place_of(&name).map_err(|_| changed())?;
        let modified_ns = intake.past(listed.modified_ns);
        intake.offer(Offered { from: &name, store: &store, path: relative, bytes, modified_ns })
    })
}

impl Memory {
    /// Makes a store of this `store.yaml`.
    fn adopt(
        &self,
        store: &StoreName,
        bytes: &[u8],
        modified_ns: i64,
        now: Timestamp,
    ) -> Result<()> {
        let dir = self.made(&self.store_ref(store))?;
        dir.write_dated(STORE_FILE, bytes, Expect::Absent, Some(modified_ns))?;
        let (file, _) = StoreFile::read(&String::from_utf8_lossy(bytes));
        self.mirror(store, &file, now);
        self.audit(&audit_row("resource_created", &Author::USER, store, &[], now));
        self.changed(store);
        Ok(())
    }
}
