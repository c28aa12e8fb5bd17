//! `coffer scope`: which store this directory belongs to, and why.

use coffer_api::handoff::ScopeReason;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::words::word;

/// Shows it.
pub(crate) fn run(cli: &mut Cli) -> Result<(), Failure> {
    let scope = cli.scope(&cli.client()?)?;
    cli.screen.show(&scope, |page| {
        page.fields(&[
            ("store", scope.store_name.clone()),
            ("scope", word(&scope.scope)),
            ("project", scope.project_root.clone().unwrap_or_default()),
            ("branch", scope.branch.clone().unwrap_or_default()),
            ("why", why(scope.reason).to_owned()),
        ]);
    })
}

fn why(reason: ScopeReason) -> &'static str {
    match reason {
        ScopeReason::Path => "the project's path names it",
        ScopeReason::Alias => "the project was merged into it",
        ScopeReason::Relinked => "the project was moved and its store found again",
        ScopeReason::Created => "no store exists yet; the first write makes it",
        ScopeReason::NoProject => "this directory is in no git project",
    }
}
