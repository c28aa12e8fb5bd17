//! Writing an archive: the same files give the same bytes, but for the time in the list.

use std::io::{self, Write};

use coffer_domain::archive::MANIFEST;
use coffer_domain::id::sha256;
use flate2::Compression;
use flate2::write::GzEncoder;

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
        self.append(name, bytes, modified_ns)?;
        let listed = Listed { path: name.to_owned(), sha256: sha256(bytes), modified_ns };
        self.files.push(listed);
        Ok(())
    }

    /// Adds the list and ends the archive.
    pub(crate) fn finish(mut self, created_at: String) -> io::Result<W> {
        let manifest = Manifest::new(created_at, std::mem::take(&mut self.files));
        let bytes = serde_json::to_vec(&manifest)?;
        self.append(MANIFEST, &bytes, 0)?;
        self.tar.into_inner()?.finish()
    }

    fn append(&mut self, name: &str, bytes: &[u8], modified_ns: i64) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(u64::try_from(modified_ns / 1_000_000_000).unwrap_or(0));
        self.tar.append_data(&mut header, name, bytes)
    }
}
