//! What an agent is told when a session begins: the rules that stand on disk now.

use std::path::Path;

use coffer_domain::bundle::{Bundle, Section, rules_of};
use coffer_domain::store::{Lane, StoreName};

use super::{Memory, Store};
use crate::error::{Error, Result};

/// What an agent that starts in a project would be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injection {
    /// It.
    pub bundle: Bundle,
    /// Whether the store's own rules may be in it.
    pub is_enabled: bool,
}

impl Memory {
    /// What an agent that starts in a working directory is told: the project's rules, then those for
    /// all projects. Disabled stores are left out.
    ///
    /// # Errors
    ///
    /// Stores and rules that cannot be read.
    pub fn session_context(&self, cwd: &Path) -> Result<Bundle> {
        let resolved = self.scope(cwd)?;
        let folder = resolved.root.as_deref().and_then(Path::file_name);
        let folder = folder.map(|name| name.to_string_lossy().into_owned());
        self.injected(&resolved.store, folder.as_deref())
    }

    /// What an agent that starts in a store's project is told now.
    ///
    /// # Errors
    ///
    /// No such store; rules that cannot be read.
    pub fn injection(&self, store: &StoreName) -> Result<Injection> {
        let known = match (self.store(store), store) {
            // The global store always exists for people; its folder comes with its first write.
            (Err(Error::StoreNotFound(_)), StoreName::Global) => None,
            (known, _) => Some(known?),
        };
        let project = known.as_ref().map(Store::display_name);
        let bundle = self.injected(store, project.as_deref())?;
        Ok(Injection { bundle, is_enabled: known.is_none_or(|known| known.enabled) })
    }

    fn injected(&self, store: &StoreName, project: Option<&str>) -> Result<Bundle> {
        let mut sections = Vec::with_capacity(2);
        if let StoreName::Project(_) = store {
            let label = self.store_file(store)?.unwrap_or_default().label;
            let project = label.as_deref().or(project).unwrap_or_default().replace('`', "'");
            let heading = format!("Rules kept for the project `{project}`");
            sections.extend(self.section(store, heading)?);
        }
        sections
            .extend(self.section(&StoreName::Global, "Rules kept for all projects".to_owned())?);
        Ok(Bundle::of(&sections))
    }

    /// A store's rules; `None` where it is disabled.
    fn section(&self, store: &StoreName, heading: String) -> Result<Option<Section>> {
        if !self.store_file(store)?.unwrap_or_default().is_enabled() {
            return Ok(None);
        }
        let folder = self.absolute(store, Lane::Rules.as_str()).display().to_string();
        let files = self.rules(store)?;
        let rules = files.iter().flat_map(|file| rules_of(&file.text)).collect();
        Ok(Some(Section { heading, folder, rules }))
    }
}
