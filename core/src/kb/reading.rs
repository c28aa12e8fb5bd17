//! What the index keeps of a document's file.

use coffer_domain::kb::DocumentText;
use coffer_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::knowledge::Reading;

/// Where a document comes from, as the index keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// The original's name, or its path in the folder that was taken in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_filename: Option<String>,
    /// Its format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_format: Option<String>,
    /// Its hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_sha256: Option<String>,
    /// When it was made into Markdown, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub converted_at: Option<String>,
    /// What made it into Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion_engine: Option<String>,
    /// Where it stands, when it was named by its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_path: Option<String>,
}

impl Metadata {
    /// What the index kept.
    pub(super) fn of_kept(kept: &str) -> Self {
        serde_json::from_str(kept).unwrap_or_default()
    }
}

/// A document's file, as the index keeps it.
pub(super) fn reading(text: &str, path: &str, modified: Timestamp) -> Reading {
    let read = DocumentText::read(text, path, modified);
    let metadata = Metadata {
        original_filename: read.filename,
        original_format: read.format,
        source_sha256: read.source_sha256,
        converted_at: read.converted_at.map(|time| time.to_string()),
        conversion_engine: read.converter,
        source_path: read.source_path,
    };
    Reading {
        id: read.id,
        title: read.title,
        description: read.description,
        created_at: read.created_at,
        updated_at: read.updated_at,
        body: read.body,
        problem: read.problem.map(|problem| problem.to_string()),
        source_mode: read.mode.as_str(),
        metadata: serde_json::to_string(&metadata).unwrap_or_default(),
    }
}
