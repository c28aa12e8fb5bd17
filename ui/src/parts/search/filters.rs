//! Narrows a search down: one store, one lane.

use coffer_api::facts::Lane;
use leptos::prelude::*;

use crate::parts::choice::StoreChoice;
use crate::parts::search::Search;
use crate::wording;

/// Lanes that recall looks at.
const LANES: [Option<Lane>; 3] = [None, Some(Lane::Knowledge), Some(Lane::Journal)];

#[component]
pub(super) fn Filters(search: Search) -> impl IntoView {
    let lanes = LANES.into_iter().map(|lane| {
        let name = lane.map_or("All lanes", wording::lane);
        let choose = move |_| {
            search.lane.set(lane);
            search.active.set(0);
        };
        let pressed = move || (search.lane.get() == lane).to_string();
        view! { <button class="chip" aria-pressed=pressed on:click=choose>{name}</button> }
    });
    view! {
        <div class="search-filters">
            <StoreChoice chosen=search.store/>
            <div class="chips" role="group" aria-label="Lane">{lanes.collect_view()}</div>
        </div>
    }
}
