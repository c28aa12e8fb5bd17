//! `coffer memory edit`: changes a fact, by arguments or in an editor.

#![expect(clippy::disallowed_methods, reason = "hands a text to the person's editor and back")]

use std::fs;
use std::io::Write as _;
use std::process::Command;

use clap::Args;
use coffer_api::facts::{FactOut, FactPatch};
use coffer_api::routes;
use coffer_api::settings::SettingsOut;
use coffer_client::{Client, Method};
use coffer_env::vars;

use super::address::OfFact;
use super::facts;
use crate::cli::Cli;
use crate::commands::text;
use crate::failure::Failure;

/// The change.
#[derive(Debug, Args)]
#[group(id = "change", required = true, multiple = true, args = ["text", "title", "description", "editor"])]
pub(crate) struct Edit {
    #[command(flatten)]
    fact: OfFact,
    /// The new text; `-` reads stdin
    #[arg(long, conflicts_with = "editor")]
    text: Option<String>,
    /// The new title
    #[arg(long)]
    title: Option<String>,
    /// The new description; empty removes it
    #[arg(long)]
    description: Option<String>,
    /// Change the text in your editor
    #[arg(long)]
    editor: bool,
    /// Only if the file still has this hash
    #[arg(long, value_name = "HASH")]
    if_sha256: Option<String>,
}

impl Edit {
    /// Makes the change.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.fact.path(cli, &client)?;
        let mut patch = FactPatch {
            text: self.text.map(|text| text::given(&[text])).transpose()?,
            title: self.title,
            description: self.description,
            if_sha256: self.if_sha256,
        };
        if self.editor {
            let fact: FactOut = client.get(&path)?;
            patch.text = Some(edited(&client, &fact)?);
            // What somebody else wrote meanwhile is not overwritten.
            patch.if_sha256.get_or_insert(fact.content_sha256);
        }
        let fact: FactOut = client.call(Method::PATCH, &path, &patch)?;
        cli.screen.show(&fact, |page| facts::lay_out(page, &fact))
    }
}

/// The text as the person leaves it in the editor.
fn edited(client: &Client, fact: &FactOut) -> Result<String, Failure> {
    let mut file = tempfile::Builder::new().prefix("coffer-").suffix(".md").tempfile()?;
    file.write_all(fact.text.as_bytes())?;
    file.flush()?;
    let editor = editor(client)?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    let ended = Command::new(program).args(words).arg(file.path()).status();
    let ended =
        ended.map_err(|error| Failure::Failed(format!("the editor `{editor}`: {error}")))?;
    if !ended.success() {
        return Err(Failure::Failed(format!("the editor `{editor}` ended with {ended}")));
    }
    // By its name: many editors put a new file in the old one's place.
    let text = fs::read_to_string(file.path())?;
    if text == fact.text {
        return Err(Failure::Failed("the text was not changed".to_owned()));
    }
    Ok(text)
}

/// `COFFER_EDITOR`, the person's setting, what the shell names, what every system has.
fn editor(client: &Client) -> Result<String, Failure> {
    if let Some(editor) = vars::get(vars::EDITOR) {
        return Ok(editor);
    }
    let settings: SettingsOut = client.get(routes::SETTINGS)?;
    let own = settings.preferred_editor.filter(|editor| !editor.trim().is_empty());
    let named = || [vars::VISUAL, vars::SHELL_EDITOR].iter().find_map(|name| vars::get(name));
    let usual = if cfg!(windows) { "notepad" } else { "vi" };
    Ok(own.or_else(named).unwrap_or_else(|| usual.to_owned()))
}
