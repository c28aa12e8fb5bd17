//! `coffer kb list | describe | metrics | reindex | enable | disable | drop`.

use clap::Args;
use coffer_api::kb::{KbMetricsOut, KnowledgeBaseOut, KnowledgeBasesOut};
use coffer_api::resources::ResourceOut;
use coffer_api::routes;
use coffer_client::Method;

use super::OfBase;
use crate::cli::Cli;
use crate::commands::reindex::show;
use crate::failure::Failure;
use crate::progress;
use crate::render::{Page, confirm, moment};
use crate::words::word;

/// Shows all knowledge bases.
pub(super) fn list(cli: &mut Cli) -> Result<(), Failure> {
    let all: KnowledgeBasesOut = cli.client()?.get(routes::KNOWLEDGE_BASES)?;
    cli.screen.show(&all, |page| {
        let rows = all.knowledge_bases.iter().map(|base| {
            let state = if base.enabled { "" } else { "off" };
            [
                base.name.clone(),
                base.document_count.to_string(),
                moment(&base.updated_at),
                state.to_owned(),
                base.description.clone().unwrap_or_default(),
            ]
        });
        let headers = ["name", "documents", "changed", "", "description"];
        page.table(headers, rows, "There is no knowledge base yet.");
    })
}

/// Shows one knowledge base.
pub(super) fn describe(cli: &mut Cli, base: &OfBase) -> Result<(), Failure> {
    let base: KnowledgeBaseOut = cli.client()?.get(&base.path(routes::KNOWLEDGE_BASE))?;
    cli.screen.show(&base, |page| lay_out(page, &base))
}

/// Lays a knowledge base out.
pub(super) fn lay_out(page: &mut Page, base: &KnowledgeBaseOut) {
    let config = &base.config;
    let modes: Vec<String> = config.enabled_modes.iter().map(word).collect();
    let model =
        config.embedding.as_ref().map(|own| format!("{} {}", word(&own.provider), own.model));
    page.heading(&base.name);
    page.fields(&[
        ("description", base.description.clone().unwrap_or_default()),
        ("folder", base.dir.clone()),
        ("documents", base.document_count.to_string()),
        ("enabled", base.enabled.to_string()),
        ("modes", modes.join(", ")),
        ("mode of search", word(&config.default_mode)),
        ("passages", format!("{} tokens, {} shared", config.chunk_size, config.chunk_overlap)),
        ("largest file", format!("{} bytes", config.max_document_bytes)),
        ("own model", model.unwrap_or_default()),
        ("updates sources", config.auto_update_sources.to_string()),
        ("created", moment(&base.created_at)),
        ("changed", moment(&base.updated_at)),
    ]);
}

/// Shows the counts of one knowledge base.
pub(super) fn metrics(cli: &mut Cli, base: &OfBase) -> Result<(), Failure> {
    let metrics: KbMetricsOut = cli.client()?.get(&base.path(routes::KB_METRICS))?;
    cli.screen.show(&metrics, |page| {
        let modes: Vec<String> = metrics.indexed_modes.iter().map(word).collect();
        page.fields(&[
            ("documents", metrics.document_count.to_string()),
            ("passages", metrics.chunk_count.to_string()),
            ("bytes", metrics.disk_bytes.to_string()),
            ("without vectors", metrics.documents_degraded.to_string()),
            ("modes", modes.join(", ")),
        ]);
    })
}

/// Compares its documents with the index.
pub(super) fn reindex(cli: &mut Cli, base: &OfBase) -> Result<(), Failure> {
    let report = progress::reindex(&cli.client()?, &base.path(routes::KB_REINDEX))?;
    show(cli, &report)
}

/// Lets search use a knowledge base, or leave it out.
pub(super) fn set(cli: &mut Cli, base: &OfBase, enabled: bool) -> Result<(), Failure> {
    let route = if enabled { routes::RESOURCE_ENABLE } else { routes::RESOURCE_DISABLE };
    let path = routes::fill(route, &["knowledge_base", &base.name]);
    let resource: ResourceOut = cli.client()?.call(Method::POST, &path, &serde_json::json!({}))?;
    cli.screen.show(&resource, |page| {
        let does = if enabled { "takes part in" } else { "is left out of" };
        page.line(format!("`{}` {does} search.", base.name));
    })
}

/// Which knowledge base.
#[derive(Debug, Args)]
pub(crate) struct Drop {
    #[command(flatten)]
    base: OfBase,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Drop {
    /// Deletes it with all its documents.
    pub(super) fn run(self, cli: &mut Cli) -> Result<(), Failure> {
        let client = cli.client()?;
        let path = self.base.path(routes::KNOWLEDGE_BASE);
        let base: KnowledgeBaseOut = client.get(&path)?;
        let question = format!(
            "Delete `{}` with its {} documents and their originals, for good?",
            base.name, base.document_count
        );
        confirm(&question, self.yes)?;
        client.delete::<()>(&path)?;
        cli.screen.show(&base, |page| page.line(format!("Deleted `{}`.", base.name)))
    }
}
