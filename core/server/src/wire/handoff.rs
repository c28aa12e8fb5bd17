//! Working state by working directory.

use coffer_api::handoff::{HandoffSavedOut, ResumeOut, ScopeOut, ScopeReason};
use coffer_core::memory::{HandoffSaved, Resolved, Resumed};

use super::{facts, shown};

/// The store of a working directory.
pub(crate) fn scope(resolved: Resolved) -> ScopeOut {
    let Resolved { store, root, branch, reason: why } = resolved;
    ScopeOut {
        scope: super::scope(&store),
        store_name: store.to_string(),
        project_root: root.as_deref().map(shown),
        branch,
        reason: reason(why),
    }
}

fn reason(reason: coffer_core::memory::ScopeReason) -> ScopeReason {
    match reason {
        coffer_core::memory::ScopeReason::Path => ScopeReason::Path,
        coffer_core::memory::ScopeReason::Alias => ScopeReason::Alias,
        coffer_core::memory::ScopeReason::Relinked => ScopeReason::Relinked,
        coffer_core::memory::ScopeReason::Created => ScopeReason::Created,
        coffer_core::memory::ScopeReason::NoProject => ScopeReason::NoProject,
    }
}

/// A handoff that was saved.
pub(crate) fn saved(saved: HandoffSaved) -> HandoffSavedOut {
    let HandoffSaved { branch, store, redacted } = saved;
    HandoffSavedOut {
        status: "saved".to_owned(),
        branch,
        scope: store.to_string(),
        redacted: facts::redacted(redacted),
    }
}

/// A handoff that was picked up, or none.
pub(crate) fn resumed(found: Option<Resumed>) -> ResumeOut {
    let Some(Resumed { branch, body, updated_at, note }) = found else {
        return ResumeOut { found: false, branch: None, body: None, updated_at: None, note: None };
    };
    ResumeOut {
        found: true,
        branch: Some(branch),
        body: Some(body),
        updated_at: Some(updated_at.to_string()),
        note,
    }
}
