//! The left column: stores, then the pages about the whole.

use coffer_api::stores::{MemoryStoreOut, MemoryStoresOut};
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
                    <For each=move || names(&reply.get()) key=Clone::clone let:name>
                        <li><StoreLink name/></li>
                    </For>
                </ul>
            </Shown>
            <ul class="pages">
                <li>
                    <A href=address::ACTIVITY attr:class="nav-link">
                        <Icon of=Glyph::Activity/>
                        <span>"Activity"</span>
                    </A>
                </li>
                <li>
                    <A href=address::SETTINGS attr:class="nav-link">
                        <Icon of=Glyph::Settings/>
                        <span>"Settings"</span>
                        <Attention/>
                    </A>
                </li>
            </ul>
        </nav>
    }
}

fn names(reply: &MemoryStoresOut) -> Vec<String> {
    reply.memory_stores.iter().map(|store| store.name.clone()).collect()
}

/// A link that stays while what it shows changes, so that the keyboard does not lose it.
#[component]
fn StoreLink(name: String) -> impl IntoView {
    let shared = use_shared();
    let icon = if name == "global" { Glyph::Globe } else { Glyph::Project };
    let (href, data_store) = (address::store(&name), name.clone());
    let store = Memo::new(move |_| shared.store(&name));
    let of =
        move |read: fn(MemoryStoreOut) -> String| move || store.get().map(read).unwrap_or_default();
    let facts = of(|store| count(store.fact_count, "fact", "facts"));
    let changed = move || store.get().map(|store| view! { <When time=store.updated_at/> });
    let is_off = move || store.get().is_some_and(|store| !store.enabled);
    let place = of(|store| store.project_root.unwrap_or_default());
    view! {
        <A
            href
            attr:class="nav-link store-link"
            attr:title=place
            attr:data-store=data_store
        >
            <Icon of=icon/>
            <span class="store-words">
                <span class="store-name">{of(|store| wording::store(&store))}</span>
                <span class="small">
                    {move || is_off().then_some("Off · ")}
                    {changed}
                </span>
            </span>
            <span class="count" title=facts aria-label=facts>
                {of(|store| number(store.fact_count))}
            </span>
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
            <span
                class="attention"
                title="Something needs attention"
                aria-label="Something needs attention"
            >
                <Icon of=Glyph::Warning/>
            </span>
        </Show>
    }
}
