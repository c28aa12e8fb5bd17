//! The head of a store's page.

use coffer_api::hidden;
use coffer_api::stores::StoreMetricsOut;
use leptos::prelude::*;

use crate::format::{bytes, count};
use crate::pages::store::label::Label;
use crate::pages::store::passes::{NoModel, Pass, PassButtons, PassCards, PassDialog};
use crate::pages::store::reindex::Reindex;
use crate::parts::file_actions::PathRow;
use crate::query::Query;
use crate::shared::use_shared;

#[component]
pub(super) fn StoreHeader(name: String, metrics: Query<StoreMetricsOut>) -> impl IntoView {
    let shared = use_shared();
    let key = name.clone();
    let store = Memo::new(move |_| shared.store(&key));
    let root = move || store.get().and_then(|store| store.project_root);
    let folder = Memo::new(move |_| store.get().map(|store| store.store_dir));
    let is_off = move || store.get().is_some_and(|store| !store.enabled);
    let asked = RwSignal::new(None::<Pass>);
    view! {
        <header class="page-head" data-testid="store-header">
            <div class="head-row">
                <Label name=name.clone() store/>
                <div class="head-actions">
                    <PassButtons asked/>
                    <Reindex name=name.clone()/>
                </div>
            </div>
            <p class="lead" title=root>{move || about(root())}</p>
            <p class="facts-line small" aria-live="polite">
                {move || metrics.latest().map(|metrics| told(&metrics))}
            </p>
            <div class="head-folder">
                {move || folder.get().map(|path| view! { <PathRow path/> })}
            </div>
            <NoModel/>
            <Show when=is_off>
                <p class="note">"This store is switched off: recall and search leave it out."</p>
            </Show>
        </header>
        <PassDialog name=name.clone() asked metrics/>
        <PassCards name/>
    }
}

fn about(root: Option<String>) -> String {
    root.map_or_else(
        || "What holds for every project.".to_owned(),
        |root| hidden::expose(&root).into_owned(),
    )
}

fn told(metrics: &StoreMetricsOut) -> String {
    let mut parts = vec![
        count(metrics.fact_count, "fact", "facts"),
        count(metrics.topic_count, "topic", "topics"),
        format!("{} in the inbox", metrics.inbox_count),
        count(metrics.chunk_count, "passage", "passages"),
        format!("{} on disk", bytes(metrics.disk_bytes)),
    ];
    if metrics.documents_degraded > 0 {
        parts.push(format!("{} waiting for vectors", metrics.documents_degraded));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_in_one_line() {
        let mut metrics = StoreMetricsOut {
            fact_count: 1,
            topic_count: 0,
            inbox_count: 1,
            journal_days: 0,
            rules_count: 0,
            chunk_count: 2,
            disk_bytes: 1500,
            documents_degraded: 0,
            indexed_modes: Vec::new(),
        };
        assert_eq!(
            told(&metrics),
            "1 fact · 0 topics · 1 in the inbox · 2 passages · 1.5 kB on disk"
        );
        metrics.documents_degraded = 3;
        assert!(told(&metrics).ends_with("3 waiting for vectors"));
    }
}
