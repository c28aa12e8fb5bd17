//! Whether anybody can see the page.

use js_sys::{Function, Promise};
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AddEventListenerOptions;

/// Waits until the page can be seen.
pub(super) async fn gained() {
    while document().hidden() {
        let mut wake = |resolve: Function, _| {
            let once = AddEventListenerOptions::new();
            once.set_once(true);
            // Refused only for a callback that is none.
            let _ = document().add_event_listener_with_callback_and_add_event_listener_options(
                "visibilitychange",
                &resolve,
                &once,
            );
        };
        // The promise is never rejected.
        let _ = JsFuture::from(Promise::new(&mut wake)).await;
    }
}
