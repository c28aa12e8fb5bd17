//! Converting files as the product does it: by the real program as a confined child.

mod confinement;
mod documents;
mod golden;
mod hostile;

use std::path::{Path, PathBuf};

use coffer_core::convert::{Converted, Converters, Limits, Original, Rejected};

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_coffer"))
}

fn converters() -> Converters {
    Converters::new(program())
}

/// What a file gives under its own name.
fn convert(converters: &Converters, path: &Path) -> Result<Converted, Rejected> {
    let name = path.file_name().unwrap().to_str().unwrap();
    converters.convert(&Original { name, path }, &|| false)
}

/// What bytes give under a name.
fn convert_bytes(converters: &Converters, name: &str, bytes: &[u8]) -> Result<Converted, Rejected> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("original");
    std::fs::write(&path, bytes).unwrap();
    converters.convert(&Original { name, path: &path }, &|| false)
}

/// Limits that a test reaches soon.
fn small_limits() -> Limits {
    Limits { memory: 512 << 20, ..Limits::default() }
}
