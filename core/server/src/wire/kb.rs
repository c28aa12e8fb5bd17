//! Knowledge bases and their documents.

use coffer_api::kb::{
    DocumentMetadataOut, DocumentOut, DocumentsOut, IngestOut, IngestStatus, IngestedFileOut,
    KbMetricsOut, KnowledgeBaseConfigOut, KnowledgeBaseConfigPatch, KnowledgeBaseIn,
    KnowledgeBaseOut, KnowledgeBasePatch, SourceMode, SourceOut, SourceStatus,
};
use coffer_api::resources::{ResourceConfigOut, ResourceKind, ResourceOut};
use coffer_core::kb::{
    BasePatch, Document, DocumentPage, FileOutcome, FolderReport, IngestedFile, KbMetrics,
    KnowledgeBase, KnowledgeBaseConfig, Metadata, SourceState, reference,
};
use coffer_domain::kb;

use super::model_settings::{embedding, embedding_in};
use super::recall::{mode, mode_in};
use super::{folder, shown};
use crate::error::Failure;

/// A knowledge base.
pub(crate) fn base(base: KnowledgeBase) -> KnowledgeBaseOut {
    let KnowledgeBase {
        name,
        description,
        dir,
        document_count,
        config: settings,
        enabled,
        created_at,
        updated_at,
    } = base;
    KnowledgeBaseOut {
        reference: reference(&name),
        kind: ResourceKind::KnowledgeBase,
        name: name.to_string(),
        description,
        dir: shown(&dir),
        document_count,
        config: config(settings),
        enabled,
        created_at: created_at.to_string(),
        updated_at: updated_at.to_string(),
    }
}

/// A knowledge base as a resource.
pub(crate) fn resource(given: KnowledgeBase) -> ResourceOut {
    let KnowledgeBaseOut {
        reference,
        kind,
        name,
        description,
        dir: _,
        document_count: _,
        config,
        enabled,
        created_at,
        updated_at,
    } = base(given);
    let config = ResourceConfigOut::KnowledgeBase(config);
    ResourceOut { reference, kind, name, description, config, enabled, created_at, updated_at }
}

fn config(config: KnowledgeBaseConfig) -> KnowledgeBaseConfigOut {
    let KnowledgeBaseConfig {
        enabled_modes,
        default_mode,
        chunk_size,
        chunk_overlap,
        max_document_bytes,
        embedding: own,
        auto_update_sources,
    } = config;
    KnowledgeBaseConfigOut {
        enabled_modes: enabled_modes.into_iter().map(mode).collect(),
        default_mode: mode(default_mode),
        chunk_size,
        chunk_overlap,
        max_document_bytes,
        embedding: own.map(embedding),
        auto_update_sources,
    }
}

/// A new knowledge base: its name, and what is not as usual.
pub(crate) fn base_in(body: KnowledgeBaseIn) -> Result<(kb::KbName, BasePatch), Failure> {
    let KnowledgeBaseIn { name, description, config } = body;
    let named = kb::KbName::parse(&name);
    let named = named.ok_or_else(|| Failure::field("name", coffer_domain::slug::PLAIN_NAME))?;
    let mut patch = config_in(config.unwrap_or_default())?;
    patch.description = description;
    Ok((named, patch))
}

/// A change of a knowledge base.
pub(crate) fn patch_in(body: KnowledgeBasePatch) -> Result<BasePatch, Failure> {
    let KnowledgeBasePatch { description, config } = body;
    let mut patch = config_in(config.unwrap_or_default())?;
    patch.description = description.map(Option::unwrap_or_default);
    Ok(patch)
}

fn config_in(patch: KnowledgeBaseConfigPatch) -> Result<BasePatch, Failure> {
    let KnowledgeBaseConfigPatch {
        enabled_modes,
        default_mode,
        chunk_size,
        chunk_overlap,
        max_document_bytes,
        embedding: own,
        auto_update_sources,
    } = patch;
    let own = own.map(|own| own.map(embedding_in).transpose()).transpose()?;
    Ok(BasePatch {
        description: None,
        enabled_modes: enabled_modes.map(|modes| modes.into_iter().map(mode_in).collect()),
        default_mode: default_mode.map(mode_in),
        chunk_size,
        chunk_overlap,
        max_document_bytes,
        embedding: own,
        auto_update_sources,
    })
}

/// A document.
pub(crate) fn document(document: Document) -> DocumentOut {
    let Document {
        id,
        base,
        title,
        description,
        mode,
        file_sha256,
        embed_pending,
        chunk_count,
        metadata: from,
        path,
        created_at,
        updated_at,
    } = document;
    DocumentOut {
        id: id.to_string(),
        kind: ResourceKind::KnowledgeBase,
        resource_name: base.to_string(),
        title,
        description,
        source_mode: source_mode(mode),
        content_sha256: file_sha256,
        embed_pending,
        chunk_count,
        metadata: metadata(from),
        path: shown(&path),
        folder_path: folder(&path),
        created_at: created_at.to_string(),
        updated_at: updated_at.to_string(),
    }
}

fn source_mode(mode: kb::SourceMode) -> SourceMode {
    match mode {
        kb::SourceMode::Converted => SourceMode::Converted,
        kb::SourceMode::Edited => SourceMode::Edited,
    }
}

fn metadata(metadata: Metadata) -> DocumentMetadataOut {
    let Metadata {
        original_filename,
        original_format,
        source_sha256,
        converted_at,
        conversion_engine,
        source_path,
    } = metadata;
    DocumentMetadataOut {
        original_filename,
        original_format,
        source_sha256,
        converted_at,
        conversion_engine,
        source_path,
    }
}

/// A page of documents.
pub(crate) fn page(page: DocumentPage) -> DocumentsOut {
    let DocumentPage { documents, total } = page;
    DocumentsOut { documents: documents.into_iter().map(document).collect(), total }
}

/// What a look at a source found.
pub(crate) fn source(state: SourceState) -> SourceOut {
    use coffer_core::kb::SourceStatus as Known;
    let SourceState { id, source_path, status } = state;
    let status = match status {
        Known::Unchanged => SourceStatus::Unchanged,
        Known::Changed => SourceStatus::Changed,
        Known::Missing => SourceStatus::Missing,
        Known::Edited => SourceStatus::Edited,
        Known::Updated => SourceStatus::Updated,
    };
    SourceOut { id: id.to_string(), source_path, status }
}

/// Counts.
pub(crate) fn metrics(metrics: KbMetrics) -> KbMetricsOut {
    let KbMetrics { documents, chunks, indexed_modes, disk_bytes, degraded } = metrics;
    KbMetricsOut {
        document_count: documents,
        chunk_count: chunks,
        indexed_modes: indexed_modes.into_iter().map(mode).collect(),
        disk_bytes,
        documents_degraded: degraded,
    }
}

/// What became of a folder.
pub(crate) fn ingested(report: FolderReport) -> IngestOut {
    let more_files = report.more_files();
    let FolderReport { ingested, unchanged, skipped, failed, files } = report;
    let files = files.into_iter().map(ingested_file).collect();
    IngestOut { ingested, unchanged, skipped, failed, files, more_files }
}

fn ingested_file(file: IngestedFile) -> IngestedFileOut {
    let IngestedFile { path, outcome, reason } = file;
    let status = match outcome {
        FileOutcome::Ingested => IngestStatus::Ingested,
        FileOutcome::Unchanged => IngestStatus::Unchanged,
        FileOutcome::Skipped => IngestStatus::Skipped,
        FileOutcome::Failed => IngestStatus::Failed,
    };
    IngestedFileOut { path, status, reason }
}
