//! Knowledge bases: documents made of any file, searched, kept in step with their sources.

use serde::{Deserialize, Deserializer};

use crate::model_settings::EmbeddingSettings;
use crate::recall::Mode;
use crate::resources::ResourceKind;
use crate::{reply, request, words};

reply! {
    /// Settings of a knowledge base.
    pub struct KnowledgeBaseConfigOut {
        /// Modes that search may use.
        pub enabled_modes: Vec<Mode>,
        /// The mode of search.
        pub default_mode: Mode,
        /// The most tokens of a passage.
        pub chunk_size: u32,
        /// How many of them two passages of one long block share.
        pub chunk_overlap: u32,
        /// The most bytes of an original.
        pub max_document_bytes: u64,
        /// Its own model that embeds; null: the one of Coffer's settings.
        pub embedding: Option<EmbeddingSettings>,
        /// Whether a look at the sources takes in what changed.
        pub auto_update_sources: bool,
    }

    /// A knowledge base.
    pub struct KnowledgeBaseOut {
        /// `knowledge_base:<name>`.
        #[serde(rename = "ref")]
        pub reference: String,
        /// `knowledge_base`.
        pub kind: ResourceKind,
        /// Its name.
        pub name: String,
        /// What it is for.
        pub description: Option<String>,
        /// Its folder, absolute.
        pub dir: String,
        /// Its documents.
        pub document_count: u64,
        /// Settings.
        pub config: KnowledgeBaseConfigOut,
        /// Whether search uses it.
        pub enabled: bool,
        /// RFC 3339.
        pub created_at: String,
        /// RFC 3339: the last change of a document or of the settings.
        pub updated_at: String,
    }

    /// All knowledge bases, by name.
    pub struct KnowledgeBasesOut {
        /// The knowledge bases.
        pub knowledge_bases: Vec<KnowledgeBaseOut>,
    }

    /// Where a document comes from.
    pub struct DocumentMetadataOut {
        /// The original's name, or its path in the folder that was taken in.
        pub original_filename: Option<String>,
        /// Its format.
        pub original_format: Option<String>,
        /// Its hash.
        pub source_sha256: Option<String>,
        /// When it was made into Markdown, RFC 3339.
        pub converted_at: Option<String>,
        /// What made it into Markdown.
        pub conversion_engine: Option<String>,
        /// Where it stands, when it was named by its path.
        pub source_path: Option<String>,
    }

    /// A document.
    pub struct DocumentOut {
        /// ULID.
        pub id: String,
        /// `knowledge_base`.
        pub kind: ResourceKind,
        /// Its knowledge base.
        pub resource_name: String,
        /// Its title.
        pub title: String,
        /// One line on what it says.
        pub description: Option<String>,
        /// Whether the text is still as it was converted.
        pub source_mode: SourceMode,
        /// SHA-256 of the file: what `if_sha256` compares.
        pub content_sha256: String,
        /// Whether it waits for vectors.
        pub embed_pending: bool,
        /// Its passages.
        pub chunk_count: u64,
        /// Where it comes from.
        pub metadata: DocumentMetadataOut,
        /// The file, absolute.
        pub path: String,
        /// Its folder, absolute.
        pub folder_path: String,
        /// RFC 3339.
        pub created_at: String,
        /// RFC 3339.
        pub updated_at: String,
    }

    /// A document with its text.
    pub struct DocumentTextOut {
        /// The document.
        #[serde(flatten)]
        pub document: DocumentOut,
        /// Its Markdown.
        pub markdown: String,
    }

    /// A page of documents, newest first.
    pub struct DocumentsOut {
        /// The page.
        pub documents: Vec<DocumentOut>,
        /// How many there are in all.
        pub total: u64,
    }

    /// What a look at one document's source found.
    pub struct SourceOut {
        /// The document.
        pub id: String,
        /// Where its original stands.
        pub source_path: String,
        /// What stands there.
        pub status: SourceStatus,
    }

    /// What a look at the sources found.
    pub struct SourcesOut {
        /// The documents that were taken in by their paths.
        pub documents: Vec<SourceOut>,
    }

    /// A passage that answers.
    pub struct PassageOut {
        /// ULID of the document.
        pub document_id: String,
        /// The document's title.
        pub title: String,
        /// The passage.
        pub text: String,
        /// Higher is better; comparable within one knowledge base only.
        pub score: f64,
        /// Which passage of the document it is, from 0.
        pub position: u32,
        /// Headings above it, `A > B`.
        pub heading_path: String,
        /// The document's file, relative to the knowledge base's folder.
        pub path: String,
        /// First line in the file, from 1.
        pub line_start: u32,
        /// Last line.
        pub line_end: u32,
    }

    /// What a search found.
    pub struct PassagesOut {
        /// Best first.
        pub passages: Vec<PassageOut>,
        /// Why the answer is partial or empty, when it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
    }

    /// A line that matched.
    pub struct GrepHitOut {
        /// The document's file, relative to the knowledge base's folder.
        pub path: String,
        /// From 1.
        pub line_number: u64,
        /// The line, cut around the match when it is long.
        pub line: String,
    }

    /// What a grep found.
    pub struct GrepOut {
        /// In the order of files and lines.
        pub hits: Vec<GrepHitOut>,
        /// Whether there may be more.
        pub truncated: bool,
        /// Why the answer is empty, when it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
    }

    /// Counts of one knowledge base.
    pub struct KbMetricsOut {
        /// Documents.
        pub document_count: u64,
        /// Passages in the index.
        pub chunk_count: u64,
        /// Modes that the index can answer.
        pub indexed_modes: Vec<Mode>,
        /// Bytes of its documents, originals and retired versions.
        pub disk_bytes: u64,
        /// Documents that wait for vectors.
        pub documents_degraded: u64,
    }

    /// A file of a folder that was taken in.
    pub struct IngestedFileOut {
        /// Relative to the folder.
        pub path: String,
        /// What became of it.
        pub status: IngestStatus,
        /// Why it was left out, or could not be taken in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub reason: Option<String>,
    }

    /// What became of a folder.
    pub struct IngestOut {
        /// Files that are documents now.
        pub ingested: u64,
        /// Files that were there already.
        pub unchanged: u64,
        /// Files that were left out.
        pub skipped: u64,
        /// Files that could not be taken in.
        pub failed: u64,
        /// The first thousand that were left out or failed, and the first thousand others.
        pub files: Vec<IngestedFileOut>,
        /// How many more there are.
        pub more_files: u64,
    }
}

words! {
    /// Whether a document's text is still as it was converted.
    pub enum SourceMode {
        /// It is.
        Converted,
        /// It was changed, or written, since.
        Edited,
    }

    /// What stands at a document's source.
    pub enum SourceStatus {
        /// The file that was taken in.
        Unchanged,
        /// Another version.
        Changed,
        /// Nothing that can be read.
        Missing,
        /// Another version, while the document was edited.
        Edited,
        /// Another version, which was taken in just now.
        Updated,
    }

    /// What became of a file of a folder.
    pub enum IngestStatus {
        /// It is a document now, or a new version of one.
        Ingested,
        /// It was there already.
        Unchanged,
        /// It was left out.
        Skipped,
        /// It could not be taken in.
        Failed,
    }
}

request! {
    /// Settings of a knowledge base; absent fields stay, or are the defaults of a new one.
    pub struct KnowledgeBaseConfigPatch {
        /// Modes that search may use; `vector` needs a model and brings `hybrid`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub enabled_modes: Option<Vec<Mode>>,
        /// The mode of search.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub default_mode: Option<Mode>,
        /// 64 to 2,048 tokens.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub chunk_size: Option<u32>,
        /// 0 to half of `chunk_size`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub chunk_overlap: Option<u32>,
        /// 1 KiB to 100 MiB.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max_document_bytes: Option<u64>,
        /// Its own model that embeds; null: the one of Coffer's settings.
        #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
        pub embedding: Option<Option<EmbeddingSettings>>,
        /// Whether a look at the sources takes in what changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub auto_update_sources: Option<bool>,
    }

    /// A new knowledge base.
    pub struct KnowledgeBaseIn {
        /// 1 to 64 small letters, digits, `-` and `_`; begins with a letter or digit.
        pub name: String,
        /// What it is for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
        /// Settings that differ from the defaults.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub config: Option<KnowledgeBaseConfigPatch>,
    }

    /// A change of a knowledge base; absent fields stay.
    pub struct KnowledgeBasePatch {
        /// What it is for; null or blank takes it away.
        #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
        pub description: Option<Option<String>>,
        /// Settings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub config: Option<KnowledgeBaseConfigPatch>,
    }

    /// Which documents.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct DocumentsQuery {
        /// 1 to 200, default 50.
        #[cfg_attr(feature = "schema", param(minimum = 1, maximum = 200))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// How many to skip.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub offset: Option<u32>,
        /// Only documents whose title or description holds this, in any case.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub q: Option<String>,
    }

    /// A file or folder of this machine.
    pub struct IngestIn {
        /// Absolute.
        pub path: String,
        /// Whether another version of what is there takes its place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub replace: Option<bool>,
    }

    /// Another text for a document.
    pub struct DocumentPut {
        /// The Markdown.
        pub markdown: String,
        /// `content_sha256` of the version that the change is based on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub if_sha256: Option<String>,
    }

    /// A question to one knowledge base.
    pub struct KbSearchIn {
        /// 1 to 4,096 characters.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 4096))]
        pub query: String,
        /// 1 to 20, default 5.
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 20))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub top_k: Option<u32>,
    }

    /// A pattern for the lines of one knowledge base.
    pub struct GrepIn {
        /// A regular expression, 1 to 4,096 characters.
        #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 4096))]
        pub pattern: String,
        /// 1 to 1,000, default 100.
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1000))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max_matches: Option<u32>,
        /// Absent: only where the pattern has an upper-case letter.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub case_sensitive: Option<bool>,
    }
}

/// Tells a null that was sent from a field that was not.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_told_from_nothing() {
        let patch = |json| serde_json::from_str::<KnowledgeBasePatch>(json).unwrap();
        assert_eq!(patch("{}").description, None);
        assert_eq!(patch(r#"{"description":null}"#).description, Some(None));
        let config = patch(r#"{"config":{"embedding":null}}"#).config.unwrap();
        assert_eq!((config.embedding, config.chunk_size), (Some(None), None));
        assert!(serde_json::from_str::<KnowledgeBasePatch>(r#"{"chunk_size":1}"#).is_err());
    }
}
