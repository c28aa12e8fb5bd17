//! `coffer resume`: the working state saved for this project and branch.

use coffer_api::handoff::ResumeOut;
use coffer_api::routes;
use coffer_client::with_query;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::here;
use crate::render::{Page, moment};

/// Shows it.
pub(crate) fn run(cli: &mut Cli) -> Result<(), Failure> {
    let path = with_query(routes::RESUME, &[("cwd", Some(here::directory()?))]);
    let resume: ResumeOut = cli.client()?.get(&path)?;
    cli.screen.show(&resume, |page| lay_out(page, &resume))
}

fn lay_out(page: &mut Page, resume: &ResumeOut) {
    if !resume.found {
        return page.aside("Nothing was saved here.");
    }
    let branch = resume.branch.as_deref().unwrap_or_default();
    let time = resume.updated_at.as_deref().map(moment).unwrap_or_default();
    page.heading(format!("{branch}, {time}"));
    page.line(resume.body.as_deref().unwrap_or_default().trim_end());
    if let Some(note) = &resume.note {
        page.gap();
        page.aside(format!("Since then: {note}"));
    }
}
