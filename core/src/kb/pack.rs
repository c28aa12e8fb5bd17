//! Which files of knowledge bases an export takes along.

use coffer_domain::archive::{BASE_FILE, Owner, name_of_base, travels_with_base};
use coffer_domain::kb::KbName;

use super::KnowledgeBases;
use crate::error::{Error, Result};
use crate::knowledge::{Folder, LeftOut};
use crate::vault::{Dir, walk};

impl KnowledgeBases {
    /// The knowledge bases among what is named; all where nothing is.
    ///
    /// # Errors
    ///
    /// One that is not there; folders that cannot be read.
    pub fn exported(&self, named: &[Owner]) -> Result<Vec<KbName>> {
        let mut there = self.names()?;
        let bases: Vec<&KbName> = named.iter().filter_map(base_of).collect();
        if let Some(missing) = bases.iter().find(|base| !there.contains(base)) {
            return Err(Error::BaseNotFound(missing.to_string()));
        }
        there.retain(|base| named.is_empty() || bases.contains(&base));
        Ok(there)
    }

    /// The files that an export takes along, and what is left out of them.
    pub(crate) fn travelling(&self, named: &[Owner]) -> Result<(Vec<Folder>, LeftOut)> {
        let (mut folders, mut skipped) = (Vec::new(), LeftOut::default());
        for base in self.exported(named)? {
            // It may have gone since it was listed.
            let Some(dir) = Dir::find(self.paths(&base).root())? else { continue };
            let found = walk(&dir, &[""], |path| travels_with_base(path).is_ok());
            for left in found.skipped {
                skipped.add(name_of_base(&base, &left.path), left.reason);
            }
            let mut paths: Vec<String> = found.files.into_iter().map(|file| file.path).collect();
            paths.sort_by_key(|path| path != BASE_FILE);
            let named = |path: String| (path.clone(), name_of_base(&base, &path));
            let files = paths.into_iter().map(named).collect();
            folders.push(Folder { dir, files });
        }
        Ok((folders, skipped))
    }
}

fn base_of(owner: &Owner) -> Option<&KbName> {
    match owner {
        Owner::Base(base) => Some(base),
        Owner::Store(_) => None,
    }
}
