//! A dialog over the page.

use leptos::html::Dialog;
use leptos::prelude::*;

use crate::parts::icon::{Glyph, Icon};

/// Opens and closes as `is_open` says; Escape closes it, too.
#[component]
pub(crate) fn Modal(
    is_open: Memo<bool>,
    /// The id of its heading.
    title: &'static str,
    testid: &'static str,
    /// Called when it closed by itself.
    close: Callback<()>,
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let (Some(dialog), is_open) = (dialog.get(), is_open.get()) else { return };
        if is_open && !dialog.open() {
            // It is in the page and closed, which is all that this asks for.
            let _ = dialog.show_modal();
        } else if !is_open {
            dialog.close();
        }
    });
    view! {
        <dialog
            node_ref=dialog
            class="proposal"
            aria-labelledby=title
            data-testid=testid
            on:close=move |_| close.run(())
        >
            {children()}
        </dialog>
    }
}

/// Its heading, with a button that closes it.
#[component]
pub(crate) fn ModalHead(
    id: &'static str,
    #[prop(into)] title: String,
    close: Callback<()>,
) -> impl IntoView {
    view! {
        <header class="head-row">
            <h2 id=id>{title}</h2>
            <button
                class="plain"
                title="Close"
                aria-label="Close"
                on:click=move |_| close.run(())
            >
                <Icon of=Glyph::Close/>
            </button>
        </header>
    }
}
