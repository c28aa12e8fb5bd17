//! `coffer kb create | config`: settings and description.

use clap::Args;
use coffer_api::kb::{
    KnowledgeBaseConfigPatch, KnowledgeBaseIn, KnowledgeBaseOut, KnowledgeBasePatch,
};
use coffer_api::model_settings::{EmbeddingSettings, Provider};
use coffer_api::recall::Mode;
use coffer_api::routes;
use coffer_client::Method;

use super::{OfBase, bases};
use crate::cli::Cli;
use crate::failure::Failure;
use crate::words::parse;

/// A new knowledge base.
#[derive(Debug, Args)]
pub(crate) struct Create {
    #[command(flatten)]
    base: OfBase,
    #[command(flatten)]
    settings: Settings,
}

/// The changes; none of them only shows the settings.
#[derive(Debug, Args)]
pub(crate) struct Config {
    #[command(flatten)]
    base: OfBase,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Args)]
struct Settings {
    /// What it is for; empty takes it away
    #[arg(long)]
    description: Option<String>,
    /// Modes that search may use, such as `keyword,grep`; `vector` needs a model and brings `hybrid`
    #[arg(long, value_delimiter = ',', value_parser = parse::<Mode>)]
    modes: Option<Vec<Mode>>,
    /// The mode of search
    #[arg(long, value_parser = parse::<Mode>)]
    default_mode: Option<Mode>,
    /// The most tokens of a passage, 64 to 2048
    #[arg(long, value_name = "TOKENS")]
    chunk_size: Option<u32>,
    /// How many of them two passages share, 0 to half of that
    #[arg(long, value_name = "TOKENS")]
    chunk_overlap: Option<u32>,
    /// The largest file, 1024 to 104857600 bytes
    #[arg(long, value_name = "BYTES")]
    max_document_bytes: Option<u64>,
    /// Whether a look at the sources takes in what changed
    #[arg(long, value_name = "BOOL")]
    auto_update_sources: Option<bool>,
    #[command(flatten)]
    model: Model,
}

#[derive(Debug, Args)]
struct Model {
    /// A model of its own: who serves it
    #[arg(long, value_name = "NAME", requires = "embedding_model", value_parser = parse::<Provider>)]
    embedding_provider: Option<Provider>,
    /// Its name
    #[arg(long, value_name = "NAME", requires = "embedding_provider")]
    embedding_model: Option<String>,
    /// Another address than the provider's own
    #[arg(long, value_name = "URL", requires = "embedding_provider")]
    embedding_base_url: Option<String>,
    /// The credential that holds the key
    #[arg(long, value_name = "REF", requires = "embedding_provider")]
    embedding_credential: Option<String>,
    /// Width of its vectors; else what the model answers
    #[arg(long, value_name = "N", requires = "embedding_provider")]
    embedding_dimensions: Option<u32>,
    /// No model of its own any more
    #[arg(long, conflicts_with = "embedding_provider")]
    no_embedding: bool,
}

impl Settings {
    fn split(self) -> (Option<String>, Option<KnowledgeBaseConfigPatch>) {
        let patch = KnowledgeBaseConfigPatch {
            enabled_modes: self.modes,
            default_mode: self.default_mode,
            chunk_size: self.chunk_size,
            chunk_overlap: self.chunk_overlap,
            max_document_bytes: self.max_document_bytes,
            embedding: self.model.change(),
            auto_update_sources: self.auto_update_sources,
        };
        (self.description, (patch != KnowledgeBaseConfigPatch::default()).then_some(patch))
    }
}

impl Model {
    fn change(self) -> Option<Option<EmbeddingSettings>> {
        let own = self.embedding_provider.zip(self.embedding_model).map(|(provider, model)| {
            EmbeddingSettings {
                provider,
                model,
                base_url: self.embedding_base_url,
                credential_ref: self.embedding_credential,
                dimensions: self.embedding_dimensions,
            }
        });
        (own.is_some() || self.no_embedding).then_some(own)
    }
}

impl Create {
    /// Makes it.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let (description, config) = self.settings.split();
        let body = KnowledgeBaseIn { name: self.base.name, description, config };
        let made: KnowledgeBaseOut =
            cli.client()?.call(Method::POST, routes::KNOWLEDGE_BASES, &body)?;
        cli.screen.show(&made, |page| bases::lay_out(page, &made))
    }
}

impl Config {
    /// Shows or changes them.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let path = self.base.path(routes::KNOWLEDGE_BASE);
        let (description, config) = self.settings.split();
        let patch = KnowledgeBasePatch { description: description.map(Some), config };
        let client = cli.client()?;
        let base: KnowledgeBaseOut = if patch == KnowledgeBasePatch::default() {
            client.get(&path)?
        } else {
            client.call(Method::PATCH, &path, &patch)?
        };
        cli.screen.show(&base, |page| bases::lay_out(page, &base))
    }
}
