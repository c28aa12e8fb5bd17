//! What the tools of knowledge bases take and give, as agents see it.

use coffer_api::kb::{GrepHitOut, GrepOut, PassageOut, PassagesOut};
use coffer_core::kb::{Document, KnowledgeBase, Part};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The arguments of `coffer__search_knowledge`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp::tools) struct SearchArgs {
    pub(super) kb: String,
    pub(super) query: String,
    /// Default 5.
    pub(super) top_k: Option<u32>,
}

/// The arguments of `coffer__grep_knowledge`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp::tools) struct GrepArgs {
    pub(super) kb: String,
    /// Regular expression.
    pub(super) pattern: String,
    /// Default 100.
    pub(super) max_matches: Option<u32>,
}

/// The arguments of `coffer__read_document`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp::tools) struct ReadArgs {
    pub(super) kb: String,
    pub(super) doc_id: String,
    /// First line.
    pub(super) offset: Option<u32>,
    /// Lines, default 500.
    pub(super) limit: Option<u32>,
}

/// The arguments of `coffer__add_document`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp::tools) struct AddArgs {
    pub(super) kb: String,
    pub(super) filename: String,
    pub(super) content: String,
}

/// The arguments of `coffer__edit_document`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp::tools) struct EditArgs {
    pub(super) kb: String,
    pub(super) doc_id: String,
    /// The whole Markdown.
    pub(super) content: String,
    /// `sha256` as read.
    pub(super) if_sha256: Option<String>,
}

/// The arguments of `coffer__delete_document`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp::tools) struct DocumentArgs {
    pub(super) kb: String,
    pub(super) doc_id: String,
}

/// The result of `coffer__list_knowledge_bases`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Bases {
    pub(super) knowledge_bases: Vec<Base>,
}

/// A knowledge base, as far as agents need it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Base {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) documents: u64,
}

/// The result of `coffer__search_knowledge`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Passages {
    pub(super) passages: Vec<Passage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

/// A passage, as far as agents need it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Passage {
    pub(super) doc_id: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) score: f64,
    pub(super) heading_path: String,
    pub(super) line_start: u32,
    pub(super) line_end: u32,
}

/// The result of `coffer__grep_knowledge`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Grepped {
    pub(super) hits: Vec<GrepHitOut>,
    pub(super) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

/// The result of `coffer__read_document`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Read {
    pub(super) title: String,
    pub(super) markdown: String,
    pub(super) frontmatter: String,
    pub(super) sha256: String,
    pub(super) line_start: u64,
    pub(super) line_end: u64,
    pub(super) total_lines: u64,
}

/// The result of writing a document.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Written {
    pub(super) doc_id: String,
    pub(super) title: String,
    pub(super) sha256: String,
    pub(super) path: String,
}

/// The result of `coffer__delete_document`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp::tools) struct Deleted {
    pub(super) deleted: String,
}

impl From<Vec<KnowledgeBase>> for Bases {
    fn from(found: Vec<KnowledgeBase>) -> Self {
        let base = |base: KnowledgeBase| Base {
            name: base.name.to_string(),
            description: base.description,
            documents: base.document_count,
        };
        Self { knowledge_bases: found.into_iter().map(base).collect() }
    }
}

impl From<PassagesOut> for Passages {
    fn from(found: PassagesOut) -> Self {
        let PassagesOut { passages, note } = found;
        Self { passages: passages.into_iter().map(Passage::from).collect(), note }
    }
}

impl From<PassageOut> for Passage {
    fn from(passage: PassageOut) -> Self {
        let PassageOut { document_id, title, text, score, heading_path, .. } = passage;
        let (line_start, line_end) = (passage.line_start, passage.line_end);
        Self { doc_id: document_id, title, text, score, heading_path, line_start, line_end }
    }
}

impl From<GrepOut> for Grepped {
    fn from(found: GrepOut) -> Self {
        let GrepOut { hits, truncated, note } = found;
        Self { hits, truncated, note }
    }
}

impl From<Part> for Read {
    fn from(part: Part) -> Self {
        let Part { document, header, markdown, line_start, line_end, total_lines } = part;
        let (title, sha256) = (document.title, document.file_sha256);
        Self { title, markdown, frontmatter: header, sha256, line_start, line_end, total_lines }
    }
}

impl From<Document> for Written {
    fn from(document: Document) -> Self {
        let Document { id, title, file_sha256, path, .. } = document;
        let (doc_id, path) = (id.to_string(), path.display().to_string());
        Self { doc_id, title, sha256: file_sha256, path }
    }
}
