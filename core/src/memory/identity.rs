//! Which store is a project's: the one that its path names, the one that took that one in, or the
//! one of a project that was moved here. Where several fit, none is taken.

use coffer_domain::id::Id;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::landmarks::is_gone;
use coffer_env::{clock, host_name};

use super::store_file::StoreFile;
use super::{Memory, ScopeReason, audit_row, locked, organizer};
use crate::error::Result;
use crate::git::{self, GitFacts};

/// A store and what its file says.
pub(super) type Known = (StoreName, StoreFile);

/// What there was to learn of a project when its store was last brought up to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lesson {
    head: Option<String>,
    remote: Option<String>,
}

impl Memory {
    /// The store of a project, and why; `own` is the one that its path names.
    pub(super) fn identify(
        &self,
        own: StoreName,
        facts: &GitFacts,
    ) -> Result<(StoreName, ScopeReason)> {
        if let Some(file) = self.store_file(&own)? {
            self.learn(&own, &file, facts);
            return Ok((own, ScopeReason::Path));
        }
        let known = self.known_stores()?;
        if let Some(found) = holder(&known, &own, facts) {
            return Ok(found);
        }
        let moved = Moved { facts, remote: git::origin(facts) };
        if known.iter().any(|(_, file)| moved.may_be_of(file))
            && let Some(found) = self.relink(&own, &moved)?
        {
            return Ok(found);
        }
        locked(&self.0.roots).insert(own.clone(), facts.main_root.clone());
        Ok((own, ScopeReason::Created))
    }

    /// All project stores that can be read. One that cannot is nobody's until it can.
    pub(super) fn known_stores(&self) -> Result<Vec<Known>> {
        let names = self.names_on_disk()?.into_iter();
        let projects = names.filter(|name| *name != StoreName::Global);
        Ok(projects
            .filter_map(|name| {
                let file = self.store_file(&name).ok().flatten()?;
                Some((name, file))
            })
            .collect())
    }

    /// The store into which writes for a store go: itself, or the one that took it in.
    pub(super) fn living(&self, store: &StoreName) -> Result<StoreName> {
        if *store == StoreName::Global || self.store_file(store)?.is_some() {
            return Ok(store.clone());
        }
        let known = self.known_stores()?;
        Ok(heir(&known, store).unwrap_or(store).clone())
    }

    /// Finds the store of a project that was moved, and notes where it is now. One asks at a time,
    /// so that a move is noted once.
    fn relink(
        &self,
        own: &StoreName,
        moved: &Moved<'_>,
    ) -> Result<Option<(StoreName, ScopeReason)>> {
        let facts = moved.facts;
        let _one = locked(&self.0.relinking);
        let known = self.known_stores()?;
        if let Some(found) = holder(&known, own, facts) {
            return Ok(Some(found));
        }
        let Some(root_commit) = git::root_commit(facts) else { return Ok(None) };
        let fits = |(_, file): &&Known| {
            file.root_commit.as_ref() == Some(&root_commit) && moved.may_be_of(file)
        };
        let Some((store, _)) = only(known.iter().filter(fits)) else { return Ok(None) };
        let now = clock::now();
        match self.record_root(store, facts, now) {
            Ok(()) => {
                let ids = [own.project_id()];
                self.audit(&audit_row("memory_store_relinked", &organizer(), store, &ids, now));
            }
            // It is the right store all the same, and found again by the next question.
            Err(error) => tracing::warn!(%store, %error, "a moved project cannot be noted"),
        }
        Ok(Some((store.clone(), ScopeReason::Relinked)))
    }

    fn record_root(&self, store: &StoreName, facts: &GitFacts, now: Timestamp) -> Result<()> {
        let file = self.change_store_file(store, now, |file| put_last(file, facts))?;
        locked(&self.0.learned).remove(store);
        self.mirror(store, &file, now);
        self.changed(store);
        Ok(())
    }

    /// Notes what a store does not know yet of its project: where it is, its remote, its first
    /// commit. What failed is tried again with the next commit, and not with each question.
    fn learn(&self, store: &StoreName, file: &StoreFile, facts: &GitFacts) {
        let is_placed = file.roots_here().last() == Some(&facts.main_root);
        if is_placed && file.remote.is_some() && file.root_commit.is_some() {
            return;
        }
        let remote = if file.remote.is_none() { git::origin(facts) } else { None };
        let lesson = Some(Lesson { head: facts.head.clone(), remote: remote.clone() });
        let mut learned = locked(&self.0.learned);
        if learned.get(store) == lesson.as_ref() {
            return;
        }
        learned.extend(lesson.map(|lesson| (store.clone(), lesson)));
        drop(learned);
        let root_commit = if file.root_commit.is_none() { git::root_commit(facts) } else { None };
        if is_placed && remote.is_none() && root_commit.is_none() {
            return;
        }
        let now = clock::now();
        let changed = self.change_store_file(store, now, |file| {
            put_last(file, facts);
            file.project_id.get_or_insert_with(|| store.project_id().to_owned());
            file.remote = file.remote.take().or(remote);
            file.root_commit = file.root_commit.take().or(root_commit);
        });
        match changed {
            Ok(file) => {
                self.mirror(store, &file, now);
                self.changed(store);
            }
            Err(error) => tracing::debug!(%store, %error, "a project's place cannot be noted"),
        }
    }
}

/// The store that holds a project's identity though another path names it: it took the project's
/// own store in, or the project's folder is noted in it.
fn holder(known: &[Known], own: &StoreName, facts: &GitFacts) -> Option<(StoreName, ScopeReason)> {
    if let Some(store) = heir(known, own) {
        return Some((store.clone(), ScopeReason::Alias));
    }
    let holds = |(_, file): &&Known| file.roots_here().contains(&facts.main_root);
    only(known.iter().filter(holds)).map(|(store, _)| (store.clone(), ScopeReason::Relinked))
}

/// The one store that took another one in.
fn heir<'a>(known: &'a [Known], gone: &StoreName) -> Option<&'a StoreName> {
    let gone = Id::parse(gone.project_id())?;
    let is_gone = |id: &String| Id::parse(id).as_ref() == Some(&gone);
    let holds = |(_, file): &&Known| file.merged_identities.iter().any(is_gone);
    only(known.iter().filter(holds)).map(|(store, _)| store)
}

/// A project without a store, which may have been moved.
struct Moved<'a> {
    facts: &'a GitFacts,
    remote: Option<String>,
}

impl Moved<'_> {
    /// Whether a store may be the project's, as far as can be told without the program `git`: the
    /// remote is the same (or both have none), and the store's project is nowhere else any more.
    fn may_be_of(&self, file: &StoreFile) -> bool {
        let here = &self.facts.main_root;
        // A link that was left behind leads to the project itself.
        let leads_here = |root| git::facts(root).is_some_and(|it| it.main_root == *here);
        let roots = file.roots_here();
        file.root_commit.is_some()
            && file.remote == self.remote
            && !roots.is_empty()
            && roots.iter().all(|root| is_gone(root) || leads_here(root))
    }
}

/// Makes a project's folder the latest one of this machine.
fn put_last(file: &mut StoreFile, facts: &GitFacts) {
    let roots = file.project_roots.entry(host_name()).or_default();
    roots.retain(|root| *root != facts.main_root);
    roots.push(facts.main_root.clone());
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
