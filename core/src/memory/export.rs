//! Export: the files of stores in one archive, outside of Coffer's folder.
//!
//! Files of one machine (index, keys, logs, what every machine makes for itself) and links are in
//! no export.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use coffer_domain::archive::{Owner, STORE_FILE, is_original, name_of, travels};
use coffer_domain::fact::Author;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;

use super::{Memory, audit_row};
use crate::archive::Packer;
use crate::error::{Error, Result};
use crate::knowledge::{Folder, LeftOut, Progress};
use crate::vault::{self, Dir, walk};

/// What is to be exported, and to where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The archive, an absolute path outside of Coffer's folder.
    pub path: PathBuf,
    /// The stores and knowledge bases; none named: all.
    pub stores: Vec<Owner>,
    /// Whether a file that stands there is replaced.
    pub replace: bool,
}

/// What an export wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The archive.
    pub path: PathBuf,
    /// How many stores and knowledge bases.
    pub stores: u64,
    /// How many files.
    pub files: u64,
    /// The archive's size.
    pub bytes: u64,
    /// What was left out although it lies in one of them.
    pub skipped: LeftOut,
}

impl Memory {
    /// Looks whether an export could begin, before work on it is queued.
    ///
    /// # Errors
    ///
    /// A path that cannot be written to, something that stands there, a store that does not exist.
    pub fn check_export(&self, request: &Export) -> Result<()> {
        let (dir, name) = vault::target(&request.path, self.0.home.root())?;
        let stands = dir.stat(&name);
        if stands.as_ref().is_ok_and(Option::is_none) || (request.replace && stands.is_ok()) {
            return self.exported_stores(request).map(|_| ());
        }
        Err(Error::AlreadyExists(request.path.clone()))
    }

    /// Writes an archive of the stores, and of `others`, with what was left out of those; it is there
    /// whole, or not at all. `progress` is told files done and in all, and ends the work by `false`.
    ///
    /// # Errors
    ///
    /// As `check_export`; files that cannot be written; `Cancelled`.
    pub(crate) fn export(
        &self,
        request: &Export,
        (others, mut skipped): (Vec<Folder>, LeftOut),
        now: Timestamp,
        progress: Progress<'_>,
    ) -> Result<Exported> {
        self.check_export(request)?;
        let stores = self.exported_stores(request)?;
        let listed: Result<Vec<Folder>> =
            stores.iter().filter_map(|store| self.listed(store, &mut skipped)).collect();
        let mut listed = listed?;
        listed.extend(others);
        let (dir, name) = vault::target(&request.path, self.0.home.root())?;
        let mut files = 0;
        let stat = dir.write_parts(&name, request.replace, |file| {
            let failed = |error: std::io::Error| Error::file("write", &request.path, &error);
            let mut packer = Packer::new(BufWriter::new(file));
            let total = listed.iter().map(|listed| listed.files.len() as u64).sum();
            for (done, (dir, path, entry)) in (0..).zip(all(&listed)) {
                if !progress(done, total) {
                    return Err(Error::Cancelled);
                }
                match pack(&mut packer, dir, path, entry) {
                    Ok(Some(packed)) => {
                        packed.map_err(failed)?;
                        files += 1;
                    }
                    Ok(None) => skipped.add(entry, "it went away meanwhile"),
                    Err(error) => skipped.add(entry, error.to_string()),
                }
            }
            let buffer = packer.finish(now.whole_second().to_string()).map_err(failed)?;
            buffer.into_inner().map(|_| ()).map_err(|error| failed(error.into_error()))
        })?;
        let stores = listed.len() as u64;
        self.audit_export(request, stores, files, now);
        Ok(Exported { path: request.path.clone(), stores, files, bytes: stat.size, skipped })
    }

    fn exported_stores(&self, request: &Export) -> Result<Vec<StoreName>> {
        let mut there = self.names_on_disk()?;
        let named: Vec<&StoreName> = request.stores.iter().filter_map(store_of).collect();
        if let Some(missing) = named.iter().find(|store| !there.contains(store)) {
            return Err(Error::StoreNotFound(missing.to_string()));
        }
        there.retain(|store| request.stores.is_empty() || named.contains(&store));
        Ok(there)
    }

    /// The files of a store in their order, its identity first; `None` for a store that went away.
    fn listed(&self, store: &StoreName, skipped: &mut LeftOut) -> Option<Result<Folder>> {
        let dir = self.store_ref(store).found().transpose()?;
        Some(dir.map(|dir| {
            let found = walk(&dir, &[""], |path| travels(path).is_ok());
            for left in found.skipped {
                skipped.add(name_of(store, &left.path), left.reason);
            }
            let mut paths: Vec<String> = found.files.into_iter().map(|file| file.path).collect();
            paths.sort_by_key(|path| path != STORE_FILE);
            let named = |path: String| (path.clone(), name_of(store, &path));
            let files = paths.into_iter().map(named).collect();
            Folder { dir, files }
        }))
    }

    fn audit_export(&self, request: &Export, stores: u64, files: u64, now: Timestamp) {
        let mut row = audit_row("exported", &Author::USER, &StoreName::Global, &[], now);
        row.store = match request.stores.as_slice() {
            [store] => Some(store.to_string()),
            _ => None,
        };
        for (name, count) in [("stores", stores), ("files", files)] {
            row.counts.insert(name.to_owned(), count.cast_signed());
        }
        self.audit(&row);
    }
}

fn store_of(owner: &Owner) -> Option<&StoreName> {
    match owner {
        Owner::Store(store) => Some(store),
        Owner::Base(_) => None,
    }
}

fn all(folders: &[Folder]) -> impl Iterator<Item = (&Dir, &str, &str)> {
    folders.iter().flat_map(|Folder { dir, files, .. }| {
        files.iter().map(move |(path, entry)| (dir, path.as_str(), entry.as_str()))
    })
}

/// Packs a file, a large one a part at a time; `None` for one that is gone. Inside is whether the archive
/// could be written.
fn pack(
    packer: &mut Packer<impl io::Write>,
    dir: &Dir,
    path: &str,
    entry: &str,
) -> Result<Option<io::Result<()>>> {
    if is_original(entry) {
        let Some((file, stat)) = dir.open_at(path)? else { return Ok(None) };
        return Ok(Some(packer.add_parts(entry, file, stat.size, stat.mtime_ns)));
    }
    let file = dir.read_at(path)?;
    Ok(file.map(|file| packer.add(entry, &file.bytes, file.stat.mtime_ns)))
}
