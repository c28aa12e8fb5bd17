//! Embedding models of this machine.

use coffer_api::models::{ModelChecksum, ModelIn, ModelKind, ModelOut, PullIn};
use coffer_core::models::{Checksum, Install, InstallFrom, Model, ModelName, local};

use crate::error::Failure;
use crate::extract::absolute;

/// A folder to copy; its own name is the model's when no other is given.
pub(crate) fn add_in(body: ModelIn) -> Result<Install, Failure> {
    let ModelIn { path, name } = body;
    let path = absolute("path", &path)?;
    let own = || path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let name = name.or_else(own).unwrap_or_default();
    Ok(Install { name: name_in(&name)?, from: InstallFrom::Folder(path) })
}

/// A model to fetch.
pub(crate) fn pull_in(body: PullIn) -> Result<Install, Failure> {
    let PullIn { name, from } = body;
    Ok(Install { name: name_in(&name)?, from: InstallFrom::Url(from) })
}

fn name_in(name: &str) -> Result<ModelName, Failure> {
    ModelName::parse(name).ok_or_else(|| Failure::field("name", ModelName::RULE))
}

/// An installed model.
pub(crate) fn model(model: Model) -> ModelOut {
    let Model { name, kind, dimensions, size_bytes, sha256, checksum, in_use, problem } = model;
    ModelOut {
        name,
        kind: kind.map(|kind| match kind {
            local::ModelKind::Bert => ModelKind::Bert,
            local::ModelKind::Static => ModelKind::Static,
        }),
        dimensions,
        size_bytes,
        sha256,
        checksum: match checksum {
            Checksum::Recorded => ModelChecksum::Recorded,
            Checksum::Changed => ModelChecksum::Changed,
            Checksum::Unknown => ModelChecksum::Unknown,
        },
        in_use,
        problem,
    }
}
