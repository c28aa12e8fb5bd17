//! `coffer settings embedding` and `coffer settings engine`: which models are used.

use clap::{Args, Subcommand};
use coffer_api::model_settings::{EmbeddingSettings, EngineSettings, Provider, TrialOut};
use coffer_api::routes;
use coffer_client::{Client, Method};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::progress;
use crate::render::Page;
use crate::words::{parse, word};

/// What to do with the model that embeds texts; it is shown when nothing is named.
#[derive(Debug, Args)]
pub(crate) struct Embedding {
    #[command(subcommand)]
    what: Option<What<SetEmbedding>>,
}

/// What to do with the model that writes texts; it is shown when nothing is named.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    #[command(subcommand)]
    what: Option<What<Source>>,
}

#[derive(Debug, Subcommand)]
enum What<Set: Args> {
    /// Show it
    Show,
    /// Use another one
    Set(Set),
    /// Use none
    Clear,
    /// Ask it something, to see whether it answers
    Test,
}

#[derive(Debug, Args)]
struct Source {
    /// Who serves it: openai, openrouter, voyage, jina, gemini, azure, dashscope, ollama, lmstudio,
    /// local
    #[arg(long, value_name = "NAME", value_parser = parse::<Provider>)]
    provider: Provider,
    /// Its name
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Another address than the provider's own
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The credential that holds the key
    #[arg(long, value_name = "REF")]
    credential: Option<String>,
}

#[derive(Debug, Args)]
struct SetEmbedding {
    #[command(flatten)]
    source: Source,
    /// Width of its vectors; else what the model answers
    #[arg(long, value_name = "N")]
    dimensions: Option<u32>,
}

impl Embedding {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let set = |body: SetEmbedding| {
            let SetEmbedding { source, dimensions } = body;
            let Source { provider, model, base_url, credential } = source;
            EmbeddingSettings { provider, model, base_url, credential_ref: credential, dimensions }
        };
        run(cli, routes::SETTINGS_EMBEDDING, routes::EMBEDDING_TEST, self.what, set, |page, it| {
            let EmbeddingSettings { provider, model, base_url, credential_ref, dimensions } = it;
            let width = dimensions.map(|width| width.to_string()).unwrap_or_default();
            lay_out(page, *provider, model, base_url.as_deref(), credential_ref.as_deref(), width);
        })
    }
}

impl Engine {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let set = |body: Source| {
            let Source { provider, model, base_url, credential } = body;
            EngineSettings { provider, model, base_url, credential_ref: credential }
        };
        run(cli, routes::SETTINGS_ENGINE, routes::ENGINE_TEST, self.what, set, |page, it| {
            let EngineSettings { provider, model, base_url, credential_ref } = it;
            let none = String::new();
            lay_out(page, *provider, model, base_url.as_deref(), credential_ref.as_deref(), none);
        })
    }
}

fn run<Set: Args, Wire: Serialize + DeserializeOwned>(
    cli: &mut Cli,
    path: &str,
    test_path: &str,
    what: Option<What<Set>>,
    body: impl FnOnce(Set) -> Wire,
    lay_out: impl FnOnce(&mut Page, &Wire),
) -> Result<(), Failure> {
    let client = cli.client()?;
    let found: Option<Wire> = match what {
        None | Some(What::Show) => client.get(path)?,
        Some(What::Set(set)) => client.call(Method::PUT, path, &body(set))?,
        Some(What::Clear) => client.call(Method::PUT, path, &None::<Wire>)?,
        Some(What::Test) => return test(cli, &client, test_path),
    };
    cli.screen.show(&found, |page| match &found {
        Some(found) => lay_out(page, found),
        None => page.aside("No model is set."),
    })
}

/// A model that does not answer is a failure of the command.
fn test(cli: &mut Cli, client: &Client, path: &str) -> Result<(), Failure> {
    let trial: TrialOut = progress::meanwhile("asking the model", || client.post(path))?;
    cli.screen.show(&trial, |page| {
        let word = if trial.ok { "ok" } else { "failed" };
        page.line(format!("{word}: {}", trial.message));
    })?;
    if trial.ok { Ok(()) } else { Err(Failure::Unwell) }
}

fn lay_out(
    page: &mut Page,
    provider: Provider,
    model: &str,
    base_url: Option<&str>,
    credential: Option<&str>,
    dimensions: String,
) {
    page.fields(&[
        ("provider", word(&provider)),
        ("model", model.to_owned()),
        ("base_url", base_url.unwrap_or_default().to_owned()),
        ("credential", credential.unwrap_or_default().to_owned()),
        ("dimensions", dimensions),
    ]);
}
