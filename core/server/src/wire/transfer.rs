//! Export and import.

use std::path::PathBuf;

use coffer_api::transfer::{
    ExportIn, ExportOut, ImportFormat, ImportIn, ImportOut, ImportOutcome, ImportedOut, SkippedOut,
};
use coffer_core::memory::{
    Export, Exported, Import, Imported, ImportedFile, LeftOut, Outcome, Outcomes, SourceFormat,
};
use coffer_domain::archive::Owner;
use coffer_domain::import::Format;
use coffer_domain::store::StoreName;

use super::shown;
use crate::error::Failure;
use crate::extract::{absolute, base, store};

/// What to export.
pub(crate) fn export_in(body: ExportIn) -> Result<Export, Failure> {
    let ExportIn { path, stores, replace } = body;
    let stores = stores.iter().map(|name| owner(name)).collect::<Result<_, _>>()?;
    Ok(Export { path: absolute("path", &path)?, stores, replace })
}

/// What to import, and the folder whose store takes what names none.
pub(crate) fn import_in(body: ImportIn) -> Result<(Import, Option<PathBuf>), Failure> {
    let ImportIn { path, format, store: named, cwd, dry_run } = body;
    let import = Import {
        path: absolute("path", &path)?,
        format: format.map(format_in),
        store: named.map(|name| owner(&name)).transpose()?,
        otherwise: StoreName::Global,
        dry_run,
    };
    Ok((import, cwd.map(|cwd| absolute("cwd", &cwd)).transpose()?))
}

/// A store's name, or `knowledge_base:<name>`.
fn owner(name: &str) -> Result<Owner, Failure> {
    match name.strip_prefix("knowledge_base:") {
        Some(name) => base(name).map(Owner::Base),
        None => store(name).map(Owner::Store),
    }
}

fn format_in(format: ImportFormat) -> SourceFormat {
    SourceFormat::Foreign(match format {
        ImportFormat::Coffer => return SourceFormat::Coffer,
        ImportFormat::ClaudeCode => Format::ClaudeCode,
        ImportFormat::Codex => Format::Codex,
        ImportFormat::McpMemory => Format::McpMemory,
        ImportFormat::Markdown => Format::Markdown,
    })
}

fn format_out(format: SourceFormat) -> ImportFormat {
    match format {
        SourceFormat::Coffer => ImportFormat::Coffer,
        SourceFormat::Foreign(Format::ClaudeCode) => ImportFormat::ClaudeCode,
        SourceFormat::Foreign(Format::Codex) => ImportFormat::Codex,
        SourceFormat::Foreign(Format::McpMemory) => ImportFormat::McpMemory,
        SourceFormat::Foreign(Format::Markdown) => ImportFormat::Markdown,
    }
}

/// What an export wrote.
pub(crate) fn exported(done: Exported) -> ExportOut {
    let Exported { path, stores, files, bytes, skipped } = done;
    let LeftOut { rows, more: skipped_more } = skipped;
    let path = shown(&path);
    ExportOut { path, stores, files, bytes, skipped: left_out(rows), skipped_more }
}

/// What an import did, or would do.
pub(crate) fn imported(done: Imported) -> ImportOut {
    let Imported { format, dry_run, outcomes, redacted } = done;
    let Outcomes { added, same, conflicting, skipped, files, more_files } = outcomes;
    let LeftOut { rows, more: skipped_more } = skipped;
    ImportOut {
        format: format_out(format),
        dry_run,
        added,
        same,
        conflicting,
        skipped: left_out(rows),
        skipped_more,
        files: files.into_iter().map(file).collect(),
        files_more: more_files,
        redacted,
    }
}

fn left_out(rows: Vec<(String, String)>) -> Vec<SkippedOut> {
    rows.into_iter().map(|(path, reason)| SkippedOut { path, reason }).collect()
}

fn file(file: ImportedFile) -> ImportedOut {
    let ImportedFile { from, store, path, outcome } = file;
    let outcome = match outcome {
        Outcome::Added => ImportOutcome::Added,
        Outcome::Same => ImportOutcome::Same,
        Outcome::Conflicting => ImportOutcome::Conflicting,
    };
    ImportedOut { from, store: store.to_string(), path, outcome }
}
