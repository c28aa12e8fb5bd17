//! `cargo xtask setup`: brings a fresh machine to where `run` and `test` work. Safe to repeat: a
//! second run finds everything in place and changes nothing.

mod npm;

pub(crate) use npm::vendors;

use crate::{apt, process, wasm_toolchain};
use anyhow::Result;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave out the packages that only the tests need.
    #[arg(long)]
    build_only: bool,
}

pub(crate) fn setup(options: &Options) -> Result<()> {
    packages(!options.build_only)?;
    process::step("finding a compiler for WebAssembly", wasm_toolchain::ensure)?;
    Ok(())
}

/// Installs the missing system packages, of which macOS and Windows need none (they bring a web
/// view), and for the tests a client that is not ours.
pub(crate) fn packages(with_tests: bool) -> Result<()> {
    let tests = if with_tests { apt::TEST } else { &[] };
    if cfg!(target_os = "linux") {
        apt::install(&[apt::BUILD, tests].concat())?;
    }
    if with_tests { npm::official() } else { Ok(()) }
}
