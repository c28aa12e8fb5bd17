//! Short replies to what a person did: they come, are read out, and go.

use std::time::Duration;

use leptos::prelude::*;

use crate::failure::Failure;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;

const SHORT: Duration = Duration::from_secs(4);
const LONG: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Notice {
    id: u64,
    text: String,
    is_failure: bool,
}

/// Where notices are posted.
#[derive(Clone, Copy)]
pub(crate) struct Notices {
    shown: RwSignal<Vec<Notice>>,
    posted: StoredValue<u64>,
}

/// The notices, anywhere below the root of the page.
pub(crate) fn use_notices() -> Notices {
    expect_context()
}

impl Notices {
    pub(crate) fn new() -> Self {
        Self { shown: RwSignal::default(), posted: StoredValue::new(0) }
    }

    /// Says that something was done.
    pub(crate) fn done(self, text: impl Into<String>) {
        self.post(text.into(), false);
    }

    /// Says what went wrong and what to do.
    pub(crate) fn failed(self, failure: &Failure) {
        self.post(format!("{} {}", failure.message(), failure.advice()), true);
    }

    /// Says why what is typed was not sent.
    pub(crate) fn refused(self, text: &str) {
        self.post(text.to_owned(), true);
    }

    /// Says which it was.
    pub(crate) fn outcome(self, reply: &Result<(), Failure>, done: &str) {
        match reply {
            Ok(()) => self.done(done),
            Err(failure) => self.failed(failure),
        }
    }

    fn post(self, text: String, is_failure: bool) {
        let id = self.posted.with_value(|posted| posted + 1);
        self.posted.set_value(id);
        self.shown.update(|shown| {
            // The same words twice in a row tell nothing new.
            shown.retain(|notice| notice.text != text);
            shown.push(Notice { id, text, is_failure });
        });
        set_timeout(move || self.dismiss(id), if is_failure { LONG } else { SHORT });
    }

    fn dismiss(self, id: u64) {
        self.shown.update(|shown| shown.retain(|notice| notice.id != id));
    }
}

/// The stack of notices, at the lower edge.
#[component]
pub(crate) fn NoticeStack() -> impl IntoView {
    let notices = use_notices();
    view! {
        <div class="notices" role="status" aria-live="polite" data-testid="notices">
            <For each=move || notices.shown.get() key=|notice| notice.id let:notice>
                <NoticeCard notice/>
            </For>
        </div>
    }
}

#[component]
fn NoticeCard(notice: Notice) -> impl IntoView {
    let notices = use_notices();
    let Notice { id, text, is_failure } = notice;
    view! {
        <div class="notice" class:failed=is_failure>
            <Icon of=if is_failure { Glyph::Alert } else { Glyph::Ok }/>
            <p><Prose text/></p>
            <button
                class="plain"
                title="Dismiss"
                aria-label="Dismiss"
                on:click=move |_| notices.dismiss(id)
            >
                <Icon of=Glyph::Close/>
            </button>
        </div>
    }
}
