//! Reading an archive that may be hostile: one entry after the other, within limits.

use std::io::{self, Read, Write};
use std::path::Path;

use coffer_domain::archive::{MANIFEST, is_original};
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};
use tar::EntryType;

use crate::error::{Error, Result};

/// How much an archive may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Entries of any kind.
    pub entries: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of a document's original.
    pub original: u64,
    /// Bytes of the list.
    pub list: u64,
    /// Bytes of everything, unpacked.
    pub total: u64,
}

/// What an export of Coffer stays within: half a million files, 16 MiB each (an original 100 MiB), 8 GiB
/// in all.
pub(crate) const LIMITS: Limits = Limits {
    entries: 500_000,
    file: 16 << 20,
    original: 100 << 20,
    list: 256 << 20,
    total: 8 << 30,
};
/// The longest name of an entry, in bytes.
const NAME: u64 = 16 << 10;

/// An entry.
pub(crate) enum Entry<'a> {
    /// A file.
    File {
        /// Its name, unchecked.
        name: String,
        /// Its bytes, still to be read.
        body: Body<'a>,
    },
    /// Something that is not taken.
    Refused {
        /// Its name, for people.
        name: String,
        /// Why.
        reason: &'static str,
    },
}

/// The bytes of a file, which come as they are asked for.
pub(crate) struct Body<'a> {
    from: &'a mut dyn Read,
    size: u64,
    path: &'a Path,
}

impl Body<'_> {
    /// All of them.
    pub(crate) fn whole(self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.copy_to(&mut bytes)?;
        Ok(bytes)
    }

    /// Their hash.
    pub(crate) fn sha256(self) -> Result<String> {
        self.copy_to(&mut io::sink())
    }

    /// Writes them somewhere, a part at a time; their hash.
    pub(crate) fn copy_to(self, to: &mut dyn Write) -> Result<String> {
        let Self { from, size, path } = self;
        let mut hash = Sha256::new();
        let mut part = vec![0; 64 << 10];
        let mut left = size;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(part.len());
            // The library itself takes a cut-off file for a shorter one.
            let read = match from.read(&mut part[..most]) {
                Ok(0) => return Err(bad(path, &io::ErrorKind::UnexpectedEof.into())),
                read => read.map_err(|error| bad(path, &error))?,
            };
            hash.update(&part[..read]);
            to.write_all(&part[..read]).map_err(|error| Error::file("write", path, &error))?;
            left -= read as u64;
        }
        Ok(hex::encode(hash.finalize()))
    }
}

/// Hands out the entries of an archive, and looks at all of it: one that is cut off or changed on
/// its way is an error, though maybe only after its last entry. `path` is named in errors.
pub(crate) fn read(
    archive: impl Read,
    path: &Path,
    limits: &Limits,
    mut each: impl FnMut(Entry<'_>) -> Result<()>,
) -> Result<()> {
    let damaged = |error: io::Error| bad(path, &error);
    let bounded = Bounded { from: GzDecoder::new(archive), left: limits.total };
    let mut tar = tar::Archive::new(bounded);
    let mut name = None;
    // Raw, since the library would read names of any length into memory.
    for (count, entry) in (1..).zip(tar.entries().map_err(damaged)?.raw(true)) {
        let mut entry = entry.map_err(damaged)?;
        if count > limits.entries {
            return Err(damaged(too_large("it holds too many entries")));
        }
        match entry.header().entry_type() {
            EntryType::GNULongName => name = Some(long_name(&mut entry).map_err(damaged)?),
            EntryType::XHeader => name = pax_name(&mut entry).map_err(damaged)?.or(name),
            EntryType::GNULongLink | EntryType::XGlobalHeader => {}
            EntryType::Directory => name = None,
            _ => {
                let name = name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                each(taken(&mut entry, name, path, limits))?;
            }
        }
    }
    // What follows the last entry holds the checksum of the whole.
    io::copy(&mut tar.into_inner(), &mut io::sink()).map_err(damaged)?;
    Ok(())
}

fn taken<'a>(
    entry: &'a mut tar::Entry<'_, impl Read>,
    name: Vec<u8>,
    path: &'a Path,
    limits: &Limits,
) -> Entry<'a> {
    let refused = |name: &[u8], reason| Entry::Refused {
        name: String::from_utf8_lossy(name).into_owned(),
        reason,
    };
    match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous => {}
        EntryType::Link | EntryType::Symlink => {
            return refused(&name, "it is a link, which is never followed");
        }
        _ => return refused(&name, "it is no file"),
    }
    let name = match String::from_utf8(name) {
        Ok(name) => name,
        Err(other) => return refused(other.as_bytes(), "its name is not UTF-8"),
    };
    let name = name.strip_prefix("./").map_or(name.clone(), str::to_owned);
    let limit = match name.as_str() {
        MANIFEST => limits.list,
        name if is_original(name) => limits.original,
        _ => limits.file,
    };
    if entry.size() > limit {
        return refused(name.as_bytes(), "it is too large");
    }
    let size = entry.size();
    Entry::File { name, body: Body { from: entry, size, path } }
}

fn long_name(entry: &mut tar::Entry<'_, impl Read>) -> io::Result<Vec<u8>> {
    let mut name = short(entry)?;
    while name.last() == Some(&0) {
        name.pop();
    }
    Ok(name)
}

/// The name in an extended header, as other programs than Coffer write them.
fn pax_name(entry: &mut tar::Entry<'_, impl Read>) -> io::Result<Option<Vec<u8>>> {
    let text = short(entry)?;
    let mut name = None;
    for extension in tar::PaxExtensions::new(&text) {
        let extension = extension?;
        if extension.key_bytes() == b"path" {
            name = Some(extension.value_bytes().to_owned());
        }
    }
    Ok(name)
}

fn short(entry: &mut tar::Entry<'_, impl Read>) -> io::Result<Vec<u8>> {
    if entry.size() > NAME {
        return Err(too_large("a name in it is too long"));
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn too_large(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, what)
}

fn bad(path: &Path, error: &io::Error) -> Error {
    let reason = match error.kind() {
        io::ErrorKind::FileTooLarge => error.to_string(),
        _ => "it is no gzipped tar, or damaged, or cut off".to_owned(),
    };
    Error::BadSource { path: path.to_owned(), reason }
}

/// A stream that fails where more comes than it may hold.
struct Bounded<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(into)?;
        match self.left.checked_sub(length as u64) {
            Some(left) => self.left = left,
            None => return Err(too_large("it unpacks to too much")),
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Packer;
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    const SMALL: Limits =
        Limits { entries: 8, file: 1000, original: 1500, list: 2000, total: 20_000 };

    /// An entry that was read.
    #[derive(Debug, PartialEq, Eq)]
    enum Seen {
        File { name: String, bytes: Vec<u8> },
        Refused { name: String, reason: &'static str },
    }

    fn entries(archive: &[u8]) -> Result<Vec<Seen>> {
        let mut entries = Vec::new();
        read(archive, Path::new("/x"), &SMALL, |entry| {
            entries.push(match entry {
                Entry::File { name, body } => Seen::File { name, bytes: body.whole()? },
                Entry::Refused { name, reason } => Seen::Refused { name, reason },
            });
            Ok(())
        })?;
        Ok(entries)
    }

    fn packed(fill: impl FnOnce(&mut tar::Builder<GzEncoder<Vec<u8>>>)) -> Vec<u8> {
        let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        fill(&mut tar);
        tar.into_inner().unwrap().finish().unwrap()
    }

    fn header(kind: EntryType, name: &[u8], size: u64) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_cksum();
        header
    }

    fn refusal(archive: &[u8]) -> &'static str {
        match entries(archive).unwrap().as_slice() {
            [Seen::Refused { reason, .. }] => reason,
            other => panic!("{other:?}"),
        }
    }

    fn damage(archive: &[u8]) -> String {
        entries(archive).unwrap_err().to_string()
    }

    #[test]
    fn files_come_out_as_they_went_in() {
        let long = format!("memory/global/knowledge/{}.md", "部".repeat(70));
        let mut packer = Packer::new(Vec::new());
        packer.add("a", b"one", 5).unwrap();
        packer.add(&long, b"", 0).unwrap();
        let archive = packer.finish("now".to_owned()).unwrap();
        let entries = entries(&archive).unwrap();
        let file = |name: &str, bytes: &[u8]| Seen::File { name: name.into(), bytes: bytes.into() };
        assert_eq!(entries[..2], [file("a", b"one"), file(&long, b"")]);
        let Seen::File { name, bytes } = &entries[2] else { panic!() };
        let list = super::super::Manifest::parse(bytes).unwrap();
        assert_eq!((name.as_str(), list.files.len()), (MANIFEST, 2));
        assert_eq!((list.files[0].modified_ns, list.files[1].path.as_str()), (5, long.as_str()));
    }

    #[test]
    fn names_of_other_programs_are_read() {
        let long = format!("{}/x.md", "y".repeat(120));
        let record = format!("path={long}\n");
        let record = format!("{} {record}", record.len() + 4);
        let archive = packed(|tar| {
            let size = record.len() as u64;
            tar.append(&header(EntryType::XHeader, b"pax", size), record.as_bytes()).unwrap();
            tar.append(&header(EntryType::Regular, b"short", 1), &b"1"[..]).unwrap();
            tar.append(&header(EntryType::Directory, b"folder/", 0), &b""[..]).unwrap();
            tar.append(&header(EntryType::Regular, b"./b", 1), &b"2"[..]).unwrap();
        });
        let names: Vec<String> = entries(&archive)
            .unwrap()
            .into_iter()
            .map(|entry| match entry {
                Seen::File { name, .. } | Seen::Refused { name, .. } => name,
            })
            .collect();
        assert_eq!(names, [long.as_str(), "b"]);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        for (kind, reason) in [
            (EntryType::Symlink, "it is a link, which is never followed"),
            (EntryType::Link, "it is a link, which is never followed"),
            (EntryType::Char, "it is no file"),
            (EntryType::Block, "it is no file"),
            (EntryType::Fifo, "it is no file"),
            (EntryType::GNUSparse, "it is no file"),
        ] {
            let archive = packed(|tar| {
                let mut header = header(kind, b"memory/global/knowledge/a.md", 0);
                header.set_link_name("/etc/passwd").unwrap();
                header.set_cksum();
                tar.append(&header, &b""[..]).unwrap();
            });
            assert_eq!(refusal(&archive), reason, "{kind:?}");
        }
        let archive =
            packed(|tar| tar.append(&header(EntryType::Regular, b"a\xff", 0), &b""[..]).unwrap());
        assert_eq!(refusal(&archive), "its name is not UTF-8");
        let large = vec![0; 1001];
        let archive =
            packed(|tar| tar.append(&header(EntryType::Regular, b"a", 1001), &large[..]).unwrap());
        assert_eq!(refusal(&archive), "it is too large");
        for (name, is_taken) in [("knowledge/g/raw/a.pdf", true), ("knowledge/g/docs/a.md", false)]
        {
            let archive = packed(|tar| {
                let header = header(EntryType::Regular, name.as_bytes(), 1001);
                tar.append(&header, &large[..]).unwrap();
            });
            let seen = entries(&archive).unwrap();
            assert_eq!(matches!(seen[..], [Seen::File { .. }]), is_taken, "{name}");
        }
    }

    #[test]
    fn bombs_end_at_the_limits() {
        let zeros = vec![0; 30_000];
        let archive = packed(|tar| {
            tar.append(&header(EntryType::Regular, b"a", 30_000), &zeros[..]).unwrap();
        });
        assert!(damage(&archive).contains("unpacks to too much"));
        let archive = packed(|tar| {
            for _ in 0..9 {
                tar.append(&header(EntryType::Regular, b"a", 0), &b""[..]).unwrap();
            }
        });
        assert!(damage(&archive).contains("too many entries"));
        let archive = packed(|tar| {
            let name = vec![b'a'; 17_000];
            tar.append(&header(EntryType::GNULongName, b"l", 17_000), &name[..]).unwrap();
        });
        assert!(damage(&archive).contains("too long"));
        // The head says more than the archive holds.
        let mut archive = GzEncoder::new(Vec::new(), Compression::fast());
        io::Write::write_all(&mut archive, header(EntryType::Regular, b"a", 900).as_bytes())
            .unwrap();
        assert!(damage(&archive.finish().unwrap()).contains("cut off"));
    }

    /// An archive of one small file, and what a flipped bit of it leads to.
    #[test]
    fn a_bit_that_means_nothing_damages_nothing() {
        let mut packer = Packer::new(Vec::new());
        packer.add("memory/global/knowledge/a.md", b"the quick brown fox", 5).unwrap();
        let good = packer.finish("now".to_owned()).unwrap();
        let mut flipped = good.clone();
        flipped[123] ^= 32;
        if let Ok(seen) = entries(&flipped) {
            assert_eq!(seen, entries(&good).unwrap());
        }
    }

    proptest! {
        #[test]
        fn a_damaged_archive_is_an_error(cut in 0_usize..200, at in 0_usize..200, with in 1_u8..) {
            let mut packer = Packer::new(Vec::new());
            packer.add("memory/global/knowledge/a.md", b"the quick brown fox", 5).unwrap();
            let good = packer.finish("now".to_owned()).unwrap();
            prop_assert!(entries(&good[..cut.min(good.len() - 1)]).is_err());
            let mut flipped = good.clone();
            // The first ten bytes are gzip's head, of which little is looked at.
            let at = 10 + at % (good.len() - 10);
            flipped[at] ^= with;
            // A bit that no byte of a file depends on damages nothing.
            let is_told = entries(&flipped).map_or(true, |seen| seen == entries(&good).unwrap());
            prop_assert!(is_told, "byte {} of {}", at, good.len());
        }
    }
}
