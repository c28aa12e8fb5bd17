//! `coffer`: the command line of Coffer, a client of the running server like any other.
//!
//! Deliberately absent: every rule about memory. Commands say what is wanted and show the answer;
//! only `serve` runs anything.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod arguments;
mod cli;
mod commands;
mod failure;
mod here;
mod progress;
mod render;
mod words;

use std::process::ExitCode;

use clap::Parser as _;

use arguments::Arguments;
use cli::Cli;
use render::Screen;

fn main() -> ExitCode {
    coffer_core::convert::enter_if_asked();
    let Arguments { json, command } = Arguments::parse();
    let outcome = Cli::new(Screen::of_process(json)).and_then(|mut cli| command.run(&mut cli));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
