//! Which stores may be one project's: what can be told from what the stores themselves say.
//!
//! Deliberately absent: judging pairs that nothing ties together; the organizer asks a model.

use std::path::Path;

use coffer_domain::store::StoreName;
use coffer_env::landmarks::is_gone;

use super::{Memory, Store};
use crate::error::Result;
use crate::index::page;

/// So many titles speak for a store.
const TITLES: u32 = 5;

/// What ties two stores together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// The same remote.
    Remote,
    /// The same first commit, while one of them or both have no remote that could differ.
    RootCommit,
}

/// A merge that is worth a thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The store that would go.
    pub source: Evidence,
    /// The store that would take it in.
    pub target: Evidence,
    /// Why.
    pub sign: Sign,
}

/// What speaks for a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Its name.
    pub store: StoreName,
    /// Label, else the project folder's name, else the store's name.
    pub display_name: String,
    /// The name that the person gave it.
    pub label: Option<String>,
    /// The project's folder on this machine, when known.
    pub project_root: Option<String>,
    /// Whether that folder is there.
    pub root_exists: bool,
    /// The remote, in one form for all ways to write it, without credentials.
    pub remote: Option<String>,
    /// The project's first commit.
    pub root_commit: Option<String>,
    /// Facts and topic documents.
    pub fact_count: u64,
    /// The newest titles among them.
    pub titles: Vec<String>,
}

impl Memory {
    /// The merges that are worth a thought. Of several stores of one project each is proposed to be
    /// merged into the best: the one whose folder is there, then the one with more facts.
    ///
    /// # Errors
    ///
    /// Files or index that cannot be read.
    pub fn merge_scan(&self) -> Result<Vec<Proposal>> {
        let stores = self.projects()?;
        let proposals = stores.iter().enumerate().filter_map(|(at, source)| {
            let better = &stores[..at];
            let by = |sign| better.iter().find(|target| tied(source, target) == Some(sign));
            let (target, sign) = by(Sign::Remote)
                .map(|target| (target, Sign::Remote))
                .or_else(|| by(Sign::RootCommit).map(|target| (target, Sign::RootCommit)))?;
            Some(Proposal { source: source.clone(), target: target.clone(), sign })
        });
        Ok(proposals.collect())
    }

    /// What speaks for each project's store, the better target of two first: its folder is there, it has
    /// more facts, its name is smaller.
    pub(crate) fn projects(&self) -> Result<Vec<Evidence>> {
        let mut stores: Vec<Evidence> = Vec::new();
        for store in self.stores()? {
            if store.name != StoreName::Global {
                stores.push(self.evidence(store)?);
            }
        }
        stores.sort_by(|a, b| {
            let better = (b.root_exists, b.fact_count).cmp(&(a.root_exists, a.fact_count));
            better.then_with(|| a.store.cmp(&b.store))
        });
        Ok(stores)
    }

    fn evidence(&self, store: Store) -> Result<Evidence> {
        let file = self.store_file(&store.name)?.unwrap_or_default();
        let scope = self.store_ref(&store.name).scope;
        let newest = self.knowledge().read(|db| page(db, &scope, "knowledge/", (TITLES, 0)));
        Ok(Evidence {
            display_name: store.display_name(),
            root_exists: store.project_root.as_deref().is_some_and(|it| !is_gone(Path::new(it))),
            label: store.label,
            project_root: store.project_root,
            remote: file.remote.filter(|remote| !remote.is_empty()),
            root_commit: file.root_commit,
            fact_count: store.fact_count,
            titles: newest?.into_iter().map(|row| row.title).collect(),
            store: store.name,
        })
    }
}

fn tied(one: &Evidence, other: &Evidence) -> Option<Sign> {
    match (&one.remote, &other.remote) {
        (Some(one), Some(other)) => (one == other).then_some(Sign::Remote),
        _ => (one.root_commit.is_some() && one.root_commit == other.root_commit)
            .then_some(Sign::RootCommit),
    }
}
