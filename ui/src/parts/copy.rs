//! Copying to the clipboard.

use coffer_api::hidden;
use js_sys::Reflect;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Clipboard, HtmlDocument, HtmlTextAreaElement};

use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::{Notices, use_notices};

/// Copies `text` and says so.
pub(crate) fn copy(notices: Notices, text: String, what: &'static str) {
    spawn_local(async move {
        if write(&text).await.is_some() || copy_selection(&text).is_some() {
            notices.done(format!("{what} copied."));
        } else {
            notices.done(format!("The clipboard cannot be reached. {what}: `{text}`"));
        }
    });
}

async fn write(text: &str) -> Option<()> {
    let clipboard = Reflect::get(&window().navigator(), &JsValue::from_str("clipboard")).ok()?;
    // Not every web view has one.
    let clipboard: Clipboard = clipboard.is_object().then(|| clipboard.unchecked_into())?;
    JsFuture::from(clipboard.write_text(text)).await.ok().map(|_| ())
}

/// The old way, for web views that keep the clipboard to themselves.
fn copy_selection(text: &str) -> Option<()> {
    let document = document();
    let area: HtmlTextAreaElement = document.create_element("textarea").ok()?.dyn_into().ok()?;
    area.set_value(text);
    area.set_class_name("offscreen");
    document.body()?.append_child(&area).ok()?;
    area.select();
    let copied = document.dyn_into::<HtmlDocument>().ok()?.exec_command("copy");
    area.remove();
    copied.is_ok_and(|done| done).then_some(())
}

/// Lines to be taken along, such as entries of a file.
#[component]
pub(crate) fn CopyBlock(
    #[prop(into)] text: String,
    /// What they are, as the notice names them.
    what: &'static str,
    /// Whether long lines are broken instead of scrolled.
    #[prop(optional)]
    wraps: bool,
) -> impl IntoView {
    let shown = hidden::expose(&text).into_owned();
    view! {
        <div class="copy-block" class:wraps=wraps data-testid="copy-block">
            <pre tabindex="0" role="region" aria-label=what>{shown}</pre>
            <CopyButton text what/>
        </div>
    }
}

#[component]
fn CopyButton(text: String, what: &'static str) -> impl IntoView {
    let notices = use_notices();
    view! {
        <button
            class="quiet"
            aria-label=format!("Copy {what}")
            on:click=move |_| copy(notices, text.clone(), what)
        >
            <Icon of=Glyph::Copy/>"Copy"
        </button>
    }
}

/// A text to be taken along, such as a command, with a button that copies it.
#[component]
pub(crate) fn Copyable(
    #[prop(into)] text: String,
    /// What it is, as the notice names it.
    what: &'static str,
) -> impl IntoView {
    let shown = text.clone();
    view! {
        <div class="copyable">
            <code>{shown}</code>
            <CopyButton text what/>
        </div>
    }
}
