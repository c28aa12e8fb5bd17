//! The head of a knowledge base's page.

use coffer_api::kb::KbMetricsOut;
use coffer_api::{hidden, routes};
use leptos::prelude::*;

use crate::api::use_api;
use crate::format::{bytes, count};
use crate::live::{follows, use_live};
use crate::pages::base::intake::{ChooseFiles, Intake};
use crate::pages::base::work::CheckSources;
use crate::pages::store::ReindexAt;
use crate::parts::file_actions::PathRow;
use crate::query::Query;
use crate::shared::use_shared;

#[component]
pub(super) fn BaseHeader(name: String, intake: Intake) -> impl IntoView {
    let shared = use_shared();
    let metrics = metrics_query(&name);
    let (key, title) = (name.clone(), name.clone());
    let base = Memo::new(move |_| shared.base(&key));
    let about = move || {
        let base = base.get()?;
        let about = base.description.as_deref().map(|text| hidden::expose(text).into_owned());
        Some(about.unwrap_or_else(|| "Documents that your agents can search.".to_owned()))
    };
    let folder = Memo::new(move |_| base.get().map(|base| base.dir));
    let is_off = move || base.get().is_some_and(|base| !base.enabled);
    view! {
        <header class="page-head" data-testid="base-header">
            <div class="head-row">
                <h1>{title}</h1>
                <span class="head-actions">
                    <ChooseFiles intake/>
                    <CheckSources name=name.clone()/>
                    <ReindexAt address=routes::fill(routes::KB_REINDEX, &[&name])/>
                </span>
            </div>
            <p class="lead">{about}</p>
            <p class="facts-line small" aria-live="polite">
                {move || metrics.latest().map(|metrics| told(&metrics))}
            </p>
            <div class="head-folder">
                {move || folder.get().map(|path| view! { <PathRow path/> })}
            </div>
            <Show when=is_off>
                <p class="note">"This knowledge base is switched off: search leaves it out."</p>
            </Show>
        </header>
    }
}

fn metrics_query(name: &str) -> Query<KbMetricsOut> {
    let (api, changes) = (use_api(), use_live().of_base(name.to_owned()));
    let route = routes::fill(routes::KB_METRICS, &[name]);
    Query::at(api, follows(changes, route))
}

fn told(metrics: &KbMetricsOut) -> String {
    let mut parts = vec![
        count(metrics.document_count, "document", "documents"),
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
        let metrics = KbMetricsOut {
            document_count: 1,
            chunk_count: 2,
            indexed_modes: Vec::new(),
            disk_bytes: 1500,
            documents_degraded: 3,
        };
        let line = "1 document · 2 passages · 1.5 kB on disk · 3 waiting for vectors";
        assert_eq!(told(&metrics), line);
    }
}
