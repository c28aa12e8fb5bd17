//! Which part of a long list is shown.

use clap::Args;

use crate::render::Page;

/// A part of a list.
#[derive(Debug, Args)]
pub(crate) struct Part {
    /// How many, 1 to 200
    #[arg(long)]
    limit: Option<u32>,
    /// How many to skip
    #[arg(long)]
    offset: Option<u32>,
}

impl Part {
    /// The values of a query that asks for it.
    pub(crate) fn query(&self) -> [(&'static str, Option<String>); 2] {
        let text = |number: Option<u32>| number.map(|number| number.to_string());
        [("limit", text(self.limit)), ("offset", text(self.offset))]
    }

    /// Says how to see the rest of `total`, if `shown` were not all.
    pub(crate) fn more(&self, page: &mut Page, shown: usize, total: u64) {
        let next = u64::from(self.offset.unwrap_or_default()) + shown as u64;
        if next < total {
            page.aside(format!("{shown} of {total}; `--offset {next}` shows more."));
        }
    }
}
