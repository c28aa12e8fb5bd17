//! Retired versions: what there is, and putting one back.

use std::path::{Path, PathBuf};

use coffer_domain::fact::{Author, FileText};
use coffer_domain::store::{StoreName, is_indexed};
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::retire::LOG;
use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::knowledge::StoreRef;
use crate::vault::{Expect, File, unified, walk};

/// A retired version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retired {
    /// Its name in `superseded/`.
    pub file: String,
    /// Where it stood, relative to the store.
    pub origin: String,
    /// Its title.
    pub title: String,
    /// When it was retired.
    pub retired_at: Timestamp,
    /// Its text, as it stood.
    pub text: String,
    /// The file, absolute.
    pub path: PathBuf,
}

/// A version that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The file, absolute.
    pub path: PathBuf,
    /// The name in `superseded/` of the version that stood there, if one did.
    pub archived: Option<String>,
    /// What changed in the file, as a unified diff.
    pub diff: String,
}

/// One page of retired versions, the latest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetiredPage {
    /// The page.
    pub files: Vec<Retired>,
    /// How many there are in all.
    pub total: u64,
}

impl Memory {
    /// The retired versions of a store, the latest first. Files that Coffer did not put there are
    /// left out. Only those of the page are read.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn superseded(&self, store: &StoreName, limit: u32, offset: u32) -> Result<RetiredPage> {
        let Some(dir) = self.store_ref(store).found()? else { return Ok(RetiredPage::default()) };
        let found = walk(&dir, &["superseded"], |path| path.ends_with(".md"));
        let mut names: Vec<(Timestamp, String, &str)> = found
            .files
            .iter()
            .filter_map(|found| {
                let name = found.path.strip_prefix("superseded/")?;
                let (origin, retired_at) = StorePaths::origin(name)?;
                Some((retired_at, origin, name))
            })
            .collect();
        names.sort_by(|a, b| (b.0, b.2).cmp(&(a.0, a.2)));
        let total = names.len() as u64;
        let page = names.into_iter().skip(offset as usize).take(limit as usize);
        let files = page.filter_map(|(at, origin, name)| self.retired(store, name, origin, at));
        Ok(RetiredPage { files: files.collect(), total })
    }

    fn retired(
        &self,
        store: &StoreName,
        name: &str,
        origin: String,
        retired_at: Timestamp,
    ) -> Option<Retired> {
        let path = format!("superseded/{name}");
        let file = self.read_file(store, &path).ok()??;
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        let title = FileText::read(&text, &origin, file.stat.modified()).title;
        let path = self.absolute(store, &path);
        Some(Retired { file: name.to_owned(), origin, title, retired_at, text, path })
    }

    /// Puts a retired version back where it stood, byte for byte; what stands there now is retired
    /// in its place.
    ///
    /// # Errors
    ///
    /// No such version; files that cannot be written.
    pub fn restore(
        &self,
        store: &StoreName,
        file: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<Restored> {
        let (origin, kept) = self.kept(store, file)?;
        let at = self.store_ref(store);
        let (archived, diff) = self.knowledge().exclusively(&at, || {
            let diff = self.difference(store, &origin, &kept)?;
            let archived = self.put_back(store, &at, &origin, &kept, author, now)?;
            // Only now, since two copies are better than none.
            at.dir()?.at("superseded")?.remove(file.as_ref())?;
            Ok((archived, diff))
        })?;
        if origin != LOG {
            self.log(store, &format!("restored `{origin}`"), author, now)?;
        }
        self.changed(store);
        Ok(Restored { path: self.absolute(store, &origin), archived, diff })
    }

    /// What putting a retired version back would do; nothing is done.
    ///
    /// # Errors
    ///
    /// No such version; files that cannot be read.
    pub fn rehearse_restore(&self, store: &StoreName, file: &str) -> Result<Restored> {
        let (origin, kept) = self.kept(store, file)?;
        let diff = self.difference(store, &origin, &kept)?;
        Ok(Restored { path: self.absolute(store, &origin), archived: None, diff })
    }

    /// A retired version, and where it stood.
    fn kept(&self, store: &StoreName, file: &str) -> Result<(String, File)> {
        let missing =
            || Error::LaneFileNotFound { store: store.to_string(), name: file.to_owned() };
        let (origin, _) = StorePaths::origin(file).ok_or_else(missing)?;
        let retired = format!("superseded/{file}");
        let is_inside = |path: &str| self.paths(store).resolve(path).is_some();
        let is_path = is_inside(&retired) && is_inside(&origin) && !file.contains('/');
        let kept = if is_path { self.read_file(store, &retired)? } else { None };
        Ok((origin, kept.ok_or_else(missing)?))
    }

    /// From what stands in a place to what is to stand there.
    fn difference(&self, store: &StoreName, origin: &str, kept: &File) -> Result<String> {
        let text = |file: &File| String::from_utf8_lossy(&file.bytes).into_owned();
        let present = self.read_file(store, origin)?.as_ref().map(text);
        Ok(unified(Path::new(origin), present.as_deref(), Some(&text(kept))))
    }

    fn put_back(
        &self,
        store: &StoreName,
        at: &StoreRef,
        origin: &str,
        kept: &File,
        author: &Author,
        now: Timestamp,
    ) -> Result<Option<String>> {
        let audit = audit_row("memory_restored", author, store, &[origin], now);
        let present = at.dir()?.read_at(origin)?;
        if let Some(present) = &present {
            self.archive(store, origin, present, now)?;
        }
        let expect = Expect::as_read(present.as_ref());
        if is_indexed(origin) {
            self.knowledge().write(at, origin, &kept.bytes, expect, audit)?;
        } else {
            let (dir, name) = at.place(origin)?;
            dir.write(name, &kept.bytes, expect)?;
            self.audit(&audit);
        }
        let retired = StorePaths::retired(origin, now);
        Ok(present.map(|_| retired.trim_start_matches("superseded/").to_owned()))
    }
}
