//! `coffer auth`: the server's token.

use clap::Subcommand;
use coffer_api::routes;
use coffer_api::session::RotatedOut;

use crate::cli::Cli;
use crate::failure::Failure;

/// What to do with it.
#[derive(Debug, Subcommand)]
pub(crate) enum Auth {
    /// Make a new one; the old one and all viewers are signed out at once
    Rotate,
}

impl Auth {
    /// Does it. The token is never shown: programs find it in `run/server.json`.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::Rotate => {
                let rotated: RotatedOut = cli.client()?.post(routes::AUTH_ROTATE)?;
                cli.screen.show(&rotated, |page| {
                    page.line("The token is new; open viewers with `coffer open` again.");
                })
            }
        }
    }
}
