//! Which program this is.

use std::path::PathBuf;

/// The file of the running program; its name, where the system does not tell.
pub fn own() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("coffer"))
}
