//! The file that is converted: opened once, only to be read.
#![expect(clippy::disallowed_methods, reason = "documents of a person stand anywhere")]

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use super::sniff::{self, HEAD, Kind};
use super::{Original, Rejected};

/// The largest file that is read. A caller may allow less.
const MOST: u64 = 128 << 20;

impl Original<'_> {
    /// The file, open. What is none, such as a pipe, would keep who opens it waiting.
    pub(super) fn open(&self) -> Result<File, Rejected> {
        let found = self.path.metadata().map_err(|error| unavailable(&error))?;
        if !found.is_file() {
            return Err(Rejected::Unavailable("it is no file".to_owned()));
        }
        File::open(self.path).map_err(|error| unavailable(&error))
    }
}

/// What the file is. It stands at its beginning afterwards.
pub(super) fn kind(name: &str, mut file: &File) -> Result<Kind, Rejected> {
    let mut head = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut head).map_err(|error| unavailable(&error))?;
    file.seek(SeekFrom::Start(0)).map_err(|error| unavailable(&error))?;
    Ok(sniff::kind(name, &head))
}

/// All of it.
pub(super) fn read(file: impl io::Read) -> Result<Vec<u8>, Rejected> {
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| unavailable(&error))?;
    if bytes.len() as u64 > MOST {
        return Err(Rejected::TooLarge(format!("more than {} MiB", MOST >> 20)));
    }
    Ok(bytes)
}

fn unavailable(error: &io::Error) -> Rejected {
    Rejected::Unavailable(error.to_string())
}
