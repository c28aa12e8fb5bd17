//! Facts of the git repository that a working directory is in, without a git library.
//!
//! Reading a few small files answers the questions that every request asks: which project, which
//! branch, which commit. The `git` program is asked only for what files do not say (how many
//! commits, what is not committed), with a deadline. Deliberately absent: changing a repository.
#![expect(clippy::disallowed_methods, reason = "git's files belong to git, not to the vault")]

mod config;
mod drift;
mod filters;
mod find;
mod head;
mod program;
mod read;
mod remote;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub(crate) use drift::{drift, root_commit};

/// How many characters of a commit stand for a detached `HEAD`.
const SHORT_HASH: usize = 12;

/// What is known of the repository that a folder is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitFacts {
    /// The canonical folder that stands for the project, the same from each of its worktrees: the
    /// top of the main checkout, or a bare repository's own folder.
    pub main_root: PathBuf,
    /// The top of the checkout that the folder is in; `None` in a bare repository.
    pub worktree_root: Option<PathBuf>,
    /// The exact name of the branch, also of one without a commit; `None` when detached.
    pub branch: Option<String>,
    /// The full hash of the commit that is checked out; `None` before the first one.
    pub head: Option<String>,
    layout: find::Layout,
}

impl GitFacts {
    /// The branch, or the first 12 characters of the commit when detached.
    pub(crate) fn branch_name(&self) -> String {
        let detached = || {
            self.head
                .as_deref()
                .map_or("HEAD", |head| head.get(..SHORT_HASH).unwrap_or(head))
                .to_owned()
        };
        self.branch.clone().unwrap_or_else(detached)
    }
}

/// The facts of a working directory; `None` outside of a repository, in one that git itself would
/// not understand, in one whose path is not UTF-8 (an identity is a hash of UTF-8), and where the
/// project would be the home directory, the root, or a temporary folder as a whole.
pub(crate) fn facts(cwd: &Path) -> Option<GitFacts> {
    facts_but(cwd, &coffer_env::landmarks::never_projects())
}

fn facts_but(cwd: &Path, refused: &[PathBuf]) -> Option<GitFacts> {
    let layout = find::layout(&std::fs::canonicalize(cwd).ok()?)?;
    let root = &layout.main_root;
    root.to_str()?;
    let is_refused = |folder: &PathBuf| std::fs::canonicalize(folder).is_ok_and(|it| it == *root);
    if root.parent().is_none() || refused.iter().any(is_refused) {
        return None;
    }
    let head::Head { branch, commit } = head::head(&layout)?;
    Some(GitFacts {
        main_root: layout.main_root.clone(),
        worktree_root: layout.worktree_root.clone(),
        branch,
        head: commit,
        layout,
    })
}

/// The facts of a checkout or bare repository whose top is this folder, by whatever name; `None` for
/// a folder further down.
pub(crate) fn facts_of_top(folder: &Path) -> Option<GitFacts> {
    let at = std::fs::canonicalize(folder).ok()?;
    let is_top = |facts: &GitFacts| {
        facts.main_root == at || facts.worktree_root.as_ref().is_some_and(|top| *top == at)
    };
    facts(folder).filter(is_top)
}

/// The tops of all linked worktrees, be they there or not.
pub(crate) fn worktrees(facts: &GitFacts) -> Vec<PathBuf> {
    find::linked(&facts.layout.common_dir)
}

/// The remote `origin` in one form for all ways to write it, `host/path`, without credentials.
pub(crate) fn origin(facts: &GitFacts) -> Option<String> {
    remote::normalize(config::read(&facts.layout.common_dir).url("origin")?)
}
