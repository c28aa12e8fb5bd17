//! The knowledge lane: topic documents and inbox facts, newest change first, fifty a page.

use coffer_api::facts::{FactOut, FactsOut, FactsQuery};
use coffer_api::routes;
use leptos::prelude::*;

use crate::api::{use_api, with_query};
use crate::live::use_live;
use crate::pages::store::first_run::FirstRun;
use crate::parts::document::Opened;
use crate::parts::empty::Empty;
use crate::parts::fact::FactRow;
use crate::parts::filter::{FilterBox, Listing};
use crate::parts::icon::Glyph;
use crate::parts::pager::Pager;
use crate::parts::place;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::query::Query;

/// Facts a page.
const PAGE: u32 = 50;
/// The list's element.
const LIST: &str = "facts";

/// The lane of the store `name`.
#[component]
pub(super) fn Knowledge(name: String) -> impl IntoView {
    let listing = Listing::new();
    let facts = facts_query(&name, listing);
    let total = Signal::derive(move || facts.latest().map_or(0, |facts| facts.total));
    view! {
        <section aria-label="Knowledge" data-testid="lane-knowledge">
            <h2 class="offscreen">"Knowledge"</h2>
            <Show when=move || listing.is_filtered() || (total.get() > 0)>
                <FilterBox listing/>
            </Show>
            <Shown query=facts lines=6 let:reply>
                <FactList reply=reply name=name.clone() listing/>
            </Shown>
            <Pager page=listing.page size=PAGE total go=listing.go()/>
        </section>
    }
}

fn facts_query(name: &str, listing: Listing) -> Query<FactsOut> {
    let (api, changes) = (use_api(), use_live().of_store(name.to_owned()));
    let route = routes::fill(routes::FACTS, &[name]);
    Query::at(api, move || {
        changes.follow();
        let (offset, q) = (listing.page.get() * PAGE, listing.filter.get());
        with_query(&route, &FactsQuery { limit: Some(PAGE), offset: Some(offset), q })
    })
}

#[component]
fn FactList(
    reply: Signal<std::sync::Arc<FactsOut>>,
    name: String,
    listing: Listing,
) -> impl IntoView {
    let opened = Opened::default();
    let facts = move || {
        place::keep(LIST);
        reply.get().facts.clone()
    };
    // A fact is drawn anew only when its file changed.
    let key = |fact: &FactOut| fingerprint((&fact.id, &fact.content_sha256, &fact.path));
    let is_empty = Memo::new(move |_| reply.get().facts.is_empty());
    let is_global = name == "global";
    view! {
        <div class="docs" id=LIST>
            <For each=facts key let:fact><FactRow fact opened/></For>
        </div>
        {move || is_empty.get().then(|| nothing(listing.is_filtered(), is_global))}
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
