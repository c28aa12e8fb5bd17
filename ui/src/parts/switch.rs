//! An on/off preference.

use leptos::prelude::*;

/// A switch with its name and a line on what it does. It shows `on` only: what a click leads to
/// comes back through the signal, so the switch never claims what the server has not taken.
#[component]
pub(crate) fn Switch(
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    on: Signal<bool>,
    /// Called with what the person wants.
    change: Callback<bool>,
) -> impl IntoView {
    let flip = move |event: leptos::ev::Event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        let wanted = input.checked();
        input.set_checked(on.get_untracked());
        change.run(wanted);
    };
    view! {
        <div class="setting">
            <label for=id>
                <span class="setting-name">{label}</span>
                <span class="small">{hint}</span>
            </label>
            <input id=id data-testid=id class="switch" type="checkbox" role="switch"
                prop:checked=move || on.get() on:change=flip/>
        </div>
    }
}
