//! Where everything lies, and what runs.

use coffer_api::routes;
use coffer_api::status::StatusOut;
use leptos::prelude::*;

use crate::format::count;
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
