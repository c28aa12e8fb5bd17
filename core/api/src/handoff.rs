//! Working state by working directory: save it, pick it up, say which store a folder belongs to.

use std::collections::BTreeMap;

use crate::facts::Scope;
use crate::{reply, request, words};

words! {
    /// Why a working directory belongs to a store.
    pub enum ScopeReason {
        /// The project's path names it.
        Path,
        /// The project was merged into it.
        Alias,
        /// The project was moved and its store found again.
        Relinked,
        /// No store exists yet; the first write makes it.
        Created,
        /// Not in a git project.
        NoProject,
    }
}

reply! {
    /// The store of a working directory.
    pub struct ScopeOut {
        /// `project` in a git project, else `global`.
        pub scope: Scope,
        /// The store's name.
        pub store_name: String,
        /// The project's main folder, absolute.
        pub project_root: Option<String>,
        /// The checked-out branch; 12 characters of the commit when detached.
        pub branch: Option<String>,
        /// Why this store.
        pub reason: ScopeReason,
    }

    /// The reply to saving a handoff.
    pub struct HandoffSavedOut {
        /// Always `saved`.
        pub status: String,
        /// The branch it was saved for.
        pub branch: String,
        /// The store's name.
        pub scope: String,
        /// Secrets that were taken out before it was written, how many by their kind.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub redacted: BTreeMap<String, u64>,
    }

    /// The working state saved for this project and branch.
    pub struct ResumeOut {
        /// Whether there is one.
        pub found: bool,
        /// The branch it was saved on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub branch: Option<String>,
        /// The text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub body: Option<String>,
        /// RFC 3339.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub updated_at: Option<String>,
        /// What moved since: commits, dirty files, a branch that is gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
    }
}

request! {
    /// Save the working state of the project and branch that `cwd` is in.
    pub struct HandoffIn {
        /// The working directory, absolute.
        pub cwd: String,
        /// The text.
        pub body: String,
    }

    /// A working directory.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct CwdQuery {
        /// Absolute.
        pub cwd: String,
    }
}
