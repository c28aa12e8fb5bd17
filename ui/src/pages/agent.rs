//! A coding agent: what Coffer has in its files, and its conversations.

mod connection;
mod conversations;
mod filters;
mod header;
mod memory;
mod rows;

use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;

use crate::address;
use crate::pages::agent::connection::Connection;
use crate::pages::agent::conversations::Conversations;
use crate::pages::agent::header::AgentHeader;
use crate::pages::missing::Missing;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::title::name_page;
use crate::shared::use_shared;
use crate::wording::agents as wording;

/// The two sides of an agent's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Connection,
    Conversations,
}

impl Side {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "" => Some(Self::Connection),
            "conversations" => Some(Self::Conversations),
            _ => None,
        }
    }
}

/// The page at `/agents/{name}` and `/agents/{name}/conversations`: one route for both, so that the
/// head stays.
#[component]
pub(crate) fn AgentPage() -> impl IntoView {
    let (params, shared) = (use_params_map(), use_shared());
    // Only a list that is there can say that an agent is not.
    let known = Memo::new(move |_| {
        let name = params.read().get("name").unwrap_or_default();
        let is_unknown = shared.agents.latest().is_some() && shared.agent(&name).is_none();
        (!is_unknown).then_some(name)
    });
    let side = Memo::new(move |_| Side::from_word(&params.read().get("side").unwrap_or_default()));
    let has_side = Memo::new(move |_| side.with(Option::is_some));
    move || match (known.get(), has_side.get()) {
        (Some(name), true) => view! { <AgentView name side/> }.into_any(),
        (None, _) => view! { <Missing what="agent"/> }.into_any(),
        (_, false) => view! { <Missing/> }.into_any(),
    }
}

#[component]
fn AgentView(name: String, side: Memo<Option<Side>>) -> impl IntoView {
    let shared = use_shared();
    let name = StoredValue::new(name);
    let agent = Memo::new(move |_| name.with_value(|name| shared.agent(name)));
    let title = Memo::new(move |_| {
        let agent = agent.get();
        agent.map_or_else(|| name.get_value(), |agent| wording::agent(agent.kind, &agent.name))
    });
    name_page(move || title.get());
    let body = move || match side.get().unwrap_or(Side::Connection) {
        Side::Connection => view! { <Connection name=name.get_value() agent/> }.into_any(),
        Side::Conversations => view! { <Conversations name=name.get_value() agent/> }.into_any(),
    };
    view! {
        <AgentHeader title agent/>
        <Sides name=name.get_value()/>
        {body}
    }
}

#[component]
fn Sides(name: String) -> impl IntoView {
    view! {
        <nav class="tabs" aria-label="About the agent">
            <A href=address::agent(&name) exact=true attr:class="tab">
                <Icon of=Glyph::Plug/>
                <span>"Connection"</span>
            </A>
            <A
                href=address::conversations(&name)
                attr:class="tab"
                attr:data-testid="to-conversations"
            >
                <Icon of=Glyph::Conversation/>
                <span>"Conversations"</span>
            </A>
        </nav>
    }
}
