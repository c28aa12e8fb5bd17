//! The files that documents were made of: finding one, putting one back, and which are not there.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::PathBuf;

use coffer_domain::id::Id;
use coffer_domain::kb::{DocumentText, KbName, SourceMode, extension};
use coffer_env::KbPaths;
use sha2::{Digest as _, Sha256};

use super::config::DOCUMENT_BYTES;
use super::sources::{EDITED, blocked};
use super::{Incoming, KnowledgeBases, Opened};
use crate::error::{Error, Result};
use crate::index::{Record, converted};
use crate::vault::{Dir, Expect, File, below};

/// An original that a document was made of.
pub(super) struct Kept {
    pub path: PathBuf,
    /// Its own name, before it was taken in.
    pub filename: String,
    pub sha256: String,
}

/// Documents and originals that lack each other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpaired {
    /// Names of originals whose documents are not there.
    pub originals: Vec<String>,
    /// Names of documents whose originals are not there.
    pub documents: Vec<String>,
}

impl KnowledgeBases {
    /// The file that a document was made from. For callers that hold the knowledge base.
    pub(super) fn original(&self, name: &KbName, opened: &Opened, id: &Id) -> Result<Kept> {
        let (record, file) = self.standing(opened, name, id)?;
        let read = read(&record, &file);
        if read.mode == SourceMode::Edited {
            return Err(blocked(id, EDITED));
        }
        let stem = KbPaths::stem(&record.path);
        let raw = opened.at.dir()?.find_at(KbPaths::RAW)?;
        let found = raw.as_ref().map(|raw| raw.names(|file| KbPaths::is_original(file, stem)));
        let found = found.transpose()?.unwrap_or_default();
        let Some(raw) = raw.filter(|_| !found.is_empty()) else {
            return Err(blocked(id, "its original is not there"));
        };
        for kept in found {
            let hash = raw.open_file(&kept)?.map(|(file, _)| hash_of(file)).transpose();
            let path = below(raw.path(), &kept);
            let sha256 = hash.map_err(|error| Error::file("read", &path, &error))?;
            if let Some(sha256) = sha256.filter(|hash| read.source_sha256.as_ref() == Some(hash)) {
                let filename = read.filename.unwrap_or(kept);
                return Ok(Kept { path, filename, sha256 });
            }
        }
        Err(blocked(id, "its original is another file by now; take that in instead"))
    }

    /// Puts an original back that a person took away, when the very file comes again.
    pub(super) fn put_back(
        &self,
        name: &KbName,
        opened: &Opened,
        (record, incoming): (&Record, &Incoming),
    ) -> Result<()> {
        let kept = KbPaths::original(KbPaths::stem(&record.path), &extension(&incoming.filename));
        if opened.at.dir()?.make_at(KbPaths::RAW)?.holds(&kept)? {
            return Ok(());
        }
        self.knowledge().exclusively(&opened.at, || {
            let (record, file) = self.standing(opened, name, &record.id)?;
            let raw = opened.at.dir()?.make_at(KbPaths::RAW)?;
            let is_its = read(&record, &file).source_sha256 == Some(incoming.sha256());
            if is_its && !raw.holds(&kept)? {
                raw.write(&kept, &incoming.bytes, Expect::Absent)?;
            }
            Ok(())
        })
    }

    /// Which documents and originals lack each other, by a person's hand.
    pub(crate) fn unpaired(&self, name: &KbName) -> Result<Unpaired> {
        let at = self.open(name)?.at;
        let root = at.dir()?;
        let names = |folder: &str| {
            root.find_at(folder)?
                .map_or(Ok(Vec::new()), |dir: Dir| dir.names(|name| !name.starts_with('.')))
        };
        let (mut originals, documents) = (names(KbPaths::RAW)?, names(KbPaths::DOCS)?);
        let known = self.knowledge().fresh(&at, |db| converted(db, &at.scope))?;
        let kept: HashSet<&str> =
            originals.iter().filter_map(|name| KbPaths::original_stem(name)).collect();
        let is_lost = |path: &String| !kept.contains(KbPaths::stem(path));
        let lost = known.into_iter().filter(is_lost).collect();
        let stems: HashSet<&str> = documents.iter().map(|name| KbPaths::stem(name)).collect();
        originals
            .retain(|name| KbPaths::original_stem(name).is_none_or(|stem| !stems.contains(stem)));
        originals.sort_unstable();
        Ok(Unpaired { originals, documents: lost })
    }
}

/// What a document's file says.
pub(super) fn read(record: &Record, file: &File) -> DocumentText {
    let text = String::from_utf8_lossy(&file.bytes);
    DocumentText::read(&text, &record.path, file.stat.modified())
}

/// The hash of a file. One larger than all that are taken in is read no further than that: it is none
/// of them.
pub(super) fn hash_of(file: impl Read) -> io::Result<String> {
    let mut file = file.take(DOCUMENT_BYTES.end() + 1);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hex::encode(hash.finalize())),
            Ok(read) => hash.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
