//! What stands where an answer should: what happened, what to do, and a way to try again.

use leptos::prelude::*;

use crate::failure::Failure;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;

/// A failure in place of content.
#[component]
pub(crate) fn Trouble(
    failure: Failure,
    /// Asks again.
    retry: Callback<()>,
) -> impl IntoView {
    let can_retry = failure.is_worth_retrying();
    view! {
        <div class="state" role="alert" data-testid="trouble">
            <Icon of=Glyph::Alert/>
            <p class="state-title"><Prose text=failure.message()/></p>
            <p><Prose text=failure.advice()/></p>
            <Show when=move || can_retry>
                <button on:click=move |_| retry.run(())>
                    <Icon of=Glyph::Refresh/>
                    "Try again"
                </button>
            </Show>
        </div>
    }
}
