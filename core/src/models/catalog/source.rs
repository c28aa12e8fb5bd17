//! Where a model comes from: a folder of the person's, or a server that she names.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::install::InstallFrom;
use super::web::Web;
use crate::error::{Error, Result};
use crate::models::local::FILES;
use crate::vault::through_links;

/// An open source.
pub(super) enum Source {
    /// A folder, and Coffer's own, of which nothing is taken.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Coffer's own.
        home: PathBuf,
    },
    /// A server.
    Web(Web),
}

/// A file of a source.
pub(super) struct Offer {
    /// Its name.
    pub name: &'static str,
    /// Its size.
    pub size: u64,
    /// What it must be, where that is said.
    pub sha256: Option<String>,
}

impl Source {
    /// Where a model comes from; nothing is asked for yet.
    pub(super) fn of(from: &InstallFrom, home: &Path) -> Result<Self> {
        match from {
            InstallFrom::Folder(path) => {
                Ok(Self::Folder { path: path.clone(), home: home.to_owned() })
            }
            InstallFrom::Url(url) => Web::at(url).map(Self::Web),
        }
    }

    /// The files that it has.
    pub(super) fn offers(&self) -> Result<Vec<Offer>> {
        match self {
            Self::Folder { path, home } => {
                let mut offers = Vec::new();
                for name in FILES {
                    let found = through_links(path, name, home)?;
                    let size = found.map(|(_, stat)| stat.size);
                    offers.extend(size.map(|size| Offer { name, size, sha256: None }));
                }
                Ok(offers)
            }
            Self::Web(web) => {
                let files = web.manifest()?.files.into_iter();
                let offer = |file: super::manifest::Entry| Offer {
                    name: file.name,
                    size: file.size,
                    sha256: Some(file.sha256),
                };
                Ok(files.map(offer).collect())
            }
        }
    }

    /// Opens a file that it has.
    pub(super) fn open(&self, name: &'static str) -> Result<Box<dyn Read>> {
        match self {
            Self::Folder { path, home } => match through_links(path, name, home)? {
                Some((file, _)) => Ok(Box::new(file)),
                None => Err(self.bad(format!("`{name}` is gone"))),
            },
            Self::Web(web) => web.file(name),
        }
    }

    /// What is wrong with what it has.
    pub(super) fn bad(&self, reason: impl Into<String>) -> Error {
        let from = match self {
            Self::Folder { path, .. } => path.display().to_string(),
            Self::Web(web) => web.base().to_owned(),
        };
        Error::BadModel { from, reason: reason.into() }
    }

    /// What became of reading a file of it.
    pub(super) fn failed(&self, name: &str, error: &std::io::Error) -> Error {
        match self {
            Self::Folder { path, .. } => Error::file("read a model's file in", path, error),
            Self::Web(web) => web.failed(name, error),
        }
    }
}
