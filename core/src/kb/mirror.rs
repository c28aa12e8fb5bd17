//! The mirrors of what each `kb.yaml` says. A file that says other sizes of passages than its mirror, by
//! whoever's hand, has its documents cut again.

use coffer_domain::kb::KbName;
use coffer_domain::time::Timestamp;
use coffer_env::KbPaths;

use super::file::{ConfigFile, KbFile};
use super::{KIND, KnowledgeBases};
use crate::error::{Error, Result};
use crate::index::{
    ResourceRow, doubt_all, drop_resource, put_problem, put_resource, resource, resource_names,
    tally,
};
use crate::knowledge::StoreRef;
use crate::vault::{Dir, walk};

/// Why a knowledge base that has documents is not there.
const LOST: &str = "its folder is gone; put it back, or, if you deleted or renamed it, delete the \
    knowledge base, too, with `coffer kb drop`";

impl KnowledgeBases {
    /// Brings the mirror of a knowledge base up to its file; a failure heals when it is next read.
    pub(super) fn mirror(&self, name: &KbName, at: &StoreRef, file: &KbFile) {
        let row = mirror_row(name, file);
        self.knowledge().cut_as(at);
        let written = self.knowledge().index().write(|tx| {
            let before = resource(tx, KIND, name.as_str())?;
            let is_cut_otherwise =
                before.as_ref().is_some_and(|before| sizes(before) != sizes(&row));
            if before.as_ref() != Some(&row) {
                put_resource(tx, &row)?;
            }
            if is_cut_otherwise {
                doubt_all(tx, &at.scope)?;
            }
            Ok(is_cut_otherwise)
        });
        match written {
            Ok(true) => self.knowledge().look_again(at),
            Ok(false) => {}
            Err(failure) => {
                super::locked(&self.0.files).remove(name);
                tracing::warn!(kb = %name, ?failure, "the list of knowledge bases lags behind kb.yaml");
            }
        }
    }

    /// The knowledge bases that have a folder, in order of their names. A mirror without folder and
    /// documents goes.
    pub(crate) fn names(&self) -> Result<Vec<KbName>> {
        let Some(dir) = Dir::find(&self.0.home.knowledge())? else { return Ok(Vec::new()) };
        let found = dir.folders()?;
        let names: Vec<KbName> = found
            .iter()
            .filter_map(|name| KbName::parse(name))
            .filter(|name| !self.is_bare(name))
            .collect();
        let mirrored = self.knowledge().read(|db| resource_names(db, KIND))?;
        for name in mirrored.iter().filter_map(|name| KbName::parse(name)) {
            if !names.contains(&name) {
                self.forget_lost(&name)?;
            }
        }
        Ok(names)
    }

    fn forget_lost(&self, name: &KbName) -> Result<()> {
        let scope = self.store_ref(name, &ConfigFile::default().settings()).scope;
        let forgotten = self.knowledge().index().write(|tx| {
            if tally(tx, &scope, "")?.documents == 0 {
                return drop_resource(tx, KIND, name.as_str());
            }
            // Whether a person deleted it nobody can tell.
            put_problem(tx, &scope, "", Some(LOST))
        });
        forgotten.map_err(Error::index)
    }

    /// Whether a folder holds nothing yet: making it was cut off before it got its file.
    pub(super) fn is_bare(&self, name: &KbName) -> bool {
        let Ok(Some(dir)) = Dir::find(self.paths(name).root()) else { return true };
        if !matches!(dir.holds(KbPaths::FILE), Ok(false)) {
            return false;
        }
        let found = walk(&dir, &[""], |_| true);
        found.files.is_empty() && found.skipped.is_empty()
    }
}

/// How a mirrored file says that documents are cut.
fn sizes(row: &ResourceRow) -> (u32, u32) {
    let config: ConfigFile = serde_json::from_str(&row.config).unwrap_or_default();
    let settings = config.settings();
    (settings.chunk_size, settings.chunk_overlap)
}

/// What a file says, as the tables mirror it.
fn mirror_row(name: &KbName, file: &KbFile) -> ResourceRow {
    let created_at = file.created_at().unwrap_or(Timestamp::from_micros(0));
    ResourceRow {
        kind: KIND.to_owned(),
        name: name.to_string(),
        description: file.description.clone(),
        config: serde_json::to_string(&file.config).unwrap_or_else(|_| "{}".to_owned()),
        enabled: file.is_enabled(),
        created_at,
        updated_at: file.updated_at().unwrap_or(created_at),
    }
}
