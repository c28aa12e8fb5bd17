//! `coffer handoff`: saves the working state of this project and branch.

use clap::Args;
use coffer_api::handoff::{HandoffIn, HandoffSavedOut};
use coffer_api::routes;
use coffer_client::Method;

use super::text;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::here;

/// What to save.
#[derive(Debug, Args)]
pub(crate) struct Handoff {
    /// The text; `-` reads stdin
    text: Vec<String>,
}

impl Handoff {
    /// Saves it.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let handoff = HandoffIn { cwd: here::directory()?, body: text::given(&self.text)? };
        let saved: HandoffSavedOut = cli.client()?.call(Method::POST, routes::HANDOFF, &handoff)?;
        cli.screen.show(&saved, |page| {
            page.line(format!("Saved for branch `{}` in {}.", saved.branch, saved.scope));
            text::redacted(page, &saved.redacted);
        })
    }
}
