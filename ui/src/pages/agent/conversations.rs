//! An agent's conversations, as it keeps them itself: read, and never written.

use std::sync::Arc;

use coffer_api::agents::AgentOut;
use coffer_api::routes;
use coffer_api::transcripts::{TranscriptOut, TranscriptsOut};
use leptos::prelude::*;

use crate::api::{use_api, with_query};
use crate::format::count;
use crate::live::use_live;
use crate::pages::agent::filters::{Chosen, Filters, PAGE};
use crate::pages::agent::rows::{ConversationRow, UnseenNote};
use crate::parts::empty::Empty;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::pager::Pager;
use crate::parts::place;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::query::Query;
use crate::wording::agents as wording;

/// The list's element.
const LIST: &str = "conversations";
const HINT: &str = "Reading what the agent keeps; the first time that takes a while.";

#[component]
pub(super) fn Conversations(name: String, agent: Memo<Option<AgentOut>>) -> impl IntoView {
    // What can be read follows from the agent's type, which stays.
    let kind = Memo::new(move |_| {
        agent.with(|agent| agent.as_ref().map(|agent| (agent.kind, agent.capabilities.transcripts)))
    });
    move || match kind.get() {
        None => ().into_any(),
        Some((kind, false)) => view! { <NoReader kind=wording::kind(kind)/> }.into_any(),
        Some((_, true)) => view! { <Listed name=name.clone()/> }.into_any(),
    }
}

#[component]
fn NoReader(kind: &'static str) -> impl IntoView {
    let title = format!("The conversations of {kind} cannot be read");
    view! {
        <Empty icon=Glyph::Conversation title>
            "Coffer has no reader for the way in which this agent keeps them. It shares the memory
            all the same: what it remembers through Coffer is in the stores."
        </Empty>
    }
}

#[component]
fn Listed(name: String) -> impl IntoView {
    let chosen = Chosen::new();
    let found = sessions(&name, chosen);
    let total = Signal::derive(move || found.latest().map_or(0, |found| found.total));
    let has_any = Memo::new(move |_| {
        found.latest().is_some_and(|found| found.total > 0) || chosen.is_filtered()
    });
    let name = StoredValue::new(name);
    view! {
        <section aria-label="Conversations" data-testid="conversations">
            <h2 class="offscreen">"Conversations"</h2>
            <Show when=move || has_any.get()><Filters chosen found/></Show>
            <Shown query=found lines=6 hint=HINT let:reply>
                <Warnings reply/>
                <List reply chosen name=name.get_value()/>
            </Shown>
            <Pager
                page=chosen.listing.page
                size=PAGE
                total
                go=chosen.listing.go()
                names=["Previous", "Next"]
            />
        </section>
    }
}

fn sessions(name: &str, chosen: Chosen) -> Query<TranscriptsOut> {
    let (api, changes) = (use_api(), use_live().of_agents());
    let route = routes::fill(routes::TRANSCRIPTS, &[name]);
    Query::at(api, move || {
        changes.follow();
        with_query(&route, &chosen.query())
    })
}

/// What could not be read, said before the list: it is nobody's fault, but nothing may be missed.
#[component]
fn Warnings(reply: Signal<Arc<TranscriptsOut>>) -> impl IntoView {
    let unread = Memo::new(move |_| reply.read().unread);
    let said = move || {
        let many = count(unread.get(), "conversation", "conversations");
        format!(
            "{many} here could not be read: the format is not known, or the file cannot be opened. \
             Each is marked below. Update Coffer; where that does not help, report the agent's \
             version."
        )
    };
    view! {
        <Show when=move || unread.with(|many| *many > 0)>
            <p class="note bad" role="status" data-testid="unread">
                <Icon of=Glyph::Alert/><span>{said}</span>
            </p>
        </Show>
        {move || {
            let unseen = reply.get().unseen.clone();
            (!unseen.is_empty()).then(|| view! { <UnseenNote unseen/> })
        }}
    }
}

#[component]
fn List(reply: Signal<Arc<TranscriptsOut>>, chosen: Chosen, name: String) -> impl IntoView {
    let sessions = move || {
        place::keep(LIST);
        reply.get().sessions.clone()
    };
    let key = |session: &TranscriptOut| {
        let TranscriptOut { source_path, session_id, last_activity_at, message_count, .. } =
            session;
        fingerprint((source_path, session_id, last_activity_at, message_count))
    };
    let is_empty = Memo::new(move |_| reply.read().sessions.is_empty());
    view! {
        <ul class="docs rows" id=LIST>
            <For each=sessions key let:session>
                <ConversationRow session agent=name.clone()/>
            </For>
        </ul>
        {move || is_empty.get().then(|| nothing(chosen.is_filtered()))}
    }
}

fn nothing(is_filtered: bool) -> AnyView {
    if is_filtered {
        return view! {
            <Empty icon=Glyph::Search title="No conversation fits">
                "The filter looks at titles and projects, not at what was said. Choose all projects
                or other days."
            </Empty>
        }
        .into_any();
    }
    view! {
        <Empty icon=Glyph::Conversation title="No conversation yet">
            "Whatever this agent keeps of its sessions is listed here."
        </Empty>
    }
    .into_any()
}
