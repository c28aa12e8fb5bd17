//! One fact, or one day of the journal, on a page of its own.

use std::sync::Arc;

use coffer_api::facts::{FactOut, Lane};
use coffer_api::hidden;
use coffer_api::routes;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;
use pulldown_cmark::HeadingLevel;

use crate::address;
use crate::api::use_api;
use crate::live::{follows, use_live};
use crate::parts::entries::Entries;
use crate::parts::fact::{FactText, Provenance};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::query::Query;
use crate::shared::use_shared;
use crate::wording::{self, LaneTab};

/// The page at `/stores/{name}/facts/{id}`.
#[component]
pub(crate) fn FactPage() -> impl IntoView {
    let params = use_params_map();
    let of = move |name: &str| params.read().get(name).unwrap_or_default();
    let place = Memo::new(move |_| (of("name"), of("id")));
    move || {
        let (store, id) = place.get();
        view! { <FactView store id/> }
    }
}

#[component]
fn FactView(store: String, id: String) -> impl IntoView {
    let (api, changes) = (use_api(), use_live().of_store(store.clone()));
    let route = routes::fill(routes::FACT, &[&store, &id]);
    let query = Query::<FactOut>::at(api, follows(changes, route));
    name_page(move || query.latest().map_or_else(|| "Fact".to_owned(), |fact| fact.title.clone()));
    view! {
        <article class="fact-page" data-testid="fact">
            <BackLink store query/>
            <Shown query lines=6 let:fact>{move || whole(fact.get())}</Shown>
        </article>
    }
}

/// Leads to the lane that the fact lives in.
#[component]
fn BackLink(store: String, query: Query<FactOut>) -> impl IntoView {
    let shared = use_shared();
    let tab = move || match query.latest().map(|fact| fact.lane) {
        Some(Lane::Journal) => LaneTab::Journal,
        Some(Lane::Knowledge | Lane::Rules | Lane::Handoff) | None => LaneTab::Knowledge,
    };
    let name = store.clone();
    let href = move || address::lane(&name, tab());
    view! {
        <p class="back">
            <A href=href>
                <Icon of=Glyph::Back/>
                {move || shared.store_title(&store)}
                " · "
                {move || tab().name()}
            </A>
        </p>
    }
}

fn whole(fact: Arc<FactOut>) -> impl IntoView {
    let fact = Arc::unwrap_or_clone(fact);
    let title = wording::title(fact.lane, &fact.title);
    let kind = match fact.lane {
        Lane::Knowledge if wording::is_inbox(&fact) => "Inbox",
        Lane::Knowledge => "Topic",
        Lane::Journal => "Journal",
        Lane::Rules | Lane::Handoff => wording::lane(fact.lane),
    };
    let description = fact.description.as_deref().map(|text| hidden::expose(text).into_owned());
    view! {
        <header class="page-head">
            <h1>{title}</h1>
            <p class="lead">
                <span class="badge">{kind}</span>
                {description}
            </p>
        </header>
        {text(&fact)}
        <Provenance fact is_page=true/>
    }
}

fn text(fact: &FactOut) -> AnyView {
    match fact.lane {
        Lane::Journal => view! { <Entries markdown=fact.text.clone()/> }.into_any(),
        Lane::Knowledge | Lane::Rules | Lane::Handoff => {
            view! { <FactText fact=fact.clone() top=HeadingLevel::H2/> }.into_any()
        }
    }
}
