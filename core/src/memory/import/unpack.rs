//! An archive of Coffer's: looked through wholly before its first file is written, so that a
//! damaged one changes nothing.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Seek as _};
use std::path::Path;

use coffer_domain::archive::{Owner, STORE_FILE, is_of_base, place_of};
use coffer_domain::fact::Author;
use coffer_domain::id::sha256;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::Import;
use super::intake::{Intake, Offered};
use crate::archive::{Entry, LIMITS, Listed, Verdict, read, survey};
use crate::error::{Error, Result};
use crate::knowledge::{Outcome, SettingsFile as _};
use crate::memory::store_file::StoreFile;
use crate::memory::{Memory, audit_row};
use crate::vault::{Dir, Expect};

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
    let mut survey = survey(&archive, path, &|name| judge(name, request.store.as_ref()))?;
    for (name, reason) in std::mem::take(&mut survey.refused) {
        intake.skip(name, reason);
    }
    let mut store_files: Vec<_> = std::mem::take(&mut survey.kept).into_iter().collect();
    // The global store before those of projects.
    store_files.sort_by_cached_key(|(name, _)| place_of(name).map(|(store, _)| store).ok());
    for (name, bytes) in store_files {
        let Ok((store, _)) = place_of(&name) else { continue };
        if let Some(listed) = survey.wanted.remove(&name) {
            take_store_file(intake, &store, &name, &bytes, listed.modified_ns)?;
        }
    }
    archive.rewind().map_err(|error| Error::file("read", path, &error))?;
    take_files(intake, &archive, path, survey.wanted)
}

/// What becomes of a file of an archive, by its name: knowledge bases take their own.
fn judge(name: &str, only: Option<&Owner>) -> Verdict {
    if is_of_base(name) || matches!(only, Some(Owner::Base(_))) {
        return Verdict::Ignore;
    }
    match place_of(name) {
        Err(reason) => Verdict::Refuse(reason),
        Ok((store, _)) if only.is_some_and(|only| *only != Owner::Store(store.clone())) => {
            Verdict::Ignore
        }
        Ok((_, STORE_FILE)) => Verdict::Keep,
        Ok(_) => Verdict::Take,
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
        let Entry::File { name, body } = entry else { return Ok(()) };
        let Some(listed) = wanted.remove(&name) else { return Ok(()) };
        intake.step(total - wanted.len() as u64 - 1, total)?;
        let bytes = body.whole()?;
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
