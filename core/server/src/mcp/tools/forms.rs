//! What the tools take and give, as agents see it.

use std::collections::BTreeMap;

use coffer_api::facts::{FactOut, FactsOut, RememberedOut, Scope, SimilarOut};
use coffer_api::recall::{Hit, Mode, RecallScope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::facts;

/// The arguments of `coffer__recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallArgs {
    /// What to look for, in plain words.
    pub(super) query: String,
    /// Default both.
    pub(super) scope: Option<RecallScope>,
    /// Default: the store's. Grep takes literal text, or a regular expression as `/…/`.
    pub(super) mode: Option<Mode>,
    /// 1 to 20, default 5.
    pub(super) top_k: Option<u32>,
}

/// The arguments of `coffer__remember`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RememberArgs {
    /// The fact, Markdown; one fact a call.
    pub(super) text: String,
    /// Default project.
    pub(super) scope: Option<Scope>,
    /// Default: the first line.
    pub(super) title: Option<String>,
    /// One line on what it says.
    pub(super) description: Option<String>,
}

/// The arguments of `coffer__set_handoff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandoffArgs {
    /// What is done, what is next, what to watch out for; Markdown.
    pub(super) body: String,
}

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoArgs {}

/// The arguments of `coffer__list_memory`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListArgs {
    /// Default: the project's, else the global one.
    pub(super) scope: Option<Scope>,
    /// 1 to 200, default 50.
    pub(super) limit: Option<u32>,
    /// How many to skip.
    pub(super) offset: Option<u32>,
}

/// The result of `coffer__recall`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Recalled {
    /// Best first.
    pub(super) hits: Vec<Hit>,
    /// How it was looked for.
    pub(super) mode: Mode,
    /// Whether another mode was asked for.
    pub(super) fallback: bool,
    /// The stores that were asked.
    pub(super) stores: Vec<String>,
    /// Why the answer is partial or empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

/// The result of `coffer__remember`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Remembered {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) store: String,
    pub(super) path: String,
    /// Facts that say nearly the same; nothing was merged.
    pub(super) similar: Vec<SimilarOut>,
    /// Secrets that were taken out, how many by their kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) redacted: BTreeMap<String, u64>,
}

/// The result of `coffer__list_memory`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    /// The page, newest first.
    pub(super) facts: Vec<ListedFact>,
    /// In all.
    pub(super) total: u64,
}

/// A fact, as far as agents need it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ListedFact {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
    pub(super) text: String,
    pub(super) path: String,
    pub(super) time: String,
}

impl From<FactsOut> for Listed {
    fn from(page: FactsOut) -> Self {
        let FactsOut { facts, total } = page;
        Self { facts: facts.into_iter().map(ListedFact::from).collect(), total }
    }
}

impl From<FactOut> for ListedFact {
    fn from(fact: FactOut) -> Self {
        let FactOut { id, title, description, text, path, updated_at: time, .. } = fact;
        Self { id, title, description, text, path, time }
    }
}

impl From<coffer_core::memory::Remembered> for Remembered {
    fn from(written: coffer_core::memory::Remembered) -> Self {
        let RememberedOut { fact, similar, indexed: _, redacted } = facts::remembered(written);
        let FactOut { id, title, store_name: store, path, .. } = fact;
        Self { id, title, store, path, similar, redacted }
    }
}
