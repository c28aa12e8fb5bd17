//! The left column: stores, then the pages about the whole.

use coffer_api::facts::Scope;
use coffer_api::stores::MemoryStoreOut;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::format::{count, number};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::shared::use_shared;
use crate::wording;

/// The left column.
#[component]
pub(crate) fn Sidebar() -> impl IntoView {
    let stores = use_shared().stores;
    view! {
        <nav class="sidebar" aria-label="Stores and pages">
            <h2 class="small">"Stores"</h2>
            <Shown query=stores lines=3 let:reply>
                <ul class="stores" data-testid="stores">
                    <For each=move || reply.get().memory_stores.clone() key=shown_parts let:store>
                        <li><StoreLink store/></li>
                    </For>
                </ul>
            </Shown>
            <ul class="pages">
                <li>
                    <A href=address::ACTIVITY attr:class="nav-link"><Icon of=Glyph::Activity/><span>"Activity"</span></A>
                </li>
                <li>
                    <A href=address::SETTINGS attr:class="nav-link"><Icon of=Glyph::Settings/><span>"Settings"</span><Attention/></A>
                </li>
            </ul>
        </nav>
    }
}

/// All that a link shows: a store is drawn anew only when one of these changes.
fn shown_parts(store: &MemoryStoreOut) -> (String, String, u64, String, bool) {
    let MemoryStoreOut { name, fact_count, updated_at, enabled, .. } = store;
    (name.clone(), wording::store(store), *fact_count, updated_at.clone(), *enabled)
}

#[component]
fn StoreLink(store: MemoryStoreOut) -> impl IntoView {
    let title = wording::store(&store);
    let icon = if store.scope == Scope::Global { Glyph::Globe } else { Glyph::Project };
    let facts = count(store.fact_count, "fact", "facts");
    let place = store.project_root.clone().unwrap_or_default();
    view! {
        <A href=address::store(&store.name) attr:class="nav-link store-link" attr:title=place attr:data-store=store.name>
            <Icon of=icon/>
            <span class="store-words">
                <span class="store-name">{title}</span>
                <span class="small">
                    {if store.enabled { None } else { Some("Off · ") }}
                    <When time=store.updated_at/>
                </span>
            </span>
            <span class="count" title=facts.clone() aria-label=facts>{number(store.fact_count)}</span>
        </A>
    }
}

/// Beside the settings when something does not work fully.
#[component]
fn Attention() -> impl IntoView {
    let status = use_shared().status;
    let degraded = move || status.latest().is_some_and(|status| !status.degraded.is_empty());
    view! {
        <Show when=degraded>
            <span class="attention" title="Something needs attention" aria-label="Something needs attention">
                <Icon of=Glyph::Warning/>
            </span>
        </Show>
    }
}
