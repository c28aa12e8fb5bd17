//! A store: what it is called and holds, and its lanes.

mod first_run;
mod header;
mod knowledge;
mod label;
mod lanes;
mod passes;
mod reindex;
mod start;
mod tabs;

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::pages::missing::Missing;
use crate::pages::store::header::StoreHeader;
use crate::pages::store::knowledge::Knowledge;
use crate::pages::store::lanes::handoff::Handoff;
use crate::pages::store::lanes::journal::Journal;
use crate::pages::store::lanes::log::Log;
use crate::pages::store::lanes::rules::Rules;
use crate::pages::store::start::Start;
use crate::pages::store::tabs::{LaneReads, Tabs};
use crate::parts::title::name_page;
use crate::shared::use_shared;
use crate::wording::LaneTab;

pub(crate) use crate::pages::store::first_run::Connect;
pub(crate) use crate::pages::store::reindex::ReindexAt;

/// The page at `/stores/{name}` and `/stores/{name}/{lane}`: one route for both, so that the head
/// stays while the lanes change.
#[component]
pub(crate) fn StorePage() -> impl IntoView {
    let params = use_params_map();
    let shared = use_shared();
    // Only a list that is there can say that a store is not; the global one always is.
    let known = Memo::new(move |_| {
        let name = params.read().get("name").unwrap_or_default();
        let is_unknown = shared.stores.latest().is_some() && shared.store(&name).is_none();
        (name == "global" || !is_unknown).then_some(name)
    });
    let tab =
        Memo::new(move |_| LaneTab::from_word(&params.read().get("lane").unwrap_or_default()));
    let has_tab = Memo::new(move |_| tab.with(Option::is_some));
    // What is read here must not follow from each other: of two such memos the later is missed when
    // both change.
    move || match (known.get(), has_tab.get()) {
        (Some(name), true) => view! { <StoreView name tab/> }.into_any(),
        (None, _) => view! { <Missing what="store"/> }.into_any(),
        (_, false) => view! { <Missing/> }.into_any(),
    }
}

#[component]
fn StoreView(name: String, tab: Memo<Option<LaneTab>>) -> impl IntoView {
    let shared = use_shared();
    let reads = LaneReads::new(&name);
    let name = StoredValue::new(name);
    name_page(move || shared.store_title(&name.get_value()));
    let lane = move || {
        let name = name.get_value();
        match tab.get().unwrap_or(LaneTab::Knowledge) {
            LaneTab::Knowledge => view! { <Knowledge name/> }.into_any(),
            LaneTab::Rules => view! { <Rules name/> }.into_any(),
            LaneTab::Journal => view! { <Journal name/> }.into_any(),
            LaneTab::Handoff => view! { <Handoff query=reads.handoff/> }.into_any(),
            LaneTab::Log => view! { <Log name query=reads.log/> }.into_any(),
            LaneTab::Start => view! { <Start name query=reads.start/> }.into_any(),
        }
    };
    view! {
        <StoreHeader name=name.get_value() metrics=reads.metrics/>
        <Tabs name=name.get_value() reads/>
        {lane}
    }
}
