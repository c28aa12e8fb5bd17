//! A change of an agent's files: shown as it would be, and made only when the person says so.
//!
//! A dialog over the page. It asks the server for the exact diff first; what is shown is what is
//! done, unless somebody changes the file in between, and then the server sees to it.

mod change;
mod stages;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;

use crate::address;
use crate::api::{Api, use_api};
use crate::failure::Failure;
use crate::parts::modal::{Modal, ModalHead};
use crate::parts::notices::{Notices, use_notices};
use crate::parts::proposal::stages::Body;
use crate::shared::{Shared, use_shared};

pub(crate) use change::Change;
use change::Outcome;

/// How far a proposal is.
#[derive(Clone, PartialEq)]
enum Stage {
    /// The server is asked what would change.
    Looking,
    /// The person is asked.
    Shown(Outcome),
    /// It is being made.
    Working(Outcome),
    /// It is made, and leaves something to the person.
    Done(Outcome),
    /// It cannot be made.
    Failed(Failure),
}

/// The one proposal of the page.
#[derive(Clone, Copy)]
pub(crate) struct Proposal {
    api: Api,
    notices: Notices,
    shared: Shared,
    change: RwSignal<Option<Change>>,
    stage: RwSignal<Stage>,
    /// Counts what was asked, so that a late answer is recognized.
    turn: StoredValue<u64>,
}

/// The proposal, anywhere below the root of the page.
pub(crate) fn use_proposal() -> Proposal {
    expect_context()
}

impl Proposal {
    pub(crate) fn new() -> Self {
        Self {
            api: use_api(),
            notices: use_notices(),
            shared: use_shared(),
            change: RwSignal::new(None),
            stage: RwSignal::new(Stage::Looking),
            turn: StoredValue::new(0),
        }
    }

    /// Shows what a change would do.
    pub(crate) fn open(self, change: Change) {
        self.stage.set(Stage::Looking);
        self.change.set(Some(change.clone()));
        let turn = self.next_turn();
        spawn_local(async move {
            let reply = change.send(self.api, true).await;
            if self.turn.try_get_value() == Some(turn) {
                self.stage.set(reply.map_or_else(Stage::Failed, Stage::Shown));
            }
        });
    }

    /// Makes the change that is shown. `leave` is called once the agent's page is no more.
    fn make(self, leave: impl FnOnce() + 'static) {
        let (Some(change), Stage::Shown(shown)) =
            (self.change.get_untracked(), self.stage.get_untracked())
        else {
            return;
        };
        self.stage.set(Stage::Working(shown));
        let turn = self.next_turn();
        spawn_local(async move {
            let reply = change.send(self.api, false).await;
            if reply.is_ok() && change.forgets() {
                leave();
            }
            self.shared.agents.again();
            self.shared.candidates.again();
            if self.turn.try_get_value() == Some(turn) {
                self.end(&change, reply);
            }
        });
    }

    fn end(self, change: &Change, reply: Result<Outcome, Failure>) {
        match reply {
            Ok(outcome) if outcome.notes.is_empty() => {
                self.notices.done(change.done());
                self.close();
            }
            Ok(outcome) => self.stage.set(Stage::Done(outcome)),
            Err(failure) => self.stage.set(Stage::Failed(failure)),
        }
    }

    fn close(self) {
        self.next_turn();
        self.change.set(None);
    }

    fn closes(self) -> Callback<()> {
        Callback::new(move |()| self.close())
    }

    fn next_turn(self) -> u64 {
        let turn = self.turn.with_value(|turn| turn + 1);
        self.turn.set_value(turn);
        turn
    }
}

/// The dialog; once in the page.
#[component]
pub(crate) fn ProposalDialog() -> impl IntoView {
    let proposal = use_proposal();
    let is_open = Memo::new(move |_| proposal.change.with(Option::is_some));
    let body = move || proposal.change.get().map(|change| view! { <Asked change/> });
    view! {
        <Modal is_open title="proposal-title" testid="proposal" close=proposal.closes()>
            {body}
        </Modal>
    }
}

#[component]
fn Asked(change: Change) -> impl IntoView {
    let proposal = use_proposal();
    let again = {
        let change = change.clone();
        Callback::new(move |()| proposal.open(change.clone()))
    };
    let navigate = use_navigate();
    let make = move |_| {
        let navigate = navigate.clone();
        proposal.make(move || navigate(address::AGENTS, Default::default()));
    };
    let (title, about, verb) = (change.title(), change.about(), change.verb());
    let is_ready = move || matches!(proposal.stage.get(), Stage::Shown(_));
    let is_working = move || matches!(proposal.stage.get(), Stage::Working(_));
    let is_asked = move || is_ready() || is_working();
    let is_over = move || matches!(proposal.stage.get(), Stage::Done(_));
    view! {
        <ModalHead id="proposal-title" title close=proposal.closes()/>
        <div class="proposal-body" aria-live="polite">
            <Show when=move || !is_over()><p class="lead">{about}</p></Show>
            <Body stage=proposal.stage again/>
        </div>
        <footer class="buttons">
            <button autofocus=true data-testid="proposal-close" on:click=move |_| proposal.close()>
                {move || if is_over() { "Close" } else { "Cancel" }}
            </button>
            <Show when=is_asked>
                <button
                    class="primary"
                    data-testid="proposal-make"
                    disabled=is_working
                    on:click=make.clone()
                >
                    {verb}
                </button>
            </Show>
        </footer>
    }
}
