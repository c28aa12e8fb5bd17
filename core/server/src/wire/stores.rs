//! Stores and their settings.

use coffer_api::resources::{ResourceConfigOut, ResourceKind, ResourceOut};
use coffer_api::stores::{
    Fusion, LabelIn, MemoryStoreOut, ReindexOut, StoreConfigOut, StoreConfigPatch, StoreMetricsOut,
};
use coffer_core::memory::{ConfigPatch, Metrics, ReindexReport, Store, StoreConfig};
use coffer_domain::store;

use super::recall::{mode, mode_in};
use super::{scope, shown};
use crate::error::Failure;

/// A store.
pub(crate) fn store(store: Store) -> MemoryStoreOut {
    let display_name = store.display_name();
    let Store {
        name,
        project_root,
        label,
        description: _,
        dir,
        fact_count,
        config: settings,
        enabled,
        created_at,
        updated_at,
    } = store;
    MemoryStoreOut {
        reference: format!("memory:{name}"),
        kind: ResourceKind::Memory,
        scope: scope(&name),
        project_id: name.project_id().to_owned(),
        name: name.to_string(),
        project_root,
        label,
        display_name,
        store_dir: shown(&dir),
        fact_count,
        config: config(settings),
        enabled,
        created_at: created_at.to_string(),
        updated_at: updated_at.to_string(),
    }
}

/// A store as a resource.
pub(crate) fn resource(store: Store) -> ResourceOut {
    let Store {
        name,
        project_root: _,
        label: _,
        description,
        dir: _,
        fact_count: _,
        config: settings,
        enabled,
        created_at,
        updated_at,
    } = store;
    ResourceOut {
        reference: format!("memory:{name}"),
        kind: ResourceKind::Memory,
        name: name.to_string(),
        description,
        config: ResourceConfigOut::Store(config(settings)),
        enabled,
        created_at: created_at.to_string(),
        updated_at: updated_at.to_string(),
    }
}

fn config(config: StoreConfig) -> StoreConfigOut {
    let StoreConfig {
        retrieval_modes,
        default_mode,
        max_fact_chars,
        fusion: merges,
        merged_identities,
        embedding: [provider, model, base_url, credential_ref],
        embedding_dimensions,
    } = config;
    StoreConfigOut {
        retrieval_modes: retrieval_modes.into_iter().map(mode).collect(),
        default_mode: mode(default_mode),
        max_fact_chars,
        fusion: fusion(merges),
        merged_identities,
        embedding_provider: provider,
        embedding_model: model,
        embedding_base_url: base_url,
        embedding_credential_ref: credential_ref,
        embedding_dimensions,
    }
}

/// How lists are merged.
pub(crate) fn fusion(fusion: store::Fusion) -> Fusion {
    match fusion {
        store::Fusion::Mix => Fusion::Mix,
        store::Fusion::Rrf => Fusion::Rrf,
    }
}

/// How lists are to be merged.
pub(crate) fn fusion_in(fusion: Fusion) -> store::Fusion {
    match fusion {
        Fusion::Mix => store::Fusion::Mix,
        Fusion::Rrf => store::Fusion::Rrf,
    }
}

/// A change of settings.
pub(crate) fn patch_in(patch: StoreConfigPatch) -> Result<ConfigPatch, Failure> {
    let StoreConfigPatch {
        retrieval_modes,
        default_mode,
        max_fact_chars,
        fusion,
        merged_identities,
        embedding_provider,
        embedding_model,
        embedding_base_url,
        embedding_credential_ref,
        embedding_dimensions,
    } = patch;
    if merged_identities.is_some() {
        return Err(Failure::field("merged_identities", "is kept by Coffer and cannot be set"));
    }
    Ok(ConfigPatch {
        retrieval_modes: retrieval_modes.map(|modes| modes.into_iter().map(mode_in).collect()),
        default_mode: default_mode.map(mode_in),
        max_fact_chars,
        fusion: fusion.map(fusion_in),
        embedding: [
            embedding_provider,
            embedding_model,
            embedding_base_url,
            embedding_credential_ref,
        ],
        embedding_dimensions,
    })
}

/// A name for a store; blank is none.
pub(crate) fn label_in(body: LabelIn) -> Option<String> {
    let LabelIn { label } = body;
    label.filter(|label| !label.trim().is_empty())
}

/// Counts.
pub(crate) fn metrics(metrics: Metrics) -> StoreMetricsOut {
    let Metrics { facts, inbox, journal_days, rules, chunks, disk_bytes, degraded, indexed_modes } =
        metrics;
    StoreMetricsOut {
        fact_count: facts,
        topic_count: facts.saturating_sub(inbox),
        inbox_count: inbox,
        journal_days,
        rules_count: rules,
        chunk_count: chunks,
        disk_bytes,
        documents_degraded: degraded,
        indexed_modes: indexed_modes.into_iter().map(mode).collect(),
    }
}

/// What a reindex did.
pub(crate) fn reindexed(report: ReindexReport) -> ReindexOut {
    let ReindexReport { scanned, reindexed, skipped, removed, degraded } = report;
    ReindexOut {
        documents_scanned: scanned,
        documents_reindexed: reindexed,
        documents_skipped: skipped,
        documents_removed: removed,
        documents_degraded: degraded,
    }
}
