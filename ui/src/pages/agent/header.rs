//! The head of an agent's page.

use coffer_api::agents::AgentOut;
use leptos::prelude::*;

use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::proposal::{Change, use_proposal};
use crate::wording::agents as wording;

#[component]
pub(super) fn AgentHeader(title: Memo<String>, agent: Memo<Option<AgentOut>>) -> impl IntoView {
    let folder = Memo::new(move |_| agent.get().map(|agent| agent.config_dir));
    let told = move || {
        agent.with(|agent| {
            let agent = agent.as_ref()?;
            Some(format!("{} · {}", wording::connection(agent), wording::marks(agent)))
        })
    };
    let is_gone = move || agent.with(|agent| agent.as_ref().is_some_and(|agent| !agent.detected));
    view! {
        <header class="page-head" data-testid="agent-header">
            <div class="head-row">
                <h1>{title}</h1>
                <span class="head-actions">
                    {move || agent.get().map(|agent| view! { <Deeds agent/> })}
                </span>
            </div>
            <p class="facts-line small" aria-live="polite">{told}</p>
            <div class="head-folder">
                {move || folder.get().map(|path| view! { <PathRow path is_foreign=true/> })}
            </div>
            <Show when=is_gone>
                <p class="note">
                    <Icon of=Glyph::Warning/>
                    <span>
                        "Neither this folder nor the agent's program is on this machine any more.
                        Disconnect it if it is not coming back."
                    </span>
                </p>
            </Show>
            {move || agent.get().and_then(drift)}
        </header>
    }
}

/// What can be done with the agent as a whole.
#[component]
fn Deeds(agent: AgentOut) -> impl IntoView {
    let proposal = use_proposal();
    let is_whole = agent.mcp_installed && agent.hook_installed && agent.drift.is_empty();
    let connect = Change::connect(agent.kind, &agent.name, &agent.config_dir);
    let disconnect = Change::disconnect(&agent);
    let label = if agent.drift.is_empty() { "Connect" } else { "Connect again" };
    view! {
        {(!is_whole).then(|| view! {
            <button
                class="primary"
                data-testid="connect"
                on:click=move |_| proposal.open(connect.clone())
            >
                <Icon of=Glyph::Plug/>{label}
            </button>
        })}
        <button
            class="quiet"
            data-testid="disconnect"
            on:click=move |_| proposal.open(disconnect.clone())
        >
            <Icon of=Glyph::Unplug/>"Disconnect"
        </button>
    }
}

/// What is no longer as Coffer wrote it, and what to do.
fn drift(agent: AgentOut) -> Option<impl IntoView> {
    if agent.drift.is_empty() {
        return None;
    }
    let parts: Vec<_> = agent.drift.iter().map(|part| wording::part(*part)).collect();
    let said = format!(
        "Somebody else changed what Coffer wrote for this agent: {}. “Connect again” shows what it \
         would put back; “Disconnect” takes out what is left.",
        wording::list(&parts)
    );
    Some(view! {
        <p class="note" role="status" data-testid="drift">
            <Icon of=Glyph::Warning/><span>{said}</span>
        </p>
    })
}
