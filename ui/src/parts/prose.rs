//! A sentence with `code` in it, as messages of the server have it.

use coffer_api::hidden;
use leptos::prelude::*;

/// Text in which what stands between backticks is set as code.
#[component]
pub(crate) fn Prose(#[prop(into)] text: String) -> impl IntoView {
    let text = hidden::expose(&text).into_owned();
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = part.to_owned();
        if index % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
    });
    parts.collect_view()
}
