//! What a conversation taught, into the journal: shown what would be sent, begun when the person says so.

use std::sync::Arc;

use coffer_api::distill::{DistillIn, DistillMode, DistillOut, DistillStatus, InsightOut};
use coffer_api::{hidden, jobs::JobState, routes};
use leptos::prelude::*;
use leptos::task::spawn_local;
use pulldown_cmark::HeadingLevel;

use crate::api::use_api;
use crate::format::count;
use crate::job::{self, Job};
use crate::parts::document::Text;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::modal::{Modal, ModalHead};
use crate::parts::notices::use_notices;
use crate::parts::shown::Shown;
use crate::parts::tokens_left::TokensLeft;
use crate::query::Query;
use crate::shared::use_shared;
use crate::wording::distilled as wording;

/// The button and its dialog; without a model the button says why it cannot be used.
#[component]
pub(super) fn Distill(agent: String, session: String) -> impl IntoView {
    let has_model = use_shared().has_model();
    let asked = RwSignal::new(false);
    let is_open = Memo::new(move |_| asked.get());
    let close = Callback::new(move |()| asked.set(false));
    let of = StoredValue::new((routes::fill(routes::DISTILL, &[&agent]), session));
    let body = move || {
        let (address, session) = of.get_value();
        asked.get().then(|| view! { <Asked address session close/> })
    };
    let title = move || match has_model.get() {
        Some(false) => "Needs a language model: choose one in the settings",
        Some(true) | None => "Writes what was learned here to the journal of the project",
    };
    view! {
        <button
            class="quiet"
            data-testid="distill"
            title=title
            disabled=move || has_model.get() != Some(true)
            on:click=move |_| asked.set(true)
        >
            <Icon of=Glyph::Journal/>"Distill to memory"
        </button>
        <Modal is_open title="distill-title" testid="distilling" close>{body}</Modal>
    }
}

#[component]
fn Asked(address: String, session: String, close: Callback<()>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let asks = move |mode| DistillIn {
        session_id: Some(session.clone()),
        project_path: None,
        mode: Some(mode),
    };
    let (run, rehearse) = (asks(DistillMode::Run), asks(DistillMode::DryRun));
    let at = StoredValue::new(address);
    let shown = Query::<DistillOut>::new(
        || (),
        move |()| {
            let rehearse = rehearse.clone();
            async move { api.post(&at.get_value(), &rehearse).await }
        },
    );
    let working = RwSignal::new(None::<&str>);
    let is_ready = move || {
        let can_run = |it: Arc<DistillOut>| it.status == DistillStatus::DryRun;
        working.get().is_none() && shown.latest().is_some_and(can_run)
    };
    let begin = move |_| {
        working.set(Some(wording::working(JobState::Queued)));
        let (address, run) = (at.get_value(), run.clone());
        spawn_local(async move {
            let tell = |job: &Job| {
                working.try_set(Some(wording::working(job.state)));
            };
            let reply = job::distill(api, &address, &run, tell).await;
            let is_closed = working.try_set(None).is_some();
            match reply {
                Ok(done) if is_closed => notices.done(wording::said(&done)),
                Ok(done) => shown.settle(Ok(done)),
                Err(failure) => notices.failed(&failure),
            }
        });
    };
    let verb = move || working.get().unwrap_or("Distill");
    view! {
        <ModalHead id="distill-title" title="Distill to memory" close/>
        <div class="proposal-body" aria-live="polite">
            <Shown query=shown lines=3 let:reply>
                {move || view! { <Told told=reply.get()/> }}
            </Shown>
        </div>
        <footer class="buttons">
            <button autofocus=true on:click=move |_| close.run(())>"Close"</button>
            <button
                class="primary"
                data-testid="distill-begin"
                disabled=move || !is_ready()
                on:click=begin
            >
                {verb}
            </button>
        </footer>
    }
}

/// What would be sent, or what came of it.
#[component]
fn Told(told: Arc<DistillOut>) -> impl IntoView {
    let path = told.journal_path.clone();
    let more = [
        (
            told.omitted_turns,
            "earlier message is",
            "earlier messages are",
            "too much for the model",
        ),
        (told.withheld_turns, "message is", "messages are", "held back: it may hold a secret"),
        (told.left_out, "insight of the model was", "insights of the model were", "left out"),
    ];
    let more = more.into_iter().filter(|(many, ..)| *many > 0).map(|(many, one, some, what)| {
        view! { <p class="small">{format!("{} {what}.", count(many, one, some))}</p> }
    });
    let sent = told.would_send.as_deref().map(|text| {
        let text = hidden::expose(text).into_owned();
        view! {
            <TokensLeft needed=told.tokens.unwrap_or_default()/>
            <div class="copy-block wraps" data-testid="would-send"><pre tabindex="0">{text}</pre></div>
        }
    });
    view! {
        <p class="lead" data-testid="distill-lead">{wording::said(&told)}</p>
        {path.map(|path| view! { <PathRow path/> })}
        {more.collect_view()}
        {sent}
        {told.insights.iter().cloned().map(insight).collect_view()}
    }
}

fn insight(insight: InsightOut) -> impl IntoView {
    let InsightOut { name, description, body } = insight;
    view! {
        <section data-testid="insight">
            <h3>{hidden::expose(&name).into_owned()}</h3>
            <p>{hidden::expose(&description).into_owned()}</p>
            <Text markdown=body top=HeadingLevel::H4/>
        </section>
    }
}
