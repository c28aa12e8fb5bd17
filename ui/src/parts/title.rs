//! The title of the browser's tab and of the window.

use coffer_api::hidden;
use leptos::prelude::*;

/// Names the page for as long as this view is shown.
pub(crate) fn name_page(name: impl Fn() -> String + 'static) {
    follow(Box::new(name));
}

fn follow(name: Box<dyn Fn() -> String>) {
    Effect::new(move |_| {
        let name = name();
        document().set_title(&format!("{} · Coffer", hidden::expose(&name)));
    });
}
