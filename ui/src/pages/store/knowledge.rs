//! The knowledge lane: topic documents and inbox facts, newest change first, fifty a page.

use std::time::Duration;

use coffer_api::facts::{FactOut, FactsOut, FactsQuery};
use coffer_api::routes;
use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::query_signal_with_options;

use crate::api::{use_api, with_query};
use crate::live::use_live;
use crate::pages::store::first_run::FirstRun;
use crate::parts::document::Opened;
use crate::parts::empty::Empty;
use crate::parts::fact::FactRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::pager::Pager;
use crate::parts::place;
use crate::parts::shown::Shown;
use crate::query::Query;

/// Facts a page.
const PAGE: u32 = 50;
/// The list's element.
const LIST: &str = "facts";
/// How long the typing must rest before the list is filtered.
const REST: Duration = Duration::from_millis(150);

/// The lane of the store `name`. Filter and page are part of the address, so that going back from a
/// fact finds them again.
#[component]
pub(super) fn Knowledge(name: String) -> impl IntoView {
    let quietly = || NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() };
    let (filter, set_filter) = query_signal_with_options::<String>("q", quietly());
    let (page, set_page) = query_signal_with_options::<u32>("page", quietly());
    let page = Signal::derive(move || page.get().unwrap_or(0));
    let facts = facts_query(&name, filter, page);
    let total = Signal::derive(move || facts.latest().map_or(0, |facts| facts.total));
    let is_filtered = Signal::derive(move || filter.get().is_some());
    let go = Callback::new(move |page: u32| {
        set_page.set((page > 0).then_some(page));
        window().scroll_to_with_x_and_y(0.0, 0.0);
    });
    let narrow = Callback::new(move |text: String| {
        set_filter.set((!text.is_empty()).then_some(text));
        set_page.set(None);
    });
    view! {
        <section aria-label="Knowledge" data-testid="lane-knowledge">
            <h2 class="offscreen">"Knowledge"</h2>
            <Show when=move || is_filtered.get() || (total.get() > 0)>
                <FilterBox text=filter.get_untracked().unwrap_or_default() narrow/>
            </Show>
            <Shown query=facts lines=6 let:reply>
                <FactList reply=reply name=name.clone() is_filtered/>
            </Shown>
            <Pager page size=PAGE total go/>
        </section>
    }
}

fn facts_query(name: &str, filter: Memo<Option<String>>, page: Signal<u32>) -> Query<FactsOut> {
    let (api, changes) = (use_api(), use_live().of_store(name.to_owned()));
    let route = routes::fill(routes::FACTS, &[name]);
    let key = move || {
        changes.follow();
        (filter.get(), page.get())
    };
    Query::new(key, move |(q, page)| {
        let query = FactsQuery { limit: Some(PAGE), offset: Some(page * PAGE), q };
        let address = with_query(&route, &query);
        async move { api.get(&address).await }
    })
}

#[component]
fn FilterBox(text: String, narrow: Callback<String>) -> impl IntoView {
    let mut narrow = debounce(REST, move |text: String| narrow.run(text.trim().to_owned()));
    view! {
        <label class="filter">
            <Icon of=Glyph::Search/>
            <span class="offscreen">"Filter by title or description"</span>
            <input
                type="search"
                id="filter"
                data-testid="filter"
                placeholder="Filter by title or description"
                autocomplete="off"
                spellcheck="false"
                value=text
                on:input:target=move |event| narrow(event.target().value())
            />
        </label>
    }
}

#[component]
fn FactList(
    reply: Signal<std::sync::Arc<FactsOut>>,
    name: String,
    is_filtered: Signal<bool>,
) -> impl IntoView {
    let opened = Opened::default();
    let facts = move || {
        place::keep(LIST);
        reply.get().facts.clone()
    };
    // A fact is drawn anew only when its file changed.
    let key = |fact: &FactOut| (fact.id.clone(), fact.content_sha256.clone(), fact.path.clone());
    let is_empty = Memo::new(move |_| reply.get().facts.is_empty());
    let is_global = name == "global";
    view! {
        <div class="docs" id=LIST>
            <For each=facts key let:fact><FactRow fact opened/></For>
        </div>
        {move || is_empty.get().then(|| nothing(is_filtered.get(), is_global))}
    }
}

fn nothing(is_filtered: bool, is_global: bool) -> AnyView {
    if is_filtered {
        return view! {
            <Empty icon=Glyph::Search title="No title or description holds that">
                "The filter looks at titles and descriptions; the search above looks at everything."
            </Empty>
        }
        .into_any();
    }
    if is_global {
        return view! { <FirstRun/> }.into_any();
    }
    view! {
        <Empty icon=Glyph::Inbox title="Nothing remembered in this project yet">
            "The first fact that an agent remembers here appears by itself."
        </Empty>
    }
    .into_any()
}
