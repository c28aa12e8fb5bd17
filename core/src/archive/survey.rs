//! Looking an archive through before anything of it is taken: its list, and what is there as the list has
//! it.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use coffer_domain::archive::MANIFEST;

use super::{Entry, LIMITS, Listed, Manifest, read};
use crate::error::{Error, Result};

/// What is to become of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It may be taken.
    Take,
    /// It may be taken, and its bytes are wanted first.
    Keep,
    /// It is refused.
    Refuse(&'static str),
    /// It is somebody else's matter.
    Ignore,
}

/// What an archive holds.
#[derive(Default)]
pub(crate) struct Survey {
    /// What may be taken, by name, and how the list has it.
    pub wanted: HashMap<String, Listed>,
    /// The bytes that were to be kept, by name.
    pub kept: BTreeMap<String, Vec<u8>>,
    /// What is not taken, and why.
    pub refused: BTreeMap<String, String>,
}

/// Looks an archive through. One that is damaged, or has no list, is an error; `path` is named in it.
pub(crate) fn survey(
    archive: &File,
    path: &Path,
    judge: &dyn Fn(&str) -> Verdict,
) -> Result<Survey> {
    let mut survey = Survey::default();
    let mut seen: HashMap<String, String> = HashMap::new();
    let mut list = None;
    let bad = |reason: String| Error::BadSource { path: path.to_owned(), reason };
    read(BufReader::new(archive), path, &LIMITS, |entry| {
        match entry {
            Entry::Refused { name, reason } if judge(&name) != Verdict::Ignore => {
                survey.refuse(name, reason);
            }
            Entry::Refused { .. } => {}
            Entry::File { name, body } if name == MANIFEST => {
                let manifest = Manifest::parse(&body.whole()?).map_err(bad)?;
                if list.replace(manifest).is_some() {
                    return Err(bad("it has two lists of its files".to_owned()));
                }
            }
            Entry::File { name, body } => match judge(&name) {
                Verdict::Refuse(reason) => survey.refuse(name, reason),
                Verdict::Ignore => {}
                Verdict::Take | Verdict::Keep if seen.contains_key(&name) => {
                    survey.refuse(name, "it is there twice");
                }
                Verdict::Take => drop(seen.insert(name, body.sha256()?)),
                Verdict::Keep => {
                    let mut bytes = Vec::new();
                    seen.insert(name.clone(), body.copy_to(&mut bytes)?);
                    survey.kept.insert(name, bytes);
                }
            },
        }
        Ok(())
    })?;
    let list = list.ok_or_else(|| {
        bad(format!("it holds no `{MANIFEST}`, so it is no export of Coffer, or cut off"))
    })?;
    survey.compare(list, seen, judge);
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
        judge: &dyn Fn(&str) -> Verdict,
    ) {
        for listed in manifest.files {
            if judge(&listed.path) == Verdict::Ignore {
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
