//! What a search found, best first.

use coffer_api::recall::Hit;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::address;
use crate::format::{count, sentence};
use crate::highlight;
use crate::markdown;
use crate::parts::marked::Marked;
use crate::parts::row::fingerprint;
use crate::parts::search::Search;
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::shared::use_shared;
use crate::wording;

/// Characters of a passage that are shown.
const PASSAGE: usize = 240;

#[component]
pub(super) fn Results(
    search: Search,
    /// Called when a result is opened.
    open: Callback<()>,
) -> impl IntoView {
    let hits = Memo::new(move |_| search.hits());
    let numbered = move || hits.get().into_iter().enumerate().collect::<Vec<_>>();
    // The marks depend on what was asked.
    let key = move |(index, hit): &(usize, Hit)| {
        fingerprint((index, &hit.id, &hit.text, search.asked.get_untracked()))
    };
    let is_empty = move || hits.with(Vec::is_empty) && search.asked.get() == search.typed.get();
    view! {
        <Shown query=search.found let:found>
            <ul
                id="search-results"
                class="hits"
                role="listbox"
                aria-label="Results"
                data-testid="search-results"
            >
                <For
                    each=numbered
                    key=key
                    let((index, hit))
                >
                    <HitRow search index hit open/>
                </For>
            </ul>
            <Show when=is_empty>
                <p class="hits-none">"Nothing found. Try fewer or other words, or all stores."</p>
            </Show>
            <p class="search-foot small" role="status">
                {move || foot(hits.with(Vec::len), &found.get())}
            </p>
        </Shown>
    }
}

fn foot(shown: usize, found: &coffer_api::recall::RecallOut) -> String {
    let note = found.note.as_deref().map(sentence).unwrap_or_default();
    let shown = count(shown as u64, "result", "results");
    format!("{shown}, by {}. {note}", wording::mode(found.mode))
}

#[component]
fn HitRow(search: Search, index: usize, hit: Hit, open: Callback<()>) -> impl IntoView {
    let navigate = use_navigate();
    let query = search.asked.get_untracked();
    let target = address::fact(&hit.store_name, &hit.id);
    let is_active = move || search.active.get() == index;
    let row = NodeRef::<leptos::html::Li>::new();
    Effect::new(move |_| {
        if let (true, Some(row)) = (is_active(), row.get()) {
            scroll_into_sight(&row);
        }
    });
    let go = move |_| {
        navigate(&target, Default::default());
        search.close();
        open.run(());
    };
    let shared = use_shared();
    let store = hit.store_name.clone();
    let title = highlight::mark(&wording::title(hit.lane, &hit.title), &query);
    let words = markdown::to_words(&hit.text, &hit.title);
    let passage = highlight::excerpt(&words, &query, PASSAGE);
    view! {
        <li
            node_ref=row
            id=format!("hit-{index}")
            role="option"
            class="hit"
            class:active=is_active
            aria-selected=move || is_active().to_string()
            data-testid="hit"
            data-id=hit.id
            on:mousemove=move |_| search.active.set(index)
            on:mousedown=|event| event.prevent_default()
            on:click=go
        >
            <span class="hit-head">
                <span class="hit-title"><Marked pieces=title/></span>
                <span class="small hit-where">
                    {move || shared.store_title(&store)}
                    " · "
                    {wording::lane(hit.lane)}
                    " · "
                    <When time=hit.time/>
                </span>
            </span>
            <span class="hit-passage">
                <Marked pieces=passage/>
            </span>
        </li>
    }
}

fn scroll_into_sight(row: &web_sys::HtmlElement) {
    let Some(list) = row.parent_element() else { return };
    let (list_box, row_box) = (list.get_bounding_client_rect(), row.get_bounding_client_rect());
    let above = row_box.top() - list_box.top();
    let below = row_box.bottom() - list_box.bottom();
    let moved = if above < 0.0 { above } else { below.max(0.0) };
    list.scroll_by_with_x_and_y(0.0, moved);
}
