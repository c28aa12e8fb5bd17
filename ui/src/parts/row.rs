//! A row of a list that leads to a page.

use leptos::prelude::*;
use leptos_router::components::A;

use crate::parts::icon::{Glyph, Icon};

/// An icon, a title over one line of summary, and what stands at the right end.
#[component]
pub(crate) fn Row(
    #[prop(into)] href: String,
    /// Unique in the list.
    #[prop(into)]
    id: String,
    testid: &'static str,
    icon: Glyph,
    #[prop(into)] title: String,
    #[prop(into)] summary: String,
    /// Whether something is wrong with what the row stands for.
    #[prop(optional)]
    is_bad: bool,
    /// Two lines.
    children: Children,
) -> impl IntoView {
    view! {
        <li class="doc" class:bad=is_bad data-testid=testid data-id=id>
            <A href attr:class="doc-head">
                <Icon of=icon/>
                <span class="doc-words">
                    <span class="doc-title">{title}</span>
                    <span class="doc-summary small">{summary}</span>
                </span>
                <span class="doc-side small">{children()}</span>
            </A>
        </li>
    }
}
