//! The viewer: a page that runs in the browser and talks to the loopback server only.

use leptos::prelude::*;

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(Viewer);
}

/// The whole page.
#[component]
fn Viewer() -> impl IntoView {
    view! { <main><h1>"Coffer"</h1></main> }
}
