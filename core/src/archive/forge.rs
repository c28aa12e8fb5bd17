//! Archives that no export writes, for tests: any name, links, and a list that says what one likes.

use coffer_domain::archive::MANIFEST;
use coffer_domain::id::sha256;
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::EntryType;

use super::manifest::{Listed, Manifest};

/// What an entry claims to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Link,
    HardLink,
}

/// An archive of entries, and of a list if there is to be one.
pub(crate) fn forge(entries: &[(&str, Kind, &[u8])], list: Option<Vec<Listed>>) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        // The library itself would refuse some names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(match kind {
            Kind::File => EntryType::Regular,
            Kind::Link => EntryType::Symlink,
            Kind::HardLink => EntryType::Link,
        });
        header.set_size(bytes.len() as u64);
        header.set_link_name("/etc/passwd").unwrap();
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    if let Some(files) = list {
        let list = serde_json::to_vec(&Manifest::new("now".to_owned(), files)).unwrap();
        let mut header = tar::Header::new_gnu();
        header.set_size(list.len() as u64);
        tar.append_data(&mut header, MANIFEST, list.as_slice()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

/// A row of a list.
pub(crate) fn listed(name: &str, bytes: &[u8], modified_ns: i64) -> Listed {
    Listed { path: name.to_owned(), sha256: sha256(bytes), modified_ns }
}
