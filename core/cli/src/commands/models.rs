//! `coffer models`: the embedding models of this machine.

use clap::Subcommand;
use coffer_api::jobs::JobResult;
use coffer_api::models::{ModelIn, ModelOut, ModelsOut, PullIn};
use coffer_api::routes;
use serde::Serialize;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::words::word;
use crate::{here, progress};

/// What to do with models.
#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    /// What is installed
    List,
    /// Install a model by copying its folder
    Add {
        /// A folder as Hugging Face has it: config.json, tokenizer.json, model.safetensors
        folder: String,
        /// The name that it gets; the folder's when absent
        #[arg(long)]
        name: Option<String>,
    },
    /// Install a model by fetching it from a server that offers its files
    Pull {
        /// The name that it gets
        name: String,
        /// The address below which there are the files and their list `coffer-model.json`
        #[arg(long, value_name = "URL")]
        from: Option<String>,
    },
    /// Remove a model for good
    Remove {
        /// Its name
        name: String,
    },
}

impl Models {
    /// Does it.
    pub(crate) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        match self {
            Self::List => list(cli),
            Self::Add { folder, name } => {
                let body = ModelIn { path: here::absolute(&folder)?, name };
                install(cli, routes::MODELS, &body)
            }
            Self::Pull { name, from: Some(from) } => {
                install(cli, routes::MODELS_PULL, &PullIn { name, from })
            }
            Self::Pull { name, from: None } => Err(nowhere(&name)),
            Self::Remove { name } => remove(cli, &name),
        }
    }
}

/// No address comes with Coffer, because it has no checksums to hold what comes from there against.
fn nowhere(name: &str) -> Failure {
    Failure::Usage {
        message: format!("no address of a model `{name}` comes with Coffer"),
        hint: Some(format!(
            "Download its folder (config.json, tokenizer.json, model.safetensors) and type \
             `coffer models add FOLDER --name {name}`, or name a server with `--from URL`."
        )),
    }
}

fn list(cli: &mut Cli) -> Result<(), Failure> {
    let found: ModelsOut = cli.client()?.get(routes::MODELS)?;
    cli.screen.show(&found, |page| {
        let headers = ["name", "kind", "dimensions", "size", "files", "in use"];
        page.table(headers, found.models.iter().map(row), "No model is installed.");
        for model in &found.models {
            if let Some(problem) = &model.problem {
                page.line(problem);
            }
        }
    })
}

fn row(model: &ModelOut) -> [String; 6] {
    [
        model.name.clone(),
        model.kind.map_or_else(|| "unusable".to_owned(), |kind| word(&kind)),
        model.dimensions.map(|count| count.to_string()).unwrap_or_default(),
        megabytes(model.size_bytes),
        word(&model.checksum),
        if model.in_use { "yes" } else { "no" }.to_owned(),
    ]
}

fn install(cli: &mut Cli, path: &str, body: &impl Serialize) -> Result<(), Failure> {
    let client = cli.client()?;
    let work = client.work_on(path, body, progress::FIRST)?;
    let done: ModelOut = progress::follow(&client, work, |result| {
        if let JobResult::InstallModel(done) = result { Some(done) } else { None }
    })?;
    cli.screen.show(&done, |page| {
        let [name, kind, dimensions, size, ..] = row(&done);
        page.line(format!("{name} is installed: {kind}, {dimensions} dimensions, {size}."));
    })
}

fn remove(cli: &mut Cli, name: &str) -> Result<(), Failure> {
    let () = cli.client()?.delete(&routes::fill(routes::MODEL, &[name]))?;
    cli.screen.show(&(), |page| page.line(format!("{name} is removed.")))
}

fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}
