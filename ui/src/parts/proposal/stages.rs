//! What the dialog shows at each stage.

use coffer_api::error::ErrorOut;
use leptos::prelude::*;

use super::{Outcome, Stage};
use crate::failure::Failure;
use crate::parts::copy::CopyBlock;
use crate::parts::diff::Diff;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::parts::shown::Skeleton;

#[component]
pub(super) fn Body(stage: RwSignal<Stage>, again: Callback<()>) -> impl IntoView {
    // What is shown stays while it is made.
    let shown = Memo::new(move |_| match stage.get() {
        Stage::Working(outcome) => Stage::Shown(outcome),
        other => other,
    });
    move || match shown.get() {
        Stage::Looking => view! { <Skeleton lines=3/> }.into_any(),
        Stage::Shown(outcome) | Stage::Working(outcome) => view! { <Preview outcome/> }.into_any(),
        Stage::Done(outcome) => view! { <Left outcome/> }.into_any(),
        Stage::Failed(failure) => view! { <Refusal failure again/> }.into_any(),
    }
}

#[component]
fn Preview(outcome: Outcome) -> impl IntoView {
    let Outcome { diff, notes } = outcome;
    let changes = if diff.is_empty() {
        view! { <p class="note">"Nothing in its files would change."</p> }.into_any()
    } else {
        view! { <Diff diff/> }.into_any()
    };
    view! {
        {changes}
        <Notes notes/>
    }
}

/// What is left to the person.
#[component]
fn Left(outcome: Outcome) -> impl IntoView {
    view! {
        <p class="lead">"Done. One thing is left to you:"</p>
        <Notes notes=outcome.notes/>
    }
}

#[component]
fn Notes(notes: Vec<String>) -> impl IntoView {
    let notes = notes.into_iter().map(|text| {
        view! {
            <p class="note" data-testid="proposal-note">
                <Icon of=Glyph::Warning/><span><Prose text/></span>
            </p>
        }
    });
    notes.collect_view()
}

/// Why it cannot be done, and what the person can do by hand.
#[component]
fn Refusal(failure: Failure, again: Callback<()>) -> impl IntoView {
    let by_hand = match &failure {
        Failure::Refused(error) => by_hand(error),
        Failure::Unreachable | Failure::SignedOut | Failure::Unreadable => None,
    };
    view! {
        <div role="alert" data-testid="proposal-refused">
            <p class="note">
                <Icon of=Glyph::Alert/>
                <span><Prose text=failure.message()/>" "<Prose text=failure.advice()/></span>
            </p>
            {by_hand}
            <button on:click=move |_| again.run(())><Icon of=Glyph::Refresh/>"Look again"</button>
        </div>
    }
}

/// The file, and what to paste into it.
fn by_hand(error: &ErrorOut) -> Option<impl IntoView + use<>> {
    let (path, snippet) = (error.details.path.clone(), error.details.snippet.clone()?);
    Some(view! {
        {path.map(|path| view! { <PathRow path is_foreign=true/> })}
        <CopyBlock text=snippet what="Entries"/>
    })
}
