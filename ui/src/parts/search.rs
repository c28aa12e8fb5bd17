//! Recall across all stores as one types.
//!
//! A combobox: the keyboard stays in the box, arrows move through the answers, Enter opens one.

mod filters;
mod results;

use std::time::Duration;

use coffer_api::facts::Lane;
use coffer_api::recall::{Hit, RecallOut, SearchIn};
use coffer_api::routes;
use leptos::ev::KeyboardEvent;
use leptos::html::{Div, Input};
use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;
use wasm_bindgen::JsCast as _;

use crate::address;
use crate::api::{Api, use_api};
use crate::failure::Failure;
use crate::live::use_live;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::search::filters::Filters;
use crate::parts::search::results::Results;
use crate::query::Query;

/// How long the typing must rest before the server is asked.
const REST: Duration = Duration::from_millis(120);
/// As many as the server gives.
const MOST: u32 = 20;
/// The longest query that the server takes.
const LONGEST: usize = 4096;

/// What the box, the filters and the results share.
#[derive(Clone, Copy)]
struct Search {
    typed: RwSignal<String>,
    /// What was typed when the typing last rested.
    asked: RwSignal<String>,
    store: RwSignal<Option<String>>,
    lane: RwSignal<Option<Lane>>,
    is_open: RwSignal<bool>,
    active: RwSignal<usize>,
    found: Query<RecallOut>,
}

impl Search {
    fn new(api: Api) -> Self {
        let (asked, store) = (RwSignal::new(String::new()), RwSignal::new(None));
        let changes = use_live().of_any_store();
        let key = move || {
            changes.follow();
            (asked.get(), store.get())
        };
        Self {
            typed: RwSignal::default(),
            asked,
            store,
            lane: RwSignal::new(None),
            is_open: RwSignal::new(false),
            active: RwSignal::new(0),
            found: Query::new(key, move |(query, store)| recall(api, query, store)),
        }
    }

    /// The answers that pass the filter by lane, followed.
    fn hits(self) -> Vec<Hit> {
        let lane = self.lane.get();
        let hits = self.found.latest().map(|found| found.hits.clone()).unwrap_or_default();
        hits.into_iter().filter(|hit| lane.is_none_or(|lane| hit.lane == lane)).collect()
    }

    fn step(self, forward: bool) {
        let last = untrack(|| self.hits()).len().saturating_sub(1);
        self.active.update(|active| {
            *active = if forward { (*active + 1).min(last) } else { active.saturating_sub(1) };
        });
    }

    fn close(self) {
        self.is_open.set(false);
    }
}

async fn recall(api: Api, query: String, store: Option<String>) -> Result<RecallOut, Failure> {
    let query: String = query.trim().chars().take(LONGEST).collect();
    if query.is_empty() {
        let mode = coffer_api::recall::Mode::Keyword;
        return Ok(RecallOut { hits: Vec::new(), mode, fallback: false, note: None });
    }
    let stores = store.map(|store| vec![store]);
    api.post(routes::SEARCH, &SearchIn { query, top_k: Some(MOST), kinds: None, stores }).await
}

/// The search box and, below it, what was found.
#[component]
pub(crate) fn SearchBox() -> impl IntoView {
    let search = Search::new(use_api());
    let (root, input) = (NodeRef::<Div>::new(), NodeRef::<Input>::new());
    focus_on_shortcut(input);
    let leave = move |event: leptos::ev::FocusEvent| {
        let target =
            event.related_target().and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        let inside = root.get_untracked().is_some_and(|root| root.contains(target.as_ref()));
        if !inside {
            search.close();
        }
    };
    let is_shown = move || search.is_open.get() && !search.typed.get().trim().is_empty();
    view! {
        <div
            class="search"
            role="search"
            node_ref=root
            on:focusout=leave
            on:keydown=move |event| close_on_escape(search, &event, input)
        >
            <Field search input is_shown=Signal::derive(is_shown)/>
            <Show when=is_shown>
                <div class="search-panel" tabindex="-1" data-testid="search-panel">
                    <Filters search/>
                    <Results search open=Callback::new(move |()| leave_box(input))/>
                </div>
            </Show>
        </div>
    }
}

#[component]
fn Field(search: Search, input: NodeRef<Input>, is_shown: Signal<bool>) -> impl IntoView {
    let navigate = use_navigate();
    let mut ask = debounce(REST, move |text: String| {
        search.asked.set(text);
        search.active.set(0);
    });
    let mut type_in = move |text: String| {
        search.typed.set(text.clone());
        search.is_open.set(true);
        ask(text);
    };
    let press = move |event: KeyboardEvent| match event.key().as_str() {
        "ArrowDown" | "ArrowUp" => {
            event.prevent_default();
            search.is_open.set(true);
            search.step(event.key() == "ArrowDown");
        }
        "Enter" if is_shown.get_untracked() => {
            if let Some(hit) = untrack(|| search.hits()).get(search.active.get_untracked()) {
                navigate(&address::fact(&hit.store_name, &hit.id), Default::default());
                search.close();
                leave_box(input);
            }
        }
        _ => {}
    };
    let active = move || is_shown.get().then(|| format!("hit-{}", search.active.get()));
    view! {
        <label class="search-field">
            <Icon of=Glyph::Search/>
            <span class="offscreen">"Search all memory"</span>
            <input
                node_ref=input
                id="search"
                data-testid="search"
                type="search"
                autocomplete="off"
                spellcheck="false"
                placeholder="Search all memory"
                role="combobox"
                aria-controls="search-results"
                aria-autocomplete="list"
                aria-expanded=move || is_shown.get().to_string()
                aria-activedescendant=active
                prop:value=move || search.typed.get()
                on:input:target=move |event| type_in(event.target().value())
                on:focus=move |_| search.is_open.set(true)
                on:keydown=press
            />
            <kbd aria-hidden="true">{shortcut()}</kbd>
        </label>
    }
}

fn leave_box(input: NodeRef<Input>) {
    if let Some(input) = input.get_untracked() {
        // Losing the focus cannot fail for an element of this page.
        let _ = input.blur();
    }
}

fn close_on_escape(search: Search, event: &KeyboardEvent, input: NodeRef<Input>) {
    if event.key() == "Escape" {
        event.prevent_default();
        search.close();
        leave_box(input);
    }
}

/// Ctrl-K, or Command-K, puts the cursor into the box from anywhere.
fn focus_on_shortcut(input: NodeRef<Input>) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        let is_shortcut = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
        if is_shortcut && event.key().eq_ignore_ascii_case("k") {
            event.prevent_default();
            if let Some(input) = input.get_untracked() {
                // The element is in the page, so it takes the focus.
                let _ = input.focus();
                input.select();
            }
        }
    });
    on_cleanup(move || listener.remove());
}

fn shortcut() -> &'static str {
    let agent = window().navigator().user_agent().unwrap_or_default();
    if agent.contains("Mac OS") { "⌘K" } else { "Ctrl K" }
}
