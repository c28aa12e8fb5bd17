//! `coffer doctor`: is everything in order, and what mends it.

use clap::Args;
use coffer_api::doctor::{CheckOut, CheckState, DoctorFixOut, DoctorOut};
use coffer_api::routes;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::Page;
use crate::words::word;

/// What to do.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Mend what can be mended without you
    #[arg(long)]
    fix: bool,
}

impl Doctor {
    /// Shows the checks; an error among them is a failure of the command.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let rows = if self.fix {
            let fixed: DoctorFixOut = client.post(routes::DOCTOR_FIX)?;
            cli.screen.show(&fixed, |page| {
                for sentence in &fixed.fixed {
                    page.line(format!("mended: {sentence}"));
                }
                lay_out(page, &fixed.rows);
            })?;
            fixed.rows
        } else {
            let checked: DoctorOut = client.get(routes::DOCTOR)?;
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
