//! A point in time, told the way people tell it.

use std::time::Duration;

use leptos::prelude::*;

use crate::time;

/// The present, to the half minute.
#[derive(Clone, Copy)]
pub(crate) struct Clock(RwSignal<f64>);

impl Clock {
    /// Starts the one clock of the page.
    pub(crate) fn start() -> Self {
        let now = RwSignal::new(time::now());
        set_interval(move || now.set(time::now()), Duration::from_secs(30));
        Self(now)
    }
}

/// `time` (RFC 3339) relative to now, with the exact local time on hover.
#[component]
pub(crate) fn When(#[prop(into)] time: String) -> impl IntoView {
    let Clock(now) = expect_context();
    let Some(then) = time::parse(&time) else { return view! { <span>{time}</span> }.into_any() };
    // The clock ticks seldom; what happened since its last tick is not in the future.
    let relative = move || time::relative(then, now.get().max(then));
    view! { <time datetime=time title=time::exact(then)>{relative}</time> }.into_any()
}
