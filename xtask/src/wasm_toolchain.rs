//! A Rust compiler with the standard library for WebAssembly.
//!
//! Almost everywhere that is the everyday toolchain after `rustup target add`. Where rustup cannot
//! download, a private toolchain is put together once from Debian's signed packages. Nothing is
//! installed system-wide for it, and no flag of the nightly compiler reaches this project's code.

mod debian;
mod packages;
mod std_build;

use crate::process;
use crate::workspace;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Raised when the contents of the private toolchain change, so that older ones are made anew.
const RECIPE: &str = "2";

/// The compiler to build for WebAssembly with, made ready when there is none yet. `None` means the
/// one that cargo takes anyway.
pub(crate) fn ensure() -> Result<Option<PathBuf>> {
    if has_target(Path::new("rustc")) || added_by_rustup() {
        return Ok(None);
    }
    let dir = private_dir()?;
    if !is_ready(&dir) {
        debian::make(&dir)?;
        // Another build of std has other crate hashes: what was compiled against the last is void.
        remove_dir(&workspace::target_dir().join("ui"))?;
    }
    Ok(Some(dir.join("bin/rustc")))
}

/// Whether the library folder of this `rustc` holds std for WebAssembly.
fn has_target(rustc: &Path) -> bool {
    let mut query = Command::new(rustc);
    query.args(["--print", "target-libdir", "--target", TARGET]);
    let Ok(dir) = process::stdout(&mut query) else { return false };
    let Ok(files) = fs::read_dir(dir.trim()) else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
}

/// `RUSTUP_AUTO_INSTALL=0` marks a machine whose rustup must not download: it is not even asked.
fn added_by_rustup() -> bool {
    let may_download = env::var_os("RUSTUP_AUTO_INSTALL").is_none_or(|value| value != "0");
    may_download
        && process::works(Command::new("rustup").arg("--version"))
        && process::succeed(Command::new("rustup").args(["target", "add", TARGET])).is_ok()
        && has_target(Path::new("rustc"))
}

/// `COFFER_WASM_TOOLCHAIN`, else a folder of the user's cache.
fn private_dir() -> Result<PathBuf> {
    if let Some(dir) = env::var_os("COFFER_WASM_TOOLCHAIN") {
        return Ok(dir.into());
    }
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| env::home_dir().map(|home| home.join(".cache")));
    Ok(cache.context("no home folder: set COFFER_WASM_TOOLCHAIN")?.join("coffer/wasm-toolchain"))
}

fn is_ready(dir: &Path) -> bool {
    let recipe = fs::read_to_string(dir.join(".recipe")).unwrap_or_default();
    recipe.trim() == RECIPE && has_target(&dir.join("bin/rustc"))
}

/// Removes a folder with all it holds; one that is not there is fine.
fn remove_dir(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove `{}`", dir.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_of_another_recipe_or_without_a_compiler_is_not_ready() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_ready(dir.path()));
        fs::write(dir.path().join(".recipe"), RECIPE).unwrap();
        assert!(!is_ready(dir.path()), "there is no compiler in it");
    }
}
