//! Compiles Rust's standard library for WebAssembly from the compiler's own sources, the way Rust's
//! releases are built: bitcode kept (without it `lto = "fat"` fails at the very end), source paths
//! mapped to `/rustc/<commit>`.

use super::TARGET;
use crate::machine_paths;
use crate::process;
use crate::workspace;
use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

const MANIFEST: &str = r#"[package]
name = "stdbuild"
version = "0.0.0"
edition = "2021"

[profile.release]
codegen-units = 1

[workspace]
"#;

/// Builds std with the compiler in `toolchain` and puts its libraries there.
pub(super) fn build(toolchain: &Path, work: &Path) -> Result<()> {
    let package = work.join("stdbuild");
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("Cargo.toml"), MANIFEST)?;
    fs::write(package.join("src/lib.rs"), "")?;
    let target_dir = package.join("target");
    let mut cargo = workspace::cargo(["build", "--quiet", "--release", "--target", TARGET]);
    cargo.arg("-Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test").arg("--target-dir");
    cargo.arg(&target_dir).current_dir(&package).env("RUSTC", toolchain.join("bin/rustc"));
    workspace::without_host_flags(&mut cargo);
    // The one place where an unstable flag is used: on this build of std, never on the project.
    cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_ENCODED_RUSTFLAGS", flags(toolchain)?);
    process::succeed(&mut cargo)?;
    keep(&target_dir.join(TARGET).join("release/deps"), toolchain)
}

fn flags(toolchain: &Path) -> Result<String> {
    let version = process::stdout(Command::new(toolchain.join("bin/rustc")).arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
    let commit = commit.context("the compiler names no commit")?;
    let sources = fs::canonicalize(toolchain.join("lib/rustlib/src/rust"))?;
    let mut flags = machine_paths::remap_flags()?;
    flags.push(format!("--remap-path-prefix={}=/rustc/{commit}", sources.display()));
    flags.push("-Cembed-bitcode=yes".to_owned());
    Ok(flags.join("\x1f"))
}

/// Moves the compiled libraries to where the compiler looks for them.
fn keep(built: &Path, toolchain: &Path) -> Result<()> {
    let libraries = toolchain.join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&libraries)?;
    for file in fs::read_dir(built)? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libstdbuild-") {
            fs::rename(file.path(), libraries.join(name))?;
        }
    }
    Ok(())
}

/// Links a small program with the new library, which shows that compiler and linker are whole.
pub(super) fn prove(toolchain: &Path, work: &Path) -> Result<()> {
    let source = work.join("prove.rs");
    fs::write(&source, "fn main() { println!(\"{:?}\", std::env::args().next()) }")?;
    let mut rustc = Command::new(toolchain.join("bin/rustc"));
    rustc.args(["--target", TARGET, "-O", "-o"]).arg(work.join("prove.wasm")).arg(&source);
    process::succeed(&mut rustc)
}
