//! Agents of this machine that are not registered, and what was not found at all.

use coffer_api::agents::{AgentType, CandidateOut};
use coffer_api::hidden;
use leptos::prelude::*;

use crate::parts::copy::Copyable;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::proposal::{Change, use_proposal};
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::shared::use_shared;
use crate::wording::agents as wording;

/// How a folder is connected that Coffer does not find by itself; no page may name one.
const ELSEWHERE: &str = "coffer agent connect claude_code --config-dir ~/.claude-work";

/// Agents that can be connected. Nothing where there are none.
#[component]
pub(crate) fn Candidates() -> impl IntoView {
    let candidates = use_shared().candidates;
    view! {
        <Shown query=candidates lines=2 let:reply>
            <Show when=move || !reply.read().candidates.is_empty()>
                <section aria-labelledby="found" data-testid="candidates">
                    <h2 id="found" class="list-head">"Found on this machine"</h2>
                    <ul class="docs">
                        <For
                            each=move || reply.get().candidates.clone()
                            key=|candidate| fingerprint((&candidate.config_dir, candidate.executable))
                            let:candidate
                        >
                            <CandidateRow candidate/>
                        </For>
                    </ul>
                </section>
            </Show>
        </Shown>
    }
}

#[component]
fn CandidateRow(candidate: CandidateOut) -> impl IntoView {
    let proposal = use_proposal();
    let CandidateOut { name, kind, config_dir, executable } = candidate;
    let change = Change::connect(kind, &name, &config_dir);
    let title = wording::agent(kind, &name);
    let label = format!("Connect {title}");
    let place = hidden::expose(&config_dir).into_owned();
    let found = if executable { "" } else { "Only its folder · " };
    view! {
        <li class="doc candidate" data-testid="candidate" data-id=name>
            <Icon of=Glyph::Agent/>
            <span class="doc-words">
                <span class="doc-title">{title}</span>
                <span class="doc-summary small">{found}{place}</span>
            </span>
            <button aria-label=label on:click=move |_| proposal.open(change.clone())>
                <Icon of=Glyph::Plug/>"Connect"
            </button>
        </li>
    }
}

/// The types of which there is nothing here, and what to do where Coffer did not look.
#[component]
pub(super) fn Absent() -> impl IntoView {
    let shared = use_shared();
    let absent = Memo::new(move |_| {
        let (agents, candidates) = (shared.agents.latest()?, shared.candidates.latest()?);
        let is_here = |kind: &AgentType| {
            agents.agents.iter().any(|agent| agent.kind == *kind)
                || candidates.candidates.iter().any(|candidate| candidate.kind == *kind)
        };
        let absent = wording::TYPES.into_iter().filter(|kind| !is_here(kind));
        Some(absent.map(wording::kind).collect::<Vec<_>>())
    });
    let told = move || {
        let absent = absent.get().filter(|absent| !absent.is_empty())?;
        let told = format!("Not found on this machine: {}.", wording::list(&absent));
        Some(view! { <p data-testid="absent">{told}</p> })
    };
    view! {
        <section class="card" aria-labelledby="elsewhere">
            <h2 id="elsewhere">"Something missing?"</h2>
            {told}
            <p class="small elsewhere">
                "An agent may have several folders of settings, one for each account or client.
                Each is an agent of its own here. Connect one that Coffer does not find in a
                terminal:"
            </p>
            <Copyable text=ELSEWHERE what="Command"/>
        </section>
    }
}
