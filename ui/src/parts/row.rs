//! A row of a list that leads to a page, and what tells rows apart.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use leptos::prelude::*;
use leptos_router::components::A;

use crate::parts::icon::{Glyph, Icon};

/// Tells whether what a row shows is the same as before, so that only what changed is drawn anew. All
/// lists have keys of this type, which keeps one kind of list in the program.
pub(crate) fn fingerprint(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

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
