//! `cargo xtask run`: from a fresh clone to a running Coffer with one command. Where there is a
//! display the desktop app starts, elsewhere the server alone.

use crate::process::{self, step};
use crate::{setup, ui, workspace};
use anyhow::Result;
use std::env;
use std::process::Command;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Start only the server, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// Passed on to Coffer.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// The packages of the programs that belong together; the desktop app's is added where there is a display.
const PROGRAMS: [&str; 2] = ["coffer-cli", "coffer-client"];

/// What to try once the server runs; its address is what it prints itself.
const TOUR: &str = "xtask: try in another terminal:
  target/release/coffer open --print     # the viewer's address, good for one browser
  target/release/coffer memory add 'tests run with cargo xtask test'
  target/release/coffer memory recall how do I run the tests";

pub(crate) fn run(options: &Options) -> Result<()> {
    let windowed = !options.headless && has_display();
    if windowed {
        setup::packages(false)?;
    }
    ui::build()?;
    step("building the release binaries", || build(windowed))?;
    let mut coffer = if windowed {
        Command::new(workspace::release_binary("coffer-desktop"))
    } else {
        eprintln!("{TOUR}");
        let mut server = Command::new(workspace::release_binary("coffer"));
        server.arg("serve");
        server
    };
    process::succeed(coffer.args(&options.args))
}

fn build(windowed: bool) -> Result<()> {
    let mut cargo = workspace::cargo(["build", "--release"]);
    let desktop = windowed.then_some("coffer-desktop");
    for package in PROGRAMS.into_iter().chain(desktop) {
        cargo.args(["--package", package]);
    }
    process::succeed(cargo.env("COFFER_REQUIRE_UI", "1"))
}

/// macOS and Windows always have one.
fn has_display() -> bool {
    let named = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent is connected by programs that stand beside `coffer`: all of them are built.
    #[test]
    fn every_program_is_built() {
        let folders = std::fs::read_dir(workspace::root().join("core")).unwrap();
        let manifests = folders.filter_map(|folder| {
            std::fs::read_to_string(folder.unwrap().path().join("Cargo.toml")).ok()
        });
        let mut packages: Vec<String> = manifests
            .filter(|manifest| manifest.contains("[[bin]]"))
            .filter_map(|manifest| Some(manifest.split('"').nth(1)?.to_owned()))
            .collect();
        packages.sort();
        assert_eq!(packages, PROGRAMS);
    }
}
