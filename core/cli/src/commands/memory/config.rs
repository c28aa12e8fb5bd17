//! `coffer memory config`: a store's own settings.

use clap::Args;
use coffer_api::recall::Mode;
use coffer_api::routes;
use coffer_api::stores::{Fusion, MemoryStoreOut, StoreConfigPatch};
use coffer_client::Method;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::words::{self, word};

/// The changes; none of them only shows the settings.
#[derive(Debug, Args)]
pub(crate) struct Config {
    /// The store; the one of this directory when absent
    name: Option<String>,
    /// Modes that recall may use, such as `grep,keyword`
    #[arg(long, value_delimiter = ',', value_parser = words::parse::<Mode>)]
    modes: Option<Vec<Mode>>,
    /// The mode of a recall that names none
    #[arg(long, value_parser = words::parse::<Mode>)]
    default_mode: Option<Mode>,
    /// The longest fact, 64 to 32768 characters
    #[arg(long)]
    max_fact_chars: Option<u32>,
    /// How keyword and vector lists are merged: `mix` or `rrf`
    #[arg(long, value_parser = words::parse::<Fusion>)]
    fusion: Option<Fusion>,
}

impl Config {
    /// Shows or changes them.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = routes::fill(routes::STORE, &[&cli.store(&client, self.name)?]);
        let patch = StoreConfigPatch {
            retrieval_modes: self.modes,
            default_mode: self.default_mode,
            max_fact_chars: self.max_fact_chars,
            fusion: self.fusion,
            ..StoreConfigPatch::default()
        };
        let store: MemoryStoreOut = if patch == StoreConfigPatch::default() {
            client.get(&path)?
        } else {
            client.call(Method::PATCH, &path, &patch)?
        };
        let config = &store.config;
        cli.screen.show(config, |page| {
            let modes: Vec<String> = config.retrieval_modes.iter().map(word).collect();
            page.fields(&[
                ("modes", modes.join(", ")),
                ("default mode", word(&config.default_mode)),
                ("longest fact", format!("{} characters", config.max_fact_chars)),
                ("fusion", word(&config.fusion)),
                ("merged", config.merged_identities.join(", ")),
            ]);
        })
    }
}
