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
    let mut cargo = workspace::cargo(["build", "--release", "--package", "coffer-cli"]);
    if windowed {
        cargo.args(["--package", "coffer-desktop"]);
    }
    process::succeed(cargo.env("COFFER_REQUIRE_UI", "1"))
}

/// macOS and Windows always have one.
fn has_display() -> bool {
    let named = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}
