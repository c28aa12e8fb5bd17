//! Recall in a store, and search over all of them.

use crate::facts::Lane;
use crate::{reply, request, words};

words! {
    /// How to look.
    pub enum Mode {
        /// Literal text, or a regular expression written `/…/`.
        Grep,
        /// Ranked by terms.
        Keyword,
        /// By meaning.
        Vector,
        /// Terms and meaning.
        Hybrid,
    }

    /// Which stores a recall looks at.
    pub enum RecallScope {
        /// The global store.
        Global,
        /// The project's store.
        Project,
        /// Both, merged.
        Both,
    }
}

request! {
    /// A question to one store.
    pub struct RecallIn {
        /// 1 to 4,096 characters.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 4096))]
        pub query: String,
        /// Absent or `project`: the store of the address; `global`; or `both`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scope: Option<RecallScope>,
        /// Absent: the store's own mode.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mode: Option<Mode>,
        /// 1 to 20, default 5.
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 20))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub top_k: Option<u32>,
    }

    /// A question to all enabled stores and knowledge bases.
    pub struct SearchIn {
        /// 1 to 4,096 characters.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 4096))]
        pub query: String,
        /// 1 to 20, default 5.
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 20))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub top_k: Option<u32>,
        /// Only these kinds of resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kinds: Option<Vec<crate::resources::ResourceKind>>,
        /// Only the stores of these names, and knowledge bases as `knowledge_base:<name>`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub stores: Option<Vec<String>>,
    }
}

reply! {
    /// One passage that answers.
    pub struct Hit {
        /// ULID of the document.
        pub id: String,
        /// The document's title.
        pub title: String,
        /// The passage.
        pub text: String,
        /// Higher is better; comparable within one store and mode only.
        pub score: f64,
        /// `<scope>:<path of the file>`; of a document, `knowledge_base:<name>/<path in it>`.
        pub source: String,
        /// When the document last changed, RFC 3339.
        pub time: String,
        /// The lane it lives in.
        pub lane: Lane,
        /// The store's name, or `knowledge_base:<name>`.
        pub store_name: String,
    }

    /// The reply to a recall.
    pub struct RecallOut {
        /// Best first.
        pub hits: Vec<Hit>,
        /// How it was looked for.
        pub mode: Mode,
        /// Whether a mode was asked for that could not be had.
        pub fallback: bool,
        /// Why the answer is partial or empty, when it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
    }
}
