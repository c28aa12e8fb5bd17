//! Versions from before: each as what putting it back would change, with the button that does it.

use std::sync::Arc;

use coffer_api::hidden;
use coffer_api::lanes::{RestoreIn, SupersededFileOut, SupersededOut, SupersededQuery};
use coffer_api::routes;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use crate::api::{use_api, with_query};
use crate::live::use_live;
use crate::pages::store::lanes::rules::Files;
use crate::parts::diff::Diff;
use crate::parts::document::{Document, Opened};
use crate::parts::filter::Listing;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::parts::pager::Pager;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::query::Query;

/// Versions a page.
const PAGE: u32 = 20;

#[component]
pub(super) fn Versions(name: String) -> impl IntoView {
    let (api, changes) = (use_api(), use_live().of_store(name.clone()));
    let (listing, route) = (Listing::new(), routes::fill(routes::SUPERSEDED, &[&name]));
    let query = Query::<SupersededOut>::at(api, move || {
        changes.follow();
        let offset = listing.page.get() * PAGE;
        with_query(&route, &SupersededQuery { limit: Some(PAGE), offset: Some(offset) })
    });
    let total = Signal::derive(move || query.latest().map_or(0, |page| page.total));
    view! {
        <Shown query lines=3 let:reply>
            <List store=name.clone() reply/>
        </Shown>
        <Pager page=listing.page size=PAGE total go=listing.go()/>
    }
}

#[component]
fn List(store: String, reply: Signal<Arc<SupersededOut>>) -> impl IntoView {
    let opened = Opened::default();
    let key = |version: &SupersededFileOut| fingerprint(&version.file);
    view! {
        <div class="docs">
            <For each=move || reply.get().files.clone() key let:version>
                <Version store=store.clone() version opened/>
            </For>
        </div>
        <Show when=move || reply.with(|reply| reply.files.is_empty())>
            <p class="lead">"None yet. Every text that is replaced or deleted is kept here."</p>
        </Show>
    }
}

#[component]
fn Version(store: String, version: SupersededFileOut, opened: Opened) -> impl IntoView {
    let SupersededFileOut { file, origin, title, retired_at, text: _, path, folder_path } = version;
    let title = hidden::expose(&title).into_owned();
    let summary = hidden::expose(&origin).into_owned();
    let side = move || view! { <When time=retired_at.clone()/> };
    let id = file.clone();
    view! {
        <Document id icon=Glyph::Log title summary side opened>
            <Difference store=store.clone() file=file.clone()/>
            <Files path=path.clone() folder_path=folder_path.clone()/>
        </Document>
    }
}

/// What of a restore the viewer shows.
#[derive(PartialEq, Deserialize)]
struct Change {
    diff: String,
}

/// From what stands there now to this version.
#[component]
fn Difference(store: String, file: String) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let address = StoredValue::new(routes::fill(routes::RESTORE, &[&store]));
    let file = StoredValue::new(file);
    let ask = move |dry_run| async move {
        let body = RestoreIn { file: file.get_value(), dry_run };
        api.post::<_, Change>(&address.get_value(), &body).await
    };
    let query = Query::new(|| (), move |()| ask(true));
    let is_busy = RwSignal::new(false);
    let restore = move |_| {
        is_busy.set(true);
        spawn_local(async move {
            match ask(false).await {
                Ok(_) => notices.done("It stands there again. What it replaced is kept here."),
                Err(failure) => notices.failed(&failure),
            }
            is_busy.try_set(false);
        });
    };
    view! {
        <Shown query lines=3 let:reply>
            <p class="small">"What putting it back would change:"</p>
            {move || changed(&reply.get().diff)}
            <div class="buttons">
                <button
                    data-testid="restore"
                    disabled=move || is_busy.get()
                    on:click=restore
                >
                    <Icon of=Glyph::Restore/>"Restore this version"
                </button>
            </div>
        </Shown>
    }
}

fn changed(diff: &str) -> AnyView {
    if diff.is_empty() {
        return view! { <p class="note">"Nothing: the same text stands there now."</p> }.into_any();
    }
    view! { <Diff diff/> }.into_any()
}
