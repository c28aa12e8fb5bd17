//! Healing what older ways to name a project's store left apart: a store for each worktree, or for
//! each path that leads to a project. Each is merged into the project's one store.
//!
//! Nothing is guessed: a store is such a fragment when its own path, as it noted it or as the
//! project's repository knows it, is a checkout of a project that another path stands for, when it
//! knows of no other place of its project, when nothing says that the first commit is another, and
//! when nobody turned it off.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use coffer_domain::id::Id;
use coffer_domain::store::StoreName;
use coffer_env::clock;

use super::identity::Known;
use super::{Memory, ScopeReason, organizer};
use crate::error::Result;
use crate::git::{self, GitFacts};

impl Memory {
    /// Merges every fragment into its project's store; returns how many there were. One that
    /// cannot be merged stays, and holds up no other.
    pub(crate) fn consolidate(&self) -> Result<usize> {
        let mut healed = 0;
        for (fragment, root) in self.fragments()? {
            match self.heal(&fragment, &root) {
                Ok(target) => {
                    tracing::info!(%fragment, %target, "a store of an older identity is merged");
                    healed += 1;
                }
                Err(error) => {
                    tracing::warn!(%fragment, %error, "a store of an older identity stays apart");
                }
            }
        }
        Ok(healed)
    }

    /// Stores that the projects here do not go by, each with its project's main folder.
    fn fragments(&self) -> Result<BTreeMap<StoreName, PathBuf>> {
        let known = self.known_stores()?;
        let mut fragments = BTreeMap::new();
        for root in known.iter().flat_map(|(_, file)| file.roots_here()) {
            let Some(facts) = git::facts_of_top(root) else { continue };
            let mut others = git::worktrees(&facts);
            others.push(root.clone());
            others.retain(|path| *path != facts.main_root);
            let stores = others.iter().filter_map(|path| fragment(&known, path, &facts));
            fragments.extend(stores.map(|store| (store.clone(), facts.main_root.clone())));
        }
        Ok(fragments)
    }

    fn heal(&self, fragment: &StoreName, root: &Path) -> Result<StoreName> {
        let resolved = self.scope(root)?;
        let (target, now) = (resolved.store, clock::now());
        if resolved.reason == ScopeReason::Created {
            self.provision(&target, Some(root), &organizer(), now)?;
        }
        // The question itself may have found that the fragment is all that there is.
        if target != *fragment {
            self.merge(fragment, &target, &organizer(), now)?;
        }
        Ok(target)
    }
}

/// The store that a path of a project names, if there is one that is the project's.
fn fragment<'a>(known: &'a [Known], path: &Path, facts: &GitFacts) -> Option<&'a StoreName> {
    let name = StoreName::Project(Id::of_project(path.to_str()?));
    let (store, file) = known.iter().find(|(store, _)| *store == name)?;
    let is_only_here = file.roots_here().iter().all(|root| root == path);
    let is_other = || match &file.root_commit {
        Some(theirs) => git::root_commit(facts).is_some_and(|ours| ours != *theirs),
        None => false,
    };
    // What a person turned off is not turned on by the way.
    (file.is_enabled() && is_only_here && !is_other()).then_some(store)
}
