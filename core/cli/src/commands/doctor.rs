//! `coffer doctor`: is everything in order, and what mends it.

use std::time::Duration;

use clap::Args;
use coffer_api::doctor::{CheckOut, CheckState, DoctorFixOut, DoctorOut};
use coffer_api::routes;
use coffer_client::with_query;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress;
use crate::render::Page;
use crate::words::word;

/// How long a proof may take.
const LONG: Duration = Duration::from_secs(1800);

/// What to do.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Mend what can be mended without you
    #[arg(long)]
    fix: bool,
    /// Prove the index against the files, row by row; takes seconds
    #[arg(long)]
    deep: bool,
}

impl Doctor {
    /// Shows the checks; an error among them is a failure of the command.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let deep = [("deep", self.deep.then(|| "true".to_owned()))];
        let path = |route| with_query(route, &deep);
        let rows = if self.fix {
            let fix = || client.within(LONG).post(&path(routes::DOCTOR_FIX));
            let fixed: DoctorFixOut = progress::meanwhile("looking and mending", fix)?;
            cli.screen.show(&fixed, |page| {
                for sentence in &fixed.fixed {
                    page.line(format!("mended: {sentence}"));
                }
                lay_out(page, &fixed.rows);
            })?;
            fixed.rows
        } else {
            let look = || client.within(LONG).get(&path(routes::DOCTOR));
            let checked: DoctorOut = progress::meanwhile("looking", look)?;
            cli.screen.show(&checked, |page| lay_out(page, &checked.rows))?;
            checked.rows
        };
        if rows.iter().any(|row| row.state == CheckState::Error) {
            return Err(Failure::Unwell);
        }
        Ok(())
    }
}

fn lay_out(page: &mut Page, rows: &[CheckOut]) {
    let cells = rows.iter().map(|row| [word(&row.state), row.check.clone(), row.reason.clone()]);
    page.table(["state", "check", "found"], cells, "Nothing was checked.");
    for row in rows.iter().filter(|row| row.state != CheckState::Ok) {
        page.gap();
        page.heading(&row.check);
        page.fields(&[
            ("where", row.path.clone().unwrap_or_default()),
            ("to do", row.fix.clone().unwrap_or_default()),
        ]);
        if row.fixable {
            page.aside("`coffer doctor --fix` does that.");
        }
    }
}
