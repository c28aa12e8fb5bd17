//! Puts a private toolchain together from Debian's `rustc-web` packages: compiler, LLVM, linker and
//! host library are unpacked, never installed; unpacked they already have a toolchain's layout.

use super::packages::Packages;
use super::{RECIPE, TARGET, remove_dir, std_build};
use crate::apt;
use crate::process::{self, step};
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

const HOST: &str = "x86_64-unknown-linux-gnu";

/// The compiler finds its libraries by the system's search path only; this copy lives elsewhere.
const WRAPPER: &str = r#"#!/bin/sh
d=$(dirname "$(dirname "$(readlink -f "$0")")")
libraries=$d/lib/x86_64-linux-gnu
LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$d/libexec/rustc" "$@"
"#;

/// Makes the toolchain in `dir`, replacing what is there. A half-made one never appears under `dir`.
pub(super) fn make(dir: &Path) -> Result<()> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")) && apt::is_here(),
        "this Rust toolchain cannot build for WebAssembly; try `rustup target add {TARGET}`"
    );
    let parent = dir.parent().context("the toolchain's folder has no parent")?;
    fs::create_dir_all(parent)?;
    let work = tempfile::tempdir_in(parent)?;
    let packages = Packages::find()?;
    let new = work.path().join("usr");
    step(&format!("unpacking Debian's Rust {}", packages.version), || {
        packages.unpack(work.path())?;
        arrange(&new, &packages)?;
        complete(&new, &packages)
    })?;
    step("compiling Rust's standard library for WebAssembly", || {
        std_build::build(&new, work.path())?;
        std_build::prove(&new, work.path())
    })?;
    for unused in ["src", "share"] {
        remove_dir(&new.join(unused))?;
    }
    fs::write(new.join(".recipe"), RECIPE)?;
    remove_dir(dir)?;
    fs::rename(&new, dir).with_context(|| format!("cannot move it to `{}`", dir.display()))
}

/// Puts the wrapper in front of the compiler and the linker where the compiler looks for it.
#[cfg(unix)]
fn arrange(new: &Path, packages: &Packages) -> Result<()> {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let compiler = new.join("bin/rustc");
    fs::rename(&compiler, new.join("libexec/rustc"))?;
    fs::write(&compiler, WRAPPER)?;
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755))?;
    let tools = new.join("lib/rustlib").join(HOST).join("bin");
    fs::create_dir_all(&tools)?;
    let linker = format!("../../../llvm-{}/bin/lld", packages.llvm_major());
    Ok(symlink(linker, tools.join("rust-lld"))?)
}

#[cfg(not(unix))]
fn arrange(_: &Path, _: &Packages) -> Result<()> {
    anyhow::bail!("Debian's packages are of no use here")
}

/// Installs LLVM's package when its own dependencies (libedit, libxml2 …) are not on the system.
fn complete(new: &Path, packages: &Packages) -> Result<()> {
    let libraries = new.join("lib/x86_64-linux-gnu");
    let linker = new.join("lib/rustlib").join(HOST).join("bin/rust-lld");
    let mut ldd = Command::new("ldd");
    ldd.arg(linker).arg(new.join("libexec/rustc")).env("LD_LIBRARY_PATH", libraries);
    if process::stdout(&mut ldd)?.contains("not found") {
        apt::get(&["install", "--no-install-recommends", &packages.llvm])?;
    }
    Ok(())
}
