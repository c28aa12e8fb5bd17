//! Where everything lies, what runs, and which models there are.

use coffer_api::routes;
use coffer_api::status::StatusOut;
use leptos::prelude::*;

use crate::format::{count, number};
use crate::pages::store::ReindexAt;
use crate::parts::file_actions::PathRow;
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::shared::use_shared;

/// The home folder and the server.
#[component]
pub(super) fn Place() -> impl IntoView {
    let status = use_shared().status;
    view! {
        <section class="card" aria-labelledby="place" data-testid="place">
            <div class="head-row">
                <h2 id="place">"Your memory"</h2>
                <ReindexAt address=routes::REINDEX label="Reindex all"/>
            </div>
            <Shown query=status lines=4 let:status>{move || told(&status.get())}</Shown>
        </section>
    }
}

fn told(status: &StatusOut) -> impl IntoView + use<> {
    let StatusOut { version, pid, started_at, port, home, stores, facts, .. } = status.clone();
    let held = format!("{} in {}", count(facts, "fact", "facts"), count(stores, "store", "stores"));
    view! {
        <dl class="provenance">
            <div class="wide"><dt>"Folder"</dt><dd><PathRow path=home/></dd></div>
            <div><dt>"Holds"</dt><dd>{held}</dd></div>
            <div><dt>"Coffer"</dt><dd>{version}</dd></div>
            <div><dt>"Port"</dt><dd>{port}", process "{pid}</dd></div>
            <div><dt>"Running since"</dt><dd><When time=started_at/></dd></div>
        </dl>
    }
}

/// The internal model and the embedding model.
#[component]
pub(super) fn Models() -> impl IntoView {
    let status = use_shared().status;
    view! {
        <section class="card" aria-labelledby="models" data-testid="models">
            <h2 id="models">"Models"</h2>
            <p class="small">"Coffer needs none: recall works by keywords and text."</p>
            <Shown query=status lines=2 let:status>{move || models(&status.get())}</Shown>
        </section>
    }
}

fn models(status: &StatusOut) -> impl IntoView + use<> {
    let name = |is_set: bool, model: Option<String>| {
        if is_set {
            model.unwrap_or_else(|| "Configured".to_owned())
        } else {
            "Not configured".to_owned()
        }
    };
    let engine = name(status.engine.configured, status.engine.model.clone());
    let embedding = name(status.embedding.configured, status.embedding.model.clone());
    let width =
        status.embedding.dimensions.map(|width| format!(", {} dimensions", number(width.into())));
    view! {
        <dl class="provenance">
            <div><dt>"Engine"</dt><dd>{engine}</dd></div>
            <div><dt>"Embedding"</dt><dd>{embedding}{width}</dd></div>
        </dl>
    }
}
