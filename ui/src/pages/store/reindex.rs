//! Comparing a store's files with its index, at a person's request.

use coffer_api::routes;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::job::{self, Job};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;

/// A button that shows how far it is while it works.
#[component]
pub(super) fn Reindex(name: String) -> impl IntoView {
    let address = routes::fill(routes::STORE_REINDEX, &[&name]);
    view! { <ReindexAt address/> }
}

/// The same for any address that reindexes.
#[component]
pub(crate) fn ReindexAt(
    #[prop(into)] address: String,
    #[prop(default = "Reindex")] label: &'static str,
) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let progress = RwSignal::new(None::<String>);
    let address = StoredValue::new(address);
    let start = move |_| {
        progress.set(Some("Looking…".to_owned()));
        spawn_local(async move {
            let tell = |job: &Job| {
                progress.try_set(Some(job::told(&job.progress, ["file", "files"])));
            };
            match job::reindex(api, &address.get_value(), tell).await {
                Ok(result) => notices.done(job::summary(&result)),
                Err(failure) => notices.failed(&failure),
            }
            progress.try_set(None);
        });
    };
    view! {
        <button
            class="quiet reindex"
            data-testid="reindex"
            title="Compare the files with the index"
            class:busy=move || progress.get().is_some()
            disabled=move || progress.get().is_some()
            on:click=start
        >
            <Icon of=Glyph::Refresh/>
            <span aria-live="polite">
                {move || progress.get().unwrap_or_else(|| label.to_owned())}
            </span>
        </button>
    }
}
