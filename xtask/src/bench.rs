//! `cargo xtask bench`, `bases`, `convert`, `retrieval` and `transcripts`: figures of the optimized
//! program, and the quality of its conversions and answers. The measuring itself is the crate
//! `tests/bench`.

use crate::process::{self, step};
use crate::workspace;
use anyhow::Result;
use std::process::Command;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Passed on: for `bench` `--notes 1000,10000`, `--seed N`; for `bases` `--pages 5000`; for
    /// `convert` `--peer PYTHON`, one with markitdown; for `retrieval` `--limit N` and the folders of
    /// data sets; for `transcripts` `--agent codex`, `--sessions N`, `--mib N`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Prints the table of time, memory and size.
pub(crate) fn figures(options: &Options) -> Result<()> {
    measure("figures", &options.args)
}

/// Prints the table of a knowledge base of many pages, beside ripgrep where it is installed.
pub(crate) fn bases(options: &Options) -> Result<()> {
    measure("bases", &options.args)
}

/// Prints nDCG@10 and recall@10 of data sets.
pub(crate) fn retrieval(options: &Options) -> Result<()> {
    measure("retrieval", &options.args)
}

/// Prints what is kept of real documents.
pub(crate) fn convert(options: &Options) -> Result<()> {
    measure("convert", &options.args)
}

/// Prints time and memory of lists of agents' sessions.
pub(crate) fn transcripts(options: &Options) -> Result<()> {
    build(&["coffer-bench"])?;
    process::succeed(bench("transcripts").args(&options.args))
}

fn measure(task: &str, args: &[String]) -> Result<()> {
    build(&["coffer-cli", "coffer-bench"])?;
    let coffer = workspace::release_binary("coffer");
    process::succeed(bench(task).arg("--coffer").arg(coffer).args(args))
}

fn build(packages: &[&str]) -> Result<()> {
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    step("building the release binaries", || {
        process::succeed(workspace::cargo(["build", "--release"]).args(packages))
    })
}

fn bench(task: &str) -> Command {
    let mut bench = Command::new(workspace::release_binary("coffer-bench"));
    bench.arg(task);
    bench
}
