//! `coffer memory label`: the name that a person gives a store.

use clap::Args;
use coffer_api::routes;
use coffer_api::stores::{LabelIn, MemoryStoreOut};
use coffer_client::Method;

use crate::cli::Cli;
use crate::failure::Failure;

/// The name.
#[derive(Debug, Args)]
pub(crate) struct Label {
    /// The store, which is the one of this directory when absent, and the label
    #[arg(value_names = ["STORE", "LABEL"], num_args = 1..=2, required_unless_present = "clear")]
    words: Vec<String>,
    /// Remove the label
    #[arg(long)]
    clear: bool,
}

impl Label {
    /// Sets or removes it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let (store, label) = self.split()?;
        let client = cli.client()?;
        let path = routes::fill(routes::STORE_LABEL, &[&cli.store(&client, store)?]);
        let store: MemoryStoreOut = client.call(Method::PATCH, &path, &LabelIn { label })?;
        cli.screen.show(&store, |page| {
            page.line(format!("`{}` is shown as `{}`.", store.name, store.display_name));
        })
    }

    fn split(self) -> Result<(Option<String>, Option<String>), Failure> {
        let mut words = self.words.into_iter();
        match (self.clear, words.next(), words.next()) {
            (true, store, None) => Ok((store, None)),
            (false, Some(label), None) => Ok((None, Some(label))),
            (false, store, label) => Ok((store, label)),
            (true, ..) => Err(Failure::usage("`--clear` takes no label")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_the_label_unless_it_is_cleared() {
        let split = |clear, words: &[&str]| {
            Label { words: words.iter().map(|word| (*word).to_owned()).collect(), clear }.split()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(split(false, &["Work"]).unwrap(), (None, some("Work")));
        assert_eq!(split(false, &["global", "Work"]).unwrap(), (some("global"), some("Work")));
        assert_eq!(split(true, &[]).unwrap(), (None, None));
        assert_eq!(split(true, &["global"]).unwrap(), (some("global"), None));
        assert!(split(true, &["global", "Work"]).is_err());
    }
}
