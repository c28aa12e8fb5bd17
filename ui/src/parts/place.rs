//! Keeps the reader's place when rows come or go above it.
//!
//! Some browsers do so by themselves, but the web view of the desktop app does not; the page
//! switches that off in its style sheet, so that exactly one of the two acts.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

/// Call before rows with a `data-id` inside of the element of this id change: after the change the
/// first row in sight is where it was.
pub(crate) fn keep(list: &str) {
    let at_top = window().scroll_y().unwrap_or_default() <= 0.0;
    if at_top {
        return;
    }
    let Some((row, top)) = first_in_sight(list) else { return };
    queue_microtask(move || {
        let moved =
            if row.is_connected() { row.get_bounding_client_rect().top() - top } else { 0.0 };
        if moved.abs() >= 1.0 {
            window().scroll_by_with_x_and_y(0.0, moved);
        }
    });
}

fn first_in_sight(list: &str) -> Option<(Element, f64)> {
    let rows = document().get_element_by_id(list)?.query_selector_all("[data-id]").ok()?;
    (0..rows.length()).filter_map(|index| rows.item(index)?.dyn_into::<Element>().ok()).find_map(
        |row| {
            let place = row.get_bounding_client_rect();
            (place.bottom() > 0.0).then(|| (row, place.top()))
        },
    )
}
