//! `coffer completions`: what a shell can complete.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::cli::Cli;
use crate::failure::Failure;

/// For which shell.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "coffer", &mut script);
        cli.screen.write(&script)
    }
}
