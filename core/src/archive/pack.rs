//! Writing an archive: the same files give the same bytes, but for the time in the list.

use std::io::{self, Read, Write};

use coffer_domain::archive::MANIFEST;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::manifest::{Listed, Manifest};

/// An archive under construction.
pub(crate) struct Packer<W: Write> {
    tar: tar::Builder<GzEncoder<W>>,
    files: Vec<Listed>,
}

impl<W: Write> Packer<W> {
    /// An archive that is written into `to`.
    pub(crate) fn new(to: W) -> Self {
        Self {
            tar: tar::Builder::new(GzEncoder::new(to, Compression::default())),
            files: Vec::new(),
        }
    }

    /// Adds a file; `modified_ns` is when it last changed, in nanoseconds since 1970.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8], modified_ns: i64) -> io::Result<()> {
        self.add_parts(name, bytes, bytes.len() as u64, modified_ns)
    }

    /// As `add`, for a file of so many bytes that is read a part at a time.
    pub(crate) fn add_parts(
        &mut self,
        name: &str,
        from: impl Read,
        size: u64,
        modified_ns: i64,
    ) -> io::Result<()> {
        let mut hashed = Hashed { from: from.take(size), hash: Sha256::new(), read: 0 };
        self.append(name, &mut hashed, size, modified_ns)?;
        if hashed.read != size {
            return Err(io::Error::other(format!("`{name}` became shorter while it was read")));
        }
        let sha256 = hex::encode(hashed.hash.finalize());
        self.files.push(Listed { path: name.to_owned(), sha256, modified_ns });
        Ok(())
    }

    /// Adds the list and ends the archive.
    pub(crate) fn finish(mut self, created_at: String) -> io::Result<W> {
        let manifest = Manifest::new(created_at, std::mem::take(&mut self.files));
        let bytes = serde_json::to_vec(&manifest)?;
        self.append(MANIFEST, bytes.as_slice(), bytes.len() as u64, 0)?;
        self.tar.into_inner()?.finish()
    }

    fn append(
        &mut self,
        name: &str,
        from: impl Read,
        size: u64,
        modified_ns: i64,
    ) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(u64::try_from(modified_ns / 1_000_000_000).unwrap_or(0));
        self.tar.append_data(&mut header, name, from)
    }
}

/// A stream, and the hash of what was read of it.
struct Hashed<R> {
    from: R,
    hash: Sha256,
    read: u64,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        self.hash.update(&into[..read]);
        self.read += read as u64;
        Ok(read)
    }
}
