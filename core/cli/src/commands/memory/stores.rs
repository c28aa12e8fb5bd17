//! `coffer memory list | describe | metrics`.

use coffer_api::routes;
use coffer_api::stores::{MemoryStoreOut, MemoryStoresOut, StoreMetricsOut};

use super::address::OfStore;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::render::moment;
use crate::words::word;

/// Shows all stores.
pub(super) fn list(cli: &mut Cli) -> Result<(), Failure> {
    let stores: MemoryStoresOut = cli.client()?.get(routes::STORES)?;
    cli.screen.show(&stores, |page| {
        let rows = stores.memory_stores.iter().map(|store| {
            let state = if store.enabled { "" } else { "off" };
            [
                store.display_name.clone(),
                store.fact_count.to_string(),
                moment(&store.updated_at),
                state.to_owned(),
                store.name.clone(),
            ]
        });
        page.table(["name", "facts", "changed", "", "store"], rows, "There is no store yet.");
    })
}

/// Shows one store.
pub(super) fn describe(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let store: MemoryStoreOut = client.get(&store.path(cli, &client, routes::STORE)?)?;
    cli.screen.show(&store, |page| {
        page.heading(&store.display_name);
        page.fields(&[
            ("store", store.name.clone()),
            ("scope", word(&store.scope)),
            ("project", store.project_root.clone().unwrap_or_default()),
            ("label", store.label.clone().unwrap_or_default()),
            ("folder", store.store_dir.clone()),
            ("facts", store.fact_count.to_string()),
            ("enabled", store.enabled.to_string()),
            ("created", moment(&store.created_at)),
            ("changed", moment(&store.updated_at)),
        ]);
    })
}

/// Shows the counts of one store.
pub(super) fn metrics(cli: &mut Cli, store: OfStore) -> Result<(), Failure> {
    let client = cli.client()?;
    let metrics: StoreMetricsOut =
        client.get(&store.path(cli, &client, routes::STORE_METRICS)?)?;
    cli.screen.show(&metrics, |page| {
        let modes: Vec<String> = metrics.indexed_modes.iter().map(word).collect();
        page.fields(&[
            ("facts", metrics.fact_count.to_string()),
            ("of these topics", metrics.topic_count.to_string()),
            ("of these inbox", metrics.inbox_count.to_string()),
            ("rules", metrics.rules_count.to_string()),
            ("journal days", metrics.journal_days.to_string()),
            ("passages", metrics.chunk_count.to_string()),
            ("bytes", metrics.disk_bytes.to_string()),
            ("without vectors", metrics.documents_degraded.to_string()),
            ("modes", modes.join(", ")),
        ]);
    })
}
