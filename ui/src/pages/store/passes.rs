//! Passes of the language model over a store: asked for with what they would send, followed while they
//! run, and told when they are over.

mod asked;
mod outcome;

use coffer_api::jobs::{JobKind, WaitQuery};
use coffer_api::routes;
use coffer_api::stores::StoreMetricsOut;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;

use crate::address;
use crate::api::{use_api, with_query};
use crate::pages::store::passes::asked::Asked;
use crate::pages::store::passes::outcome::{came_of, told};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::jobs::{JobCards, Telling};
use crate::parts::modal::{Modal, ModalHead};
use crate::parts::notices::use_notices;
use crate::query::Query;
use crate::shared::use_shared;

/// What the model is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// The inbox into topics and rules.
    Organize,
    /// The topics in order.
    Reorg,
}

impl Pass {
    const fn title(self) -> &'static str {
        match self {
            Self::Organize => "Organize the inbox",
            Self::Reorg => "Tidy the topics",
        }
    }

    const fn verb(self) -> &'static str {
        match self {
            Self::Organize => "Organize",
            Self::Reorg => "Reorganize",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::Organize => "Files what lies in the inbox into topics and rules",
            Self::Reorg => "Merges, splits and tidies the topics",
        }
    }

    const fn testid(self) -> &'static str {
        match self {
            Self::Organize => "organize",
            Self::Reorg => "reorg",
        }
    }

    const fn glyph(self) -> Glyph {
        match self {
            Self::Organize => Glyph::Inbox,
            Self::Reorg => Glyph::Topic,
        }
    }

    const fn route(self) -> &'static str {
        match self {
            Self::Organize => routes::STORE_ORGANIZE,
            Self::Reorg => routes::STORE_REORG,
        }
    }
}

/// A button for each; without a model they say why they cannot be used.
#[component]
pub(super) fn PassButtons(asked: RwSignal<Option<Pass>>) -> impl IntoView {
    let has_model = use_shared().has_model();
    let buttons = [Pass::Organize, Pass::Reorg].map(|pass| {
        let title = move || match has_model.get() {
            Some(false) => "Needs a language model: see below",
            Some(true) | None => pass.about(),
        };
        view! {
            <button
                class="quiet"
                data-testid=pass.testid()
                title=title
                disabled=move || has_model.get() != Some(true)
                on:click=move |_| asked.set(Some(pass))
            >
                <Icon of=pass.glyph()/>{pass.verb()}
            </button>
        }
    });
    buttons.collect_view()
}

/// Why the buttons cannot be used, and what to do.
#[component]
pub(super) fn NoModel() -> impl IntoView {
    let has_model = use_shared().has_model();
    view! {
        <Show when=move || has_model.get() == Some(false)>
            <p class="small" data-testid="no-model">
                "Organize and Reorganize need a language model, and none is set. "
                <A href=address::SETTINGS>"Choose one in the settings"</A>"."
            </p>
        </Show>
    }
}

/// What a pass would do and send; it begins when the person says so.
#[component]
pub(super) fn PassDialog(
    name: String,
    asked: RwSignal<Option<Pass>>,
    metrics: Query<StoreMetricsOut>,
) -> impl IntoView {
    let is_open = Memo::new(move |_| asked.with(Option::is_some));
    let close = Callback::new(move |()| asked.set(None));
    let name = StoredValue::new(name);
    let body = move || {
        asked.get().map(|pass| view! { <Proposed name=name.get_value() pass close metrics/> })
    };
    view! { <Modal is_open title="pass-title" testid="pass" close>{body}</Modal> }
}

#[component]
fn Proposed(
    name: String,
    pass: Pass,
    close: Callback<()>,
    metrics: Query<StoreMetricsOut>,
) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let is_ready = RwSignal::new(false);
    let address = routes::fill(pass.route(), &[&name]);
    let begin = {
        let address = with_query(&address, &WaitQuery { wait: Some(0) });
        move |_| {
            is_ready.set(false);
            let address = address.clone();
            spawn_local(async move {
                // A card tells how far it is, and what came of it.
                match api.begin(&address).await {
                    Ok(()) => close.run(()),
                    Err(failure) => {
                        notices.failed(&failure);
                        is_ready.try_set(true);
                    }
                }
            });
        }
    };
    view! {
        <ModalHead id="pass-title" title=pass.title() close/>
        <div class="proposal-body" aria-live="polite">
            <Asked pass address is_ready metrics/>
        </div>
        <footer class="buttons">
            <button autofocus=true on:click=move |_| close.run(())>"Cancel"</button>
            <button
                class="primary"
                data-testid="pass-begin"
                disabled=move || !is_ready.get()
                on:click=begin
            >
                {pass.verb()}
            </button>
        </footer>
    }
}

const TELLING: Telling = Telling {
    is_ours: |kind| matches!(kind, JobKind::Organize | JobKind::Reorg),
    label: "Work of the language model",
    steps: "Steps done",
    stopped: "What was done by then stays.",
    testid: "pass-work",
    head: told,
    body: came_of,
};

/// Passes that run, and what came of those that ran.
#[component]
pub(super) fn PassCards(name: String) -> impl IntoView {
    view! { <JobCards store=name telling=TELLING/> }
}
