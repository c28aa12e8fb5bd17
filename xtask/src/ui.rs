//! `cargo xtask ui`: builds the viewer to `ui/dist` with cargo and wasm-bindgen's library, and no
//! other tool. Cargo decides what to compile; the rest is skipped when its inputs are the same.

mod dist;

use crate::process::{self, step};
use crate::wasm_toolchain::{self, TARGET};
use crate::workspace;
use anyhow::{Context as _, Result};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const CRATE: &str = "coffer-ui";
const PROFILE: &str = "wasm-release";

/// Brings `ui/dist` up to date.
pub(crate) fn build() -> Result<()> {
    let rustc = wasm_toolchain::ensure()?;
    let wasm = step("compiling the viewer", || compile(rustc.as_deref()))?;
    step("packing the viewer into ui/dist", || dist::pack(&wasm))
}

/// Compiles to WebAssembly. A target folder of its own keeps two compilers out of each other's way.
fn compile(rustc: Option<&Path>) -> Result<PathBuf> {
    let target_dir = workspace::target_dir().join("ui");
    let mut cargo = workspace::cargo(["build", "--package", CRATE, "--target", TARGET]);
    cargo.args(["--profile", PROFILE, "--target-dir"]).arg(&target_dir);
    workspace::without_host_flags(&mut cargo);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", remap_flags()?);
    if let Some(rustc) = rustc {
        cargo.env("RUSTC", rustc);
    }
    process::succeed(&mut cargo)?;
    Ok(target_dir.join(TARGET).join(PROFILE).join(format!("{CRATE}.wasm")))
}

/// Panic messages name source files; these flags keep this machine's folders out of them.
fn remap_flags() -> Result<String> {
    let flag = |(from, to): (PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
    Ok(machine_paths()?.into_iter().map(flag).collect::<Vec<_>>().join("\x1f"))
}

/// Folders of this machine and what stands for them; of two that fit, the compiler takes the later.
fn machine_paths() -> Result<Vec<(PathBuf, &'static str)>> {
    let home = env::home_dir().context("no home folder")?;
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let mut paths = vec![(home, "~"), (cargo_home.clone(), "/cargo")];
    for registry in fs::read_dir(cargo_home.join("registry/src")).into_iter().flatten() {
        paths.push((registry?.path(), "/crates"));
    }
    paths.push((workspace::root().to_owned(), "/coffer"));
    // A home folder of `/`, as some containers have it, tells nothing and would match everything.
    paths.retain(|(path, _)| path.parent().is_some());
    Ok(paths)
}
