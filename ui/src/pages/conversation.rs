//! One conversation of an agent: what was said, without secrets, as it is kept in the agent's file.

mod distill;

use std::sync::Arc;

use coffer_api::routes;
use coffer_api::transcripts::{
    TranscriptDetailOut, TranscriptOut, TranscriptState, TurnOut, TurnsQuery,
};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;
use pulldown_cmark::HeadingLevel;

use crate::address;
use crate::api::{use_api, with_query};
use crate::format::{count, sentence};
use crate::pages::conversation::distill::Distill;
use crate::parts::document::Text;
use crate::parts::empty::Empty;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::parts::prose::Prose;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::parts::when::When;
use crate::query::Query;
use crate::shared::use_shared;
use crate::wording::{agents, conversations as wording};

/// Turns a request.
const PAGE: u32 = 200;

/// The page at `/agents/{name}/conversations/{id}`.
#[component]
pub(crate) fn ConversationPage() -> impl IntoView {
    let params = use_params_map();
    let of = move |name: &str| params.read().get(name).unwrap_or_default();
    let place = Memo::new(move |_| (of("name"), of("id")));
    move || {
        let (agent, id) = place.get();
        view! { <ConversationView agent id/> }
    }
}

#[component]
fn ConversationView(agent: String, id: String) -> impl IntoView {
    let (api, shared) = (use_api(), use_shared());
    let route = routes::fill(routes::TRANSCRIPT, &[&agent, &id]);
    let first = with_query(&route, &TurnsQuery { limit: Some(PAGE), after: None });
    // Once: whoever reads far down is not sent back to the top by an agent that goes on talking.
    let query = Query::<TranscriptDetailOut>::at(api, move || first.clone());
    name_page(move || {
        let title = query.latest().map(|reply| wording::title(&reply.session));
        title.unwrap_or_else(|| "Conversation".to_owned())
    });
    let (href, route) = (address::conversations(&agent), StoredValue::new(route));
    let name = StoredValue::new(agent.clone());
    let back = move || {
        let known = shared.agent(&agent);
        known.map_or_else(|| agent.clone(), |known| agents::agent(known.kind, &known.name))
    };
    view! {
        <article class="fact-page" data-testid="conversation-page">
            <p class="back"><A href><Icon of=Glyph::Back/>"Conversations of "{back}</A></p>
            <Shown query lines=6 let:reply>
                {move || view! { <Whole agent=name.get_value() reply=reply.get() route=route.get_value()/> }}
            </Shown>
        </article>
    }
}

#[component]
fn Whole(agent: String, reply: Arc<TranscriptDetailOut>, route: String) -> impl IntoView {
    let TranscriptDetailOut { session, turns, withheld, next } = Arc::unwrap_or_clone(reply);
    let body = match session.state {
        TranscriptState::Read => view! { <Turns first=turns withheld next route/> }.into_any(),
        TranscriptState::FormatUnknown | TranscriptState::Unreadable => {
            let reason = session.reason.clone();
            view! { <Unread state=session.state reason/> }.into_any()
        }
    };
    view! {
        <Head agent session/>
        {body}
    }
}

#[component]
fn Head(agent: String, session: TranscriptOut) -> impl IntoView {
    let title = wording::title(&session);
    let place = session.project_path.is_some().then(|| wording::place(&session));
    let version = session.agent_version.clone().map(|version| format!(" · version {version}"));
    let unknown = (session.unknown_records > 0).then(|| {
        let many = count(
            session.unknown_records,
            "record of no known kind was",
            "records of no known kind were",
        );
        view! { <p class="small">{format!("{many} passed over.")}</p> }
    });
    let distill = matches!(session.state, TranscriptState::Read).then(|| {
        view! { <Distill agent session=session.session_id.clone()/> }
    });
    view! {
        <header class="page-head">
            <div class="head-row"><h1>{title}</h1>{distill}</div>
            {place.map(|place| view! { <p class="lead">{place}</p> })}
            <p class="facts-line small">
                {count(session.message_count, "message", "messages")}
                {session.started_at.map(|time| view! { " · started "<When time/> })}
                {session.last_activity_at.map(|time| view! { " · last active "<When time/> })}
                {version}
            </p>
            <div class="head-folder"><PathRow path=session.source_path is_foreign=true/></div>
            {unknown}
        </header>
    }
}

#[component]
fn Unread(state: TranscriptState, reason: Option<String>) -> impl IntoView {
    let title = match state {
        TranscriptState::Read | TranscriptState::FormatUnknown => {
            "The format of this conversation is not known"
        }
        TranscriptState::Unreadable => "This conversation cannot be opened",
    };
    let reason = reason.map(|reason| view! { <Prose text=sentence(&reason)/>" " });
    view! {
        <Empty icon=Glyph::Alert title>
            {reason}
            "There are records in the file, and Coffer finds no message among them. Nothing is lost:
            the file is the agent's, and stays as it is. Update Coffer; where that does not help,
            report the agent's version."
        </Empty>
    }
}

/// What was said, from the beginning; more of it when it is asked for.
#[component]
fn Turns(first: Vec<TurnOut>, withheld: u64, next: Option<String>, route: String) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let (turns, withheld) = (RwSignal::new(first), RwSignal::new(withheld));
    let (next, is_busy) = (RwSignal::new(next), RwSignal::new(false));
    let more = move |_| {
        let query = TurnsQuery { limit: Some(PAGE), after: next.get_untracked() };
        let address = with_query(&route, &query);
        is_busy.set(true);
        spawn_local(async move {
            match api.get::<TranscriptDetailOut>(&address).await {
                Ok(reply) => {
                    turns.try_update(|turns| turns.extend(reply.turns));
                    withheld.try_update(|withheld| *withheld += reply.withheld);
                    next.try_set(reply.next);
                }
                Err(failure) => notices.failed(&failure),
            }
            is_busy.try_set(false);
        });
    };
    let left_out = move || {
        format!(
            "{} left out: it could not be made sure that no secret is in there.",
            count(withheld.get(), "message is", "messages are")
        )
    };
    view! {
        <Show when=move || withheld.with(|many| *many > 0)>
            <p class="note"><Icon of=Glyph::Warning/><span>{left_out}</span></p>
        </Show>
        <div class="turns">
            <For each=move || turns.get() key=|turn| fingerprint(&turn.position) let:turn>
                <Turn turn/>
            </For>
        </div>
        <Show when=move || turns.with(Vec::is_empty)>
            <Empty icon=Glyph::Conversation title="Nothing was said here that is not said elsewhere">
                "What an earlier conversation holds already is shown there."
            </Empty>
        </Show>
        <Show when=move || next.with(Option::is_some)>
            <button disabled=move || is_busy.get() data-testid="more" on:click=more.clone()>
                "Show more"
            </button>
        </Show>
    }
}

#[component]
fn Turn(turn: TurnOut) -> impl IntoView {
    let TurnOut { role, text, time, position: _ } = turn;
    let name = wording::role(role);
    view! {
        <section class="turn" class:human=name == "You" aria-label=name data-testid="turn">
            <h2 class="turn-head">
                <span>{name}</span>
                {time.map(|time| view! { <span class="small"><When time/></span> })}
            </h2>
            <Text markdown=text top=HeadingLevel::H3/>
        </section>
    }
}
