//! A file on its way into a knowledge base: its name, its bytes, and where it stands.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use coffer_domain::id::sha256;

use crate::convert::Rejected;
use crate::error::{Error, Result, Unfit};
use crate::index::Origin;
use crate::vault::{Dir, Source};

/// The longest name of an original, in bytes.
const NAME_BYTES: usize = 1_024;

/// A file on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// Its name, or its path in the folder that is taken in.
    pub filename: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it stands, absolute, when it was named by its path.
    pub source_path: Option<String>,
}

impl Incoming {
    /// A file of a name that can be kept, not larger than `most` bytes.
    pub(super) fn check(&self, most: u64) -> Result<()> {
        let Self { filename, bytes, .. } = self;
        let is_odd = filename.trim().is_empty() || filename.chars().any(char::is_control);
        if is_odd || filename.len() > NAME_BYTES {
            let reason = format!("must be one line of 1 to {NAME_BYTES} bytes");
            return Err(Error::Invalid { field: "filename", reason });
        }
        if bytes.is_empty() {
            return Err(unfit(filename, Unfit::Empty, "it is empty"));
        }
        if bytes.len() as u64 > most { Err(too_large(filename, most)) } else { Ok(()) }
    }

    /// By what a document of the same file is found.
    pub(super) fn origin(&self) -> Origin<'_> {
        match &self.source_path {
            Some(path) => Origin::Path(path),
            None => Origin::Filename(&self.filename),
        }
    }

    /// The hash of its bytes.
    pub(super) fn sha256(&self) -> String {
        sha256(&self.bytes)
    }

    /// The file at an absolute path, of at most so many bytes.
    pub(super) fn at(path: &Path, home: &Path, most: u64) -> Result<Self> {
        let bad =
            |reason: &str| Error::BadSource { path: path.to_owned(), reason: reason.to_owned() };
        let Source::File(dir, name) = Source::open(path, home)? else {
            return Err(bad("it is a folder"));
        };
        // Where it stands without links and detours, so that a folder gives the same place.
        let source: PathBuf = dir.path().iter().chain([name.as_ref()]).collect();
        let source = source.to_str().ok_or_else(|| bad("its path is not UTF-8"))?;
        Self::below(&dir, &name, &name, source, most)?.ok_or_else(|| bad("it is gone"))
    }

    /// A file below a folder; `None` for one that is gone.
    pub(super) fn below(
        dir: &Dir,
        path: &str,
        filename: &str,
        source: &str,
        most: u64,
    ) -> Result<Option<Self>> {
        let Some((file, stat)) = dir.open_at(path)? else { return Ok(None) };
        if stat.size > most {
            return Err(too_large(filename, most));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0));
        let read = file.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| Error::file("read", Path::new(source), &error))?;
        let (filename, source_path) = (filename.to_owned(), Some(source.to_owned()));
        Ok(Some(Self { filename, bytes, source_path }))
    }
}

/// A file is not taken.
pub(super) fn unfit(name: &str, reason: Unfit, message: impl Into<String>) -> Error {
    Error::IngestRejected { name: name.to_owned(), reason, message: message.into() }
}

fn too_large(name: &str, most: u64) -> Error {
    unfit(name, Unfit::TooLarge, format!("it is larger than the {most} bytes that are taken"))
}

/// Why a file gave no Markdown, in a caller's terms.
pub(super) fn not_converted(name: &str, path: &Path, rejected: &Rejected) -> Error {
    let reason = match rejected {
        Rejected::Empty | Rejected::NeedsOcr => Unfit::Empty,
        Rejected::TooLarge(_) => Unfit::TooLarge,
        Rejected::Unsupported(_) => Unfit::UnsupportedType,
        Rejected::Encrypted
        | Rejected::Malformed(_)
        | Rejected::TimedOut
        | Rejected::OutOfMemory
        | Rejected::Crashed(_) => Unfit::Unreadable,
        Rejected::Cancelled => return Error::Cancelled,
        Rejected::Unavailable(reason) => {
            let (path, reason) = (path.to_owned(), reason.clone());
            return Error::Unavailable { action: "convert", path, reason };
        }
    };
    unfit(name, reason, rejected.to_string())
}
