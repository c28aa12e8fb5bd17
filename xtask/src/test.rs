//! `cargo xtask test`: everything that must hold before a change lands. The CI types the same.

use crate::process::{self, step};
use crate::{setup, ui, workspace};
use anyhow::Result;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only the tests: no formatter, no lints, no documentation.
    #[arg(long)]
    quick: bool,
    /// Also the long sets: full crash sweeps, hundreds of kills, the agents' own programs.
    #[arg(long)]
    long: bool,
    /// Passed on to the test runner, such as a part of a test's name.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

pub(crate) fn test(options: &Options) -> Result<()> {
    if !options.quick {
        cargo("checking the formatting", &["fmt", "--all", "--check"], &[])?;
    }
    setup::packages(true)?;
    if options.long {
        setup::vendors()?;
    }
    ui::build()?;
    if !options.quick {
        lint()?;
    }
    // Everything at once, so that features are the same in each step and nothing is built twice;
    // the tests start these programs.
    cargo("building", &["build", "--workspace", "--bins", "--tests"], &[])?;
    run_tests(options)
}

fn lint() -> Result<()> {
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    cargo("linting", &clippy, &[])?;
    let doc = ["doc", "--workspace", "--no-deps", "--document-private-items"];
    cargo("building the documentation", &doc, &[("RUSTDOCFLAGS", "-D warnings")])
}

fn run_tests(options: &Options) -> Result<()> {
    let env: &[_] = if options.long { &[("COFFER_TEST_LONG", "1")] } else { &[] };
    let profile = if options.long { "long" } else { "default" };
    let runner: &[_] = if process::works(&mut workspace::cargo(["nextest", "--version"])) {
        &["nextest", "run", "--profile", profile, "--workspace", "--no-fail-fast"]
    } else {
        &["test", "--workspace", "--bins", "--tests", "--no-fail-fast"]
    };
    let extra: Vec<_> = options.args.iter().map(String::as_str).collect();
    cargo("testing", &[runner, &extra].concat(), env)?;
    if extra.is_empty() {
        cargo("testing the documentation's examples", &["test", "--workspace", "--doc"], env)?;
    }
    Ok(())
}

fn cargo(what: &str, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let mut cargo = workspace::cargo(args.iter().copied());
    cargo.env("COFFER_REQUIRE_UI", "1").envs(env.iter().copied());
    step(what, || process::succeed(&mut cargo))
}
