//! The name of a store, and giving it another.

use coffer_api::routes;
use coffer_api::stores::{LabelIn, MemoryStoreOut};
use gloo_net::http::Method;
use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::shared::use_shared;

/// Characters that a label may have.
const LONGEST: &str = "200";

/// The heading, which turns into a field.
#[component]
pub(super) fn Label(name: String, store: Memo<Option<MemoryStoreOut>>) -> impl IntoView {
    let shared = use_shared();
    let is_edited = RwSignal::new(false);
    let title = {
        let name = name.clone();
        move || shared.store_title(&name)
    };
    let name = StoredValue::new(name);
    view! {
        <Show
            when=move || is_edited.get()
            fallback=move || view! {
                <h1 data-testid="store-title">{title.clone()}</h1>
                <Show when=move || store.get().is_some()>
                    <button
                        class="quiet"
                        data-testid="rename"
                        on:click=move |_| is_edited.set(true)
                    >
                        <Icon of=Glyph::Rename/>"Rename"
                    </button>
                </Show>
            }
        >
            <LabelForm name=name.get_value() store is_edited/>
        </Show>
    }
}

#[component]
fn LabelForm(
    name: String,
    store: Memo<Option<MemoryStoreOut>>,
    is_edited: RwSignal<bool>,
) -> impl IntoView {
    let (api, notices, stores) = (use_api(), use_notices(), use_shared().stores);
    let label = store.get_untracked().and_then(|store| store.label).unwrap_or_default();
    let input = NodeRef::<Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // The element is in the page, so it takes the focus.
            let _ = input.focus();
            input.select();
        }
    });
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let label = input.get_untracked().map(|input| input.value());
        let address = routes::fill(routes::STORE_LABEL, &[&name]);
        spawn_local(async move {
            let body = LabelIn { label };
            match api.with_body::<_, MemoryStoreOut>(Method::PATCH, &address, &body).await {
                Ok(_) => {
                    is_edited.set(false);
                    stores.again();
                    notices.done("Name saved.");
                }
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    let cancel = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            is_edited.set(false);
        }
    };
    view! {
        <form class="label-form" on:submit=save on:keydown=cancel>
            <input
                node_ref=input
                id="label"
                data-testid="label"
                value=label
                maxlength=LONGEST
                autocomplete="off"
                aria-label="Name of this store"
                placeholder="Name; leave empty for the folder's name"
            />
            <button type="submit">"Save"</button>
            <button type="button" class="quiet" on:click=move |_| is_edited.set(false)>
                "Cancel"
            </button>
        </form>
    }
}
