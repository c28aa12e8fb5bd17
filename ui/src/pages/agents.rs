//! All coding agents: those that Coffer knows, those that it found, and those that it did not.

mod found;

use std::sync::Arc;

use coffer_api::agents::{AgentOut, AgentsOut};
use coffer_api::hidden;
use leptos::prelude::*;

use crate::address;
use crate::pages::agents::found::Absent;
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::row::Row;
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::shared::use_shared;
use crate::wording::agents as wording;

pub(crate) use crate::pages::agents::found::Candidates;

/// The page at `/agents`.
#[component]
pub(crate) fn AgentsPage() -> impl IntoView {
    name_page(|| "Agents".to_owned());
    let agents = use_shared().agents;
    view! {
        <header class="page-head">
            <h1>"Agents"</h1>
            <p class="lead">
                "Coding agents that share Coffer's memory, and what Coffer has in their files."
            </p>
        </header>
        <Shown query=agents lines=3 let:reply>
            {move || view! { <AgentList reply=reply.get()/> }}
        </Shown>
        <Candidates/>
        <Absent/>
    }
}

#[component]
fn AgentList(reply: Arc<AgentsOut>) -> impl IntoView {
    if reply.agents.is_empty() {
        return view! {
            <Empty icon=Glyph::Agent title="No agent is connected">
                "Before anything is written, you see every line that changes in the agent's files."
            </Empty>
        }
        .into_any();
    }
    let rows = reply.agents.iter().cloned().map(|agent| view! { <AgentRow agent/> });
    view! { <ul class="docs rows" data-testid="agent-list">{rows.collect_view()}</ul> }.into_any()
}

#[component]
fn AgentRow(agent: AgentOut) -> impl IntoView {
    let needs_a_look = !agent.detected || !agent.drift.is_empty();
    let icon = if needs_a_look { Glyph::Warning } else { Glyph::Agent };
    let (connection, marks) = (wording::connection(&agent), wording::marks(&agent));
    view! {
        <Row
            href=address::agent(&agent.name)
            id=agent.name.clone()
            testid="agent"
            icon
            title=wording::agent(agent.kind, &agent.name)
            summary=hidden::expose(&agent.config_dir).into_owned()
            is_bad=needs_a_look
        >
            <span class="who">{connection}</span>
            <span>{marks}</span>
        </Row>
    }
}
