//! The title of the browser's tab and of the window.

use leptos::prelude::*;

/// Names the page for as long as this view is shown.
pub(crate) fn name_page(name: impl Fn() -> String + 'static) {
    Effect::new(move |_| document().set_title(&format!("{} · Coffer", name())));
}
