//! `coffer credentials`: keys of models. A value is never an argument, which other programs see.

use std::io::{self, IsTerminal as _};

use clap::Subcommand;
use coffer_api::credentials::{CredentialIn, CredentialsOut};
use coffer_api::routes;
use coffer_client::Method;

use super::text;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::words::word;

/// What to do with them.
#[derive(Debug, Subcommand)]
pub(crate) enum Credentials {
    /// Show their names and where they are kept
    List,
    /// Keep a value, read from stdin or typed unseen
    Set {
        /// Its name: small letters, digits, `-` and `_`
        #[arg(value_name = "REF")]
        name: String,
    },
    /// Delete a value
    Delete {
        /// Its name
        #[arg(value_name = "REF")]
        name: String,
    },
}

impl Credentials {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::List => list(cli),
            Self::Set { name } => {
                let body = CredentialIn { value: value(&name)?.into() };
                let path = routes::fill(routes::CREDENTIAL, &[&name]);
                let () = cli.client()?.call(Method::PUT, &path, &body)?;
                cli.screen.show(&(), |page| page.line(format!("Credential {name} is set.")))
            }
            Self::Delete { name } => {
                let path = routes::fill(routes::CREDENTIAL, &[&name]);
                let () = cli.client()?.delete(&path)?;
                cli.screen.show(&(), |page| page.line(format!("Credential {name} is deleted.")))
            }
        }
    }
}

fn list(cli: &mut Cli) -> Result<(), Failure> {
    let found: CredentialsOut = cli.client()?.get(routes::CREDENTIALS)?;
    cli.screen.show(&found, |page| {
        let rows = found.credentials.iter().map(|it| [it.name.clone(), word(&it.place)]);
        page.table(["ref", "place"], rows, "No credentials.");
    })
}

/// The value without the line's end that programs put behind it.
fn value(name: &str) -> Result<String, Failure> {
    let text = if io::stdin().is_terminal() {
        rpassword::prompt_password(format!("Value of {name}: "))?
    } else {
        text::given(&[])?
    };
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
