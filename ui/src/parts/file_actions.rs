//! What can be done with a file or folder: it is the person's own, and edited in their programs.

use coffer_api::files::PathIn;
use coffer_api::hidden;
use coffer_api::routes;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::parts::copy::copy;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;

/// Buttons for the file or folder at `path`.
#[component]
pub(crate) fn FileActions(
    #[prop(into)] path: String,
    /// Whether it is another program's, which is shown and not opened.
    #[prop(optional)]
    is_foreign: bool,
) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let path = StoredValue::new(path);
    let ask = move |route: &'static str, done: &'static str| {
        spawn_local(async move {
            let body = PathIn { path: path.get_value() };
            notices.outcome(&api.post(route, &body).await, done);
        });
    };
    view! {
        <span class="file-actions">
            <button
                class="quiet"
                title="Reveal in file manager"
                aria-label="Reveal in file manager"
                data-testid="reveal"
                on:click=move |_| ask(routes::FILES_REVEAL, "Shown in the file manager.")
            >
                <Icon of=Glyph::Reveal/>"Reveal"
            </button>
            {(!is_foreign).then(|| view! {
                <button
                    class="quiet"
                    title="Open in editor"
                    aria-label="Open in editor"
                    data-testid="open"
                    on:click=move |_| ask(routes::FILES_OPEN, "Opened in the editor.")
                >
                    <Icon of=Glyph::Edit/>"Open"
                </button>
            })}
            <button class="quiet" title="Copy path" aria-label="Copy path" data-testid="copy-path"
                on:click=move |_| copy(notices, path.get_value(), "Path")>
                <Icon of=Glyph::Copy/>"Copy path"
            </button>
        </span>
    }
}

/// A file or folder: its path, and what can be done with it.
#[component]
pub(crate) fn PathRow(
    #[prop(into)] path: String,
    #[prop(optional)] is_foreign: bool,
) -> impl IntoView {
    let shown = hidden::expose(&path).into_owned();
    let title = shown.clone();
    view! {
        <span class="path-row">
            <code class="path" title=title>{shown}</code>
            <FileActions path is_foreign/>
        </span>
    }
}
