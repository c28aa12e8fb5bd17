//! One text of a store as a row that opens in place.

use std::collections::HashSet;

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use pulldown_cmark::HeadingLevel;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

use crate::markdown;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::parts::outside;

/// Which rows of a list are open. It is kept beside the list, so that a row whose text changes
/// stays open.
#[derive(Clone, Copy, Default)]
pub(crate) struct Opened(RwSignal<HashSet<String>>);

impl Opened {
    /// Starts with these open.
    pub(crate) fn with(ids: impl IntoIterator<Item = String>) -> Self {
        Self(RwSignal::new(ids.into_iter().collect()))
    }

    fn follow(self, id: String) -> Memo<bool> {
        Memo::new(move |_| self.0.with(|open| open.contains(&id)))
    }

    fn toggle(self, id: &str) {
        self.0.update(|open| {
            if !open.remove(id) {
                open.insert(id.to_owned());
            }
        });
    }
}

/// A row: a heading that is a button, and below it the text, made when it is first wanted.
#[component]
pub(crate) fn Document(
    /// Unique on the page.
    #[prop(into)]
    id: String,
    icon: Glyph,
    #[prop(into)] title: String,
    /// One line under the title.
    #[prop(into, optional)]
    summary: String,
    /// What stands at the right end of the row.
    #[prop(into, optional)]
    side: ViewFn,
    opened: Opened,
    children: ChildrenFn,
) -> impl IntoView {
    let is_open = opened.follow(id.clone());
    let body_id = format!("text-{id}");
    let toggle = {
        let id = id.clone();
        move |_| opened.toggle(&id)
    };
    let controls = body_id.clone();
    let children = StoredValue::new(children);
    view! {
        <article class="doc" class:open=move || is_open.get() data-id=id data-testid="document">
            <h3>
                <button
                    class="doc-head"
                    aria-expanded=move || is_open.get().to_string()
                    aria-controls=controls
                    on:click=toggle
                >
                    <span class="doc-chevron"><Icon of=Glyph::Forward/></span>
                    <Icon of=icon/>
                    <span class="doc-words">
                        <span class="doc-title">{title}</span>
                        <span class="doc-summary small">{summary}</span>
                    </span>
                    <span class="doc-side small">{side.run()}</span>
                </button>
            </h3>
            <div class="doc-body" id=body_id hidden=move || !is_open.get()>
                <Show when=move || is_open.get()>{children.with_value(|children| children())}</Show>
            </div>
        </article>
    }
}

/// A file of rules, rendered; `delete` takes one that the organizer made, as it stands in the file.
#[component]
pub(crate) fn RulesText(#[prop(into)] markdown: String, delete: Callback<String>) -> impl IntoView {
    let (html, rules) = markdown::rules_to_html(&markdown, HeadingLevel::H4);
    let find = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let place = target.and_then(|target| target.closest("[data-rule]").ok().flatten());
        let place = place.and_then(|button| button.get_attribute(markdown::PLACE)?.parse().ok());
        if let Some(rule) = place.and_then(|place: usize| rules.get(place)) {
            delete.run(rule.clone());
        }
    };
    view! { <div on:click=find><Prose html/></div> }
}

/// Rendered Markdown.
#[component]
pub(crate) fn Text(
    #[prop(into)] markdown: String,
    /// What stands above it already.
    #[prop(into, optional)]
    title: String,
    /// The level of its highest headings.
    #[prop(default = HeadingLevel::H4)]
    top: HeadingLevel,
) -> impl IntoView {
    view! { <Prose html=markdown::to_html(&markdown, &title, top)/> }
}

#[component]
fn Prose(html: String) -> impl IntoView {
    let notices = use_notices();
    let follow = move |event| outside::follow(&event, notices);
    view! { <div class="prose" on:click=follow inner_html=html></div> }
}
