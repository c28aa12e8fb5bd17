//! `coffer settings`: preferences, by dotted names such as `auto_organize.enabled`, and models.

mod model;
mod wire;

use clap::{Args, Subcommand};
use coffer_api::routes;
use coffer_api::settings::SettingsOut;
use coffer_client::Method;

use crate::cli::Cli;
use crate::failure::Failure;

/// What to do with preferences; all are shown when nothing is named.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show all, or one
    Get {
        /// Its name
        key: Option<String>,
    },
    /// Change one
    Set {
        /// Its name
        key: String,
        /// Its value
        value: String,
    },
    /// The model that embeds texts
    Embedding(model::Embedding),
    /// The model that writes texts
    Engine(model::Engine),
}

impl Settings {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let (settings, key): (SettingsOut, _) = match self.what {
            None => (client.get(routes::SETTINGS)?, None),
            Some(What::Get { key }) => (client.get(routes::SETTINGS)?, key),
            Some(What::Embedding(embedding)) => return embedding.run(cli),
            Some(What::Engine(engine)) => return engine.run(cli),
            Some(What::Set { key, value }) => {
                let patch = wire::patch(&key, &value).map_err(Failure::usage)?;
                (client.call(Method::PUT, routes::SETTINGS, &patch)?, Some(key))
            }
        };
        let rows = wire::rows(&settings);
        let Some(key) = key else {
            return cli.screen.show(&settings, |page| {
                let rows = rows.into_iter().map(|row| [row.name, row.value]);
                page.table(["name", "value"], rows, "");
            });
        };
        let row = rows.into_iter().find(|row| row.name == key);
        let row = row.ok_or_else(|| Failure::usage(format!("there is no setting `{key}`")))?;
        cli.screen.show(&row.json, |page| page.line(&row.value))
    }
}
