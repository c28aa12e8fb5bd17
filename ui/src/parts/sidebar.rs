//! The left column: stores, knowledge bases, agents, then the pages about the whole.

use coffer_api::agents::AgentsOut;
use coffer_api::kb::KnowledgeBasesOut;
use coffer_api::stores::{MemoryStoreOut, MemoryStoresOut};
use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::format::{count, number};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::shared::{Shared, use_shared};
use crate::wording::{self, GLOBAL};

/// The left column.
#[component]
pub(crate) fn Sidebar() -> impl IntoView {
    let Shared { stores, bases, agents, .. } = use_shared();
    view! {
        <nav class="sidebar" aria-label="Stores and pages">
            <h2 class="small">"Stores"</h2>
            <Shown query=stores lines=3 let:reply>
                <ul class="stores" data-testid="stores">
                    <For each=move || names(&reply.get()) key=|name| fingerprint(name) let:name>
                        <li><StoreLink name/></li>
                    </For>
                </ul>
            </Shown>
            <h2 class="small sidebar-head">
                <A href=address::BASES>"Knowledge bases"</A>
            </h2>
            <Shown query=bases lines=1 let:reply>
                <ul class="bases" data-testid="bases">
                    <For each=move || base_names(&reply.get()) key=|name| fingerprint(name) let:name>
                        <li><BaseLink name/></li>
                    </For>
                    <Show when=move || reply.get().knowledge_bases.is_empty()>
                        <li>
                            <A href=address::BASES attr:class="nav-link">
                                <Icon of=Glyph::Add/>
                                <span>"Make one"</span>
                            </A>
                        </li>
                    </Show>
                </ul>
            </Shown>
            <h2 class="small sidebar-head"><A href=address::AGENTS>"Agents"</A></h2>
            <Shown query=agents lines=1 let:reply>
                <ul class="agents" data-testid="agents">
                    <For each=move || agent_names(&reply.get()) key=|name| fingerprint(name) let:name>
                        <li><AgentLink name/></li>
                    </For>
                    <Show when=move || reply.read().agents.is_empty()>
                        <li>
                            <A href=address::AGENTS attr:class="nav-link">
                                <Icon of=Glyph::Plug/>
                                <span>"Connect one"</span>
                            </A>
                        </li>
                    </Show>
                </ul>
            </Shown>
            <Pages/>
        </nav>
    }
}

/// What is of no store, base or agent.
#[component]
fn Pages() -> impl IntoView {
    view! {
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
    }
}

/// The global store has its place even before its first fact makes it.
fn names(reply: &MemoryStoresOut) -> Vec<String> {
    let mut names: Vec<_> = reply.memory_stores.iter().map(|store| store.name.clone()).collect();
    if !names.iter().any(|name| name == GLOBAL) {
        names.insert(0, GLOBAL.to_owned());
    }
    names
}

/// A link that stays while what it shows changes, so that the keyboard does not lose it.
#[component]
fn StoreLink(name: String) -> impl IntoView {
    let shared = use_shared();
    let icon = if name == GLOBAL { Glyph::Globe } else { Glyph::Project };
    let (href, data_store, title) = (address::store(&name), name.clone(), name.clone());
    let store = Memo::new(move |_| shared.store(&name));
    let facts = move || store.get().map_or(0, |store| store.fact_count);
    let told = move || count(facts(), "fact", "facts");
    let place = move || store.get().and_then(|store| store.project_root);
    view! {
        <A
            href
            attr:class="nav-link store-link"
            attr:title=place
            attr:data-store=data_store
        >
            <Icon of=icon/>
            <span class="store-words">
                <span class="store-name">{move || shared.store_title(&title)}</span>
                <span class="small">{move || changed(store.get())}</span>
            </span>
            <span class="count" title=told aria-label=told>
                {move || number(facts())}
            </span>
        </A>
    }
}

fn base_names(reply: &KnowledgeBasesOut) -> Vec<String> {
    reply.knowledge_bases.iter().map(|base| base.name.clone()).collect()
}

/// As a store's link.
#[component]
fn BaseLink(name: String) -> impl IntoView {
    let shared = use_shared();
    let (href, data_base, title) = (address::base(&name), name.clone(), name.clone());
    let base = Memo::new(move |_| shared.base(&name));
    let documents = move || base.get().map_or(0, |base| base.document_count);
    let told = move || count(documents(), "document", "documents");
    view! {
        <A href attr:class="nav-link" attr:data-base=data_base>
            <Icon of=Glyph::Base/>
            <span class="store-name">{title}</span>
            <span class="count" title=told aria-label=told>{move || number(documents())}</span>
        </A>
    }
}

fn agent_names(reply: &AgentsOut) -> Vec<String> {
    reply.agents.iter().map(|agent| agent.name.clone()).collect()
}

/// As a store's link; a mark where something needs a look.
#[component]
fn AgentLink(name: String) -> impl IntoView {
    let shared = use_shared();
    let (href, data_agent) = (address::agent(&name), name.clone());
    let agent = Memo::new(move |_| shared.agent(&name));
    let title = move || agent.get().map(|agent| wording::agents::agent(agent.kind, &agent.name));
    let place = move || agent.get().map(|agent| agent.config_dir);
    let is_odd = move || {
        agent.with(|agent| agent.as_ref().is_some_and(|it| !it.detected || !it.drift.is_empty()))
    };
    view! {
        <A href attr:class="nav-link" attr:title=place attr:data-agent=data_agent>
            <Icon of=Glyph::Agent/>
            <span class="store-name">{title}</span>
            <Show when=is_odd><AttentionMark/></Show>
        </A>
    }
}

/// When a store last changed, and whether it is in use.
fn changed(store: Option<MemoryStoreOut>) -> AnyView {
    let Some(store) = store else { return "Nothing yet".into_any() };
    let off = (!store.enabled).then_some("Off · ");
    view! { {off}<When time=store.updated_at/> }.into_any()
}

/// Beside the settings when something does not work fully.
#[component]
fn Attention() -> impl IntoView {
    let status = use_shared().status;
    let degraded = move || status.latest().is_some_and(|status| !status.degraded.is_empty());
    view! {
        <Show when=degraded><AttentionMark/></Show>
    }
}

#[component]
fn AttentionMark() -> impl IntoView {
    view! {
        <span
            class="attention"
            title="Something needs attention"
            aria-label="Something needs attention"
        >
            <Icon of=Glyph::Warning/>
        </span>
    }
}
