//! Where things lie in this repository, and how its cargo is called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root folder.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Cargo's target folder: `CARGO_TARGET_DIR`, else `target/` in the root.
pub(crate) fn target_dir() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// An executable of the release profile.
pub(crate) fn release_binary(name: &str) -> PathBuf {
    target_dir().join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// The cargo that runs this program, to be started in the root folder.
pub(crate) fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).args(args);
    cargo
}

/// Keeps flags that are meant for this machine (another linker, its own CPU …) and wrappers of the
/// everyday compiler away from a build for another target.
pub(crate) fn without_host_flags(cargo: &mut Command) {
    for name in [
        "CARGO_BUILD_TARGET",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTFLAGS",
    ] {
        cargo.env_remove(name);
    }
}
