//! A list's filter and page, kept in the address, so that going back from a row finds them again.

use std::time::Duration;

use leptos::leptos_dom::helpers::debounce;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::query_signal_with_options;

use crate::parts::icon::{Glyph, Icon};

/// How long the typing must rest before the list is filtered.
const REST: Duration = Duration::from_millis(150);

/// What of a list is shown.
#[derive(Clone, Copy)]
pub(crate) struct Listing {
    /// Only rows that hold this.
    pub(crate) filter: Memo<Option<String>>,
    /// The page, from 0.
    pub(crate) page: Signal<u32>,
    set_filter: SignalSetter<Option<String>>,
    set_page: SignalSetter<Option<u32>>,
}

/// A choice, and how it is made.
pub(crate) type Held = (Signal<Option<String>>, SignalSetter<Option<String>>);

fn quietly() -> NavigateOptions {
    NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() }
}

impl Listing {
    /// The one of the present address.
    pub(crate) fn new() -> Self {
        let (filter, set_filter) = query_signal_with_options::<String>("q", quietly());
        let (page, set_page) = query_signal_with_options::<u32>("page", quietly());
        let page = Signal::derive(move || page.get().unwrap_or(0));
        Self { filter, page, set_filter, set_page }
    }

    /// Whether rows are left out, followed.
    pub(crate) fn is_filtered(self) -> bool {
        self.filter.get().is_some()
    }

    /// Goes to a page, and to its top.
    pub(crate) fn go(self) -> Callback<u32> {
        Callback::new(move |page: u32| {
            self.set_page.set((page > 0).then_some(page));
            window().scroll_to_with_x_and_y(0.0, 0.0);
        })
    }

    /// A further choice, kept in the address under a name; another one leads to the first page.
    pub(crate) fn choice(self, name: &'static str) -> Held {
        let (chosen, set_chosen) = query_signal_with_options::<String>(name, quietly());
        let choose = SignalSetter::map(move |choice: Option<String>| {
            set_chosen.set(choice);
            self.set_page.set(None);
        });
        (chosen.into(), choose)
    }

    fn narrow(self, text: String) {
        self.set_filter.set((!text.is_empty()).then_some(text));
        self.set_page.set(None);
    }
}

/// The box to type into.
#[component]
pub(crate) fn FilterBox(
    listing: Listing,
    /// What it looks at.
    #[prop(default = "Filter by title or description")]
    label: &'static str,
) -> impl IntoView {
    let mut narrow = debounce(REST, move |text: String| listing.narrow(text.trim().to_owned()));
    view! {
        <label class="filter">
            <Icon of=Glyph::Search/>
            <span class="offscreen">{label}</span>
            <input
                type="search"
                id="filter"
                data-testid="filter"
                placeholder=label
                autocomplete="off"
                spellcheck="false"
                value=listing.filter.get_untracked().unwrap_or_default()
                on:input:target=move |event| narrow(event.target().value())
            />
        </label>
    }
}
