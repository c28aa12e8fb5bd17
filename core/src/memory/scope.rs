//! Which store a working directory belongs to. Asking never makes one; a store that is found learns
//! where its project is.

use std::path::{Path, PathBuf};

use coffer_domain::id::Id;
use coffer_domain::store::StoreName;

use super::Memory;
use crate::error::{Error, Result};
use crate::git;

/// Why a working directory belongs to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeReason {
    /// The project's path names it.
    Path,
    /// The project's own store was merged into it.
    Alias,
    /// The project was moved, and its store found again.
    Relinked,
    /// No store exists yet; the first write makes it.
    Created,
    /// Not in a git project.
    NoProject,
}

/// The store of a working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The store: the project's, or the global one outside of projects.
    pub store: StoreName,
    /// The project's main folder.
    pub root: Option<PathBuf>,
    /// The checked-out branch; 12 characters of the commit when detached.
    pub branch: Option<String>,
    /// Why this store.
    pub reason: ScopeReason,
}

impl Resolved {
    /// The project's store.
    ///
    /// # Errors
    ///
    /// `ScopeUnresolved` outside of a git project.
    pub fn project(&self, cwd: &Path) -> Result<&StoreName> {
        match &self.store {
            StoreName::Global => Err(Error::ScopeUnresolved(cwd.to_owned())),
            store @ StoreName::Project(_) => Ok(store),
        }
    }
}

impl Memory {
    /// The store of a working directory. All worktrees of a repository share one.
    ///
    /// # Errors
    ///
    /// Never for a folder that is no project; a store whose folder cannot be looked at.
    pub fn scope(&self, cwd: &Path) -> Result<Resolved> {
        let facts = git::facts(cwd);
        let named = facts.as_ref().and_then(|facts| facts.main_root.to_str());
        let (Some(facts), Some(root)) = (&facts, named) else {
            let reason = ScopeReason::NoProject;
            return Ok(Resolved { store: StoreName::Global, root: None, branch: None, reason });
        };
        let own = StoreName::Project(Id::of_project(root));
        let (store, reason) = self.identify(own, facts)?;
        Ok(Resolved {
            root: Some(facts.main_root.clone()),
            branch: Some(facts.branch_name()),
            reason,
            store,
        })
    }
}
