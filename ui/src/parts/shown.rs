//! The three faces of a read: on its way, there, or failed.

use std::sync::Arc;

use leptos::prelude::*;

use crate::failure::Failure;
use crate::parts::trouble::Trouble;
use crate::query::{Cell, Query};

#[derive(Clone, PartialEq)]
enum Face {
    Loading,
    Ready,
    Failed(Failure),
}

/// Shows `children` with the answer, and keeps them while a newer answer is under way: they follow
/// the signal instead of being made anew.
#[component]
pub(crate) fn Shown<T, F, V>(
    query: Query<T>,
    /// How many lines to hold open while nothing is there yet.
    #[prop(default = 4)]
    lines: usize,
    /// What takes long, if it may.
    #[prop(optional)]
    hint: &'static str,
    children: F,
) -> impl IntoView
where
    T: PartialEq + Send + Sync + 'static,
    F: Fn(Signal<Arc<T>>) -> V + Send + 'static,
    V: IntoView + 'static,
{
    let ready = move || answer(query).map(&children).into_any();
    faces(query.cell(), lines, hint, Box::new(ready))
}

/// The same for answers of all types, so that it is in the program once.
fn faces(
    cell: Cell,
    lines: usize,
    hint: &'static str,
    ready: Box<dyn Fn() -> AnyView + Send>,
) -> AnyView {
    let face = Memo::new(move |_| match (cell.failure(), cell.is_there()) {
        (Some(failure), _) => Face::Failed(failure),
        (None, true) => Face::Ready,
        (None, false) => Face::Loading,
    });
    let retry = Callback::new(move |()| cell.again());
    let shown = move || match face.get() {
        Face::Loading => view! { <Skeleton lines hint/> }.into_any(),
        Face::Failed(failure) => view! { <Trouble failure retry/> }.into_any(),
        Face::Ready => ready(),
    };
    shown.into_any()
}

/// The answer as a signal that never runs dry: a failure that comes later leaves the last one in.
fn answer<T: PartialEq + Send + Sync + 'static>(query: Query<T>) -> Option<Signal<Arc<T>>> {
    let first = untrack(|| query.latest())?;
    Some(Signal::derive(move || query.latest().unwrap_or_else(|| Arc::clone(&first))))
}

/// Gray lines of the height of what they stand for; they appear only when it takes a moment.
#[component]
pub(crate) fn Skeleton(lines: usize, #[prop(optional)] hint: &'static str) -> impl IntoView {
    view! {
        <div class="skeleton" role="status" aria-label="Loading">
            {(!hint.is_empty()).then(|| view! { <p class="small skeleton-hint">{hint}</p> })}
            {(0..lines).map(|_| view! { <div class="skeleton-line"></div> }).collect_view()}
        </div>
    }
}
