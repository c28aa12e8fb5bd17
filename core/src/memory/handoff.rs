//! Handoff: the working state of a project's branch, saved and picked up by working directory.

use std::path::Path;

use coffer_domain::fact::Author;
use coffer_domain::handoff::Scene;
use coffer_domain::store::{Lane, StoreName};
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::redact::Redacted;
use super::{Memory, audit_row};
use crate::error::{Error, Result};
use crate::git;
use crate::vault::Expect;

/// Where a scene was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffSaved {
    /// The branch.
    pub branch: String,
    /// The store.
    pub store: StoreName,
    /// What was taken out of it.
    pub redacted: Redacted,
}

/// A scene that was picked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumed {
    /// The branch that it was saved on.
    pub branch: String,
    /// The text.
    pub body: String,
    /// When it was saved.
    pub updated_at: Timestamp,
    /// What moved since, as a sentence.
    pub note: Option<String>,
}

impl Memory {
    /// Saves the working state of the project and branch that `cwd` is in, without the secrets in it.
    /// The scene before it goes to `superseded/`.
    ///
    /// # Errors
    ///
    /// Outside of a git project; an empty or too long text; files that cannot be written.
    pub fn set_handoff(
        &self,
        cwd: &Path,
        body: &str,
        author: &Author,
        now: Timestamp,
    ) -> Result<HandoffSaved> {
        let facts = git::facts(cwd).ok_or_else(|| Error::ScopeUnresolved(cwd.to_owned()))?;
        let resolved = self.scope(cwd)?;
        let store = resolved.project(cwd)?.clone();
        let branch = facts.branch_name();
        let mut redacted = Redacted::new();
        let body = self.redact("body", body, &mut redacted)?;
        let scene = Scene::new(branch.clone(), facts.head, &body, now)?;
        self.provision(&store, resolved.root.as_deref(), author, now)?;
        let at = self.store_ref(&store);
        let path = StorePaths::scene(&branch);
        self.knowledge().exclusively(&at, || {
            let (dir, name) = at.place(&path)?;
            let before = dir.read(name)?;
            if let Some(before) = &before {
                self.archive(&store, &path, before, now)?;
            }
            dir.write(name, scene.render().as_bytes(), Expect::as_read(before.as_ref()))
        })?;
        self.audit(&audit_row("handoff_saved", author, &store, &[&branch], now));
        self.changed(&store);
        Ok(HandoffSaved { branch, store, redacted })
    }

    /// The working state saved for the project and branch that `cwd` is in, if any.
    ///
    /// # Errors
    ///
    /// Outside of a git project; files that cannot be read.
    pub fn resume(&self, cwd: &Path) -> Result<Option<Resumed>> {
        let facts = git::facts(cwd).ok_or_else(|| Error::ScopeUnresolved(cwd.to_owned()))?;
        let resolved = self.scope(cwd)?;
        let store = resolved.project(cwd)?;
        let branch = facts.branch_name();
        let scenes = self.handoffs(store)?;
        let Some(scene) = scenes.into_iter().find(|scene| scene.scene.branch == branch) else {
            return Ok(None);
        };
        let Scene { branch, head, updated_at, body } = scene.scene;
        let note = git::drift(&facts, &branch, head.as_deref());
        Ok(Some(Resumed { branch, body, updated_at, note }))
    }

    /// Whether a path is a scene.
    pub(super) fn is_scene(path: &str) -> bool {
        Lane::of_path(path) == Some(Lane::Handoff) && path.ends_with(".md")
    }
}
