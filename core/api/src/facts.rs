//! Facts: adding, listing, reading, changing and deleting them.

use std::collections::BTreeMap;

use crate::{reply, request, words};

words! {
    /// Where a file of a store lives.
    pub enum Lane {
        /// Facts and topic documents.
        Knowledge,
        /// How to behave.
        Rules,
        /// What happened, one file a day.
        Journal,
        /// Working state, one per branch.
        Handoff,
    }

    /// Who wrote a text.
    pub enum Actor {
        /// A coding agent.
        Agent,
        /// The person.
        User,
    }

    /// Which store a call is about.
    pub enum Scope {
        /// The store for everything.
        Global,
        /// The store of the git project one is in.
        Project,
    }
}

request! {
    /// A new fact.
    pub struct NewFactIn {
        /// The fact itself, Markdown.
        pub text: String,
        /// A short title; the first line serves when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// One line on what it says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
        /// The session it comes from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub origin_session_id: Option<String>,
    }

    /// A change of a fact; absent fields stay.
    pub struct FactPatch {
        /// The new text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub text: Option<String>,
        /// The new title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// The new description; empty removes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
        /// The `content_sha256` that the change is based on; another one is a conflict.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub if_sha256: Option<String>,
    }

    /// Which page of a list of facts.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct FactsQuery {
        /// 1 to 200, default 50.
        #[cfg_attr(feature = "schema", param(minimum = 1, maximum = 200))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// How many to skip.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub offset: Option<u32>,
        /// Only facts whose title or description holds this, in any case.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub q: Option<String>,
    }
}

reply! {
    /// A fact or topic document (or, by id, a journal file).
    pub struct FactOut {
        /// ULID.
        pub id: String,
        /// `global` or `project-<ULID>`.
        pub store_name: String,
        /// Whether the store is the global one.
        pub scope: Scope,
        /// The lane it lives in.
        pub lane: Lane,
        /// Its title.
        pub title: String,
        /// One line on what it says.
        pub description: Option<String>,
        /// The text without frontmatter.
        pub text: String,
        /// Who wrote it.
        pub actor: Actor,
        /// Which agent, when known.
        pub agent: Option<String>,
        /// The session it comes from.
        pub origin_session_id: Option<String>,
        /// The file, absolute.
        pub path: String,
        /// The file's folder, absolute.
        pub folder_path: String,
        /// SHA-256 of the whole file, hexadecimal: what `if_sha256` compares.
        pub content_sha256: String,
        /// RFC 3339.
        pub created_at: String,
        /// RFC 3339.
        pub updated_at: String,
    }

    /// A fact that says nearly the same.
    pub struct SimilarOut {
        /// ULID.
        pub id: String,
        /// Its title.
        pub title: String,
    }

    /// The reply to a new fact.
    pub struct RememberedOut {
        /// The fact as written.
        #[serde(flatten)]
        pub fact: FactOut,
        /// Facts that say nearly the same; nothing was merged.
        pub similar: Vec<SimilarOut>,
        /// Whether recall finds it already; if not, the next read heals it.
        pub indexed: bool,
        /// Secrets that were taken out before it was written, how many by their kind.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub redacted: BTreeMap<String, u64>,
    }

    /// One page of facts, newest first.
    pub struct FactsOut {
        /// The page.
        pub facts: Vec<FactOut>,
        /// How many there are in all.
        pub total: u64,
    }

    /// The reply to clearing a store.
    pub struct ClearedOut {
        /// How many facts were retired.
        pub cleared: u64,
    }
}
