//! `cargo xtask ui`: builds the viewer to `ui/dist` with cargo and wasm-bindgen's library, and no
//! other tool. Cargo decides what to compile; the rest is skipped when its inputs are the same.

mod dist;

use crate::machine_paths;
use crate::process::{self, step};
use crate::wasm_toolchain::{self, TARGET};
use crate::workspace;
use anyhow::Result;
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
    let mut flags = machine_paths::remap_flags()?;
    // Components give views of one type: without that each list and page is compiled for its own.
    flags.extend(["--cfg", "erase_components"].map(str::to_owned));
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    if let Some(rustc) = rustc {
        cargo.env("RUSTC", rustc);
    }
    process::succeed(&mut cargo)?;
    Ok(target_dir.join(TARGET).join(PROFILE).join(format!("{CRATE}.wasm")))
}
