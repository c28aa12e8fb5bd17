//! What stands where there is nothing yet: what will be here, and how it comes.

use leptos::prelude::*;

use crate::parts::icon::{Glyph, Icon};

/// An empty place, explained.
#[component]
pub(crate) fn Empty(icon: Glyph, #[prop(into)] title: String, children: Children) -> impl IntoView {
    view! {
        <div class="state" data-testid="empty">
            <Icon of=icon/>
            <p class="state-title">{title}</p>
            <p>{children()}</p>
        </div>
    }
}
