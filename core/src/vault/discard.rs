//! Taking a whole store away: to the system's trash, or to Coffer's own where there is none.
#![expect(clippy::disallowed_methods, reason = "the vault is the owner of the person's files")]

use std::fs;
use std::path::Path;

use coffer_domain::time::Timestamp;

use super::dir::Dir;
use crate::error::{Error, Result};

/// Moves a folder away in one step, so that it is there whole or gone whole.
///
/// The folder is first renamed into `own_trash`; only then the system's trash may take it, which
/// can mean copying to another disk.
pub(crate) fn discard(folder: &Path, own_trash: &Path, now: Timestamp) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let trash = Dir::make(own_trash)?;
    let moved = own_trash.join(format!("{name}-{}", now.compact()));
    fs::rename(folder, &moved).map_err(|error| Error::file("move", folder, &error))?;
    trash.sync()?;
    if let Some(above) = folder.parent() {
        Dir::open(above)?.sync()?;
    }
    if let Err(error) = trash::delete(&moved) {
        tracing::info!(%error, kept = %moved.display(), "no trash of the system took the store");
    }
    Ok(())
}
