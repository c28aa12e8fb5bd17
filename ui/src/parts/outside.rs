//! Links that lead out of Coffer.

use js_sys::Reflect;
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Element;

use crate::parts::copy::copy;
use crate::parts::notices::Notices;

/// What only the desktop app's web view has.
const DESKTOP: &str = "__TAURI_INTERNALS__";

/// In a browser a link opens beside the page. The desktop app's window goes nowhere else and opens
/// no other, so there the address is copied instead.
pub(crate) fn follow(event: &MouseEvent, notices: Notices) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let link = target.and_then(|target| target.closest("a[href]").ok().flatten());
    let Some(address) = link.and_then(|link| link.get_attribute("href")) else { return };
    let is_desktop = Reflect::has(&window(), &JsValue::from_str(DESKTOP)).unwrap_or(false);
    if is_desktop {
        event.prevent_default();
        copy(notices, address, "Address");
    }
}
