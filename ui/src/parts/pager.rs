//! Steps through a long list, a page at a time.

use leptos::prelude::*;

use crate::format::number;
use crate::parts::icon::{Glyph, Icon};

/// Which rows are shown, and the way to the next ones. Nothing when all fit on one page.
#[component]
pub(crate) fn Pager(
    /// Page number from 0.
    page: Signal<u32>,
    /// Rows a page.
    size: u32,
    /// Rows in all.
    total: Signal<u64>,
    /// Called with the page to go to.
    go: Callback<u32>,
    /// How the ways back and forth are called.
    #[prop(default = ["Newer", "Older"])]
    names: [&'static str; 2],
) -> impl IntoView {
    let first = move || u64::from(page.get()) * u64::from(size);
    let last = move || (first() + u64::from(size)).min(total.get());
    let range =
        move || format!("{}–{} of {}", number(first() + 1), number(last()), number(total.get()));
    let is_first = move || page.get() == 0;
    let is_last = move || last() >= total.get();
    let is_long = move || total.get() > u64::from(size);
    view! {
        <Show when=is_long>
            <nav class="pager" aria-label="Pages" data-testid="pager">
                <button
                    class="quiet"
                    disabled=is_first
                    on:click=move |_| go.run(page.get().saturating_sub(1))
                >
                    <Icon of=Glyph::Back/>{names[0]}
                </button>
                <span class="small" aria-live="polite">{range}</span>
                <button class="quiet" disabled=is_last on:click=move |_| go.run(page.get() + 1)>
                    {names[1]}<Icon of=Glyph::Forward/>
                </button>
            </nav>
        </Show>
    }
}
