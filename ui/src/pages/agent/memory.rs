//! The memory that an agent keeps by itself, beside Coffer's.

use coffer_api::agents::{AgentOut, AgentPart};
use leptos::prelude::*;

use crate::parts::icon::{Glyph, Icon};
use crate::parts::proposal::{Change, use_proposal};

#[component]
pub(super) fn OwnMemory(agent: AgentOut) -> impl IntoView {
    let (told, deeds) = if agent.capabilities.native_memory {
        (told(&agent), Some(view! { <Deeds agent/> }))
    } else {
        ("This agent keeps no memory of its own that Coffer could switch off.", None)
    };
    view! {
        <section class="card" aria-labelledby="own-memory" data-testid="own-memory">
            <h2 id="own-memory">"Its own memory"</h2>
            <p>{told}</p>
            {deeds}
        </section>
    }
}

const fn told(agent: &AgentOut) -> &'static str {
    match (agent.disable_native_memory, is_drifted(agent)) {
        (false, _) => {
            "On, or as you set it: the agent may keep notes of its own that no other agent sees."
        }
        (true, false) => {
            "Off: Coffer switched it off, so that everything is remembered in one place."
        }
        (true, true) => {
            "Coffer had switched it off, and somebody changed that in the agent's settings since."
        }
    }
}

const fn is_drifted(agent: &AgentOut) -> bool {
    // Drift is named in the order of the parts, so that this one is the last.
    matches!(agent.drift.as_slice(), [.., AgentPart::NativeMemory])
}

#[component]
fn Deeds(agent: AgentOut) -> impl IntoView {
    let proposal = use_proposal();
    let button = |label: &'static str, off: bool| {
        let change = Change::memory(&agent, off);
        let testid = if off { "memory-off" } else { "memory-back" };
        view! {
            <button data-testid=testid on:click=move |_| proposal.open(change.clone())>
                <Icon of=if off { Glyph::Unplug } else { Glyph::Refresh }/>{label}
            </button>
        }
    };
    let off = match (agent.disable_native_memory, is_drifted(&agent)) {
        (false, _) => Some("Switch off"),
        (true, true) => Some("Switch off again"),
        (true, false) => None,
    };
    view! {
        <div class="buttons">
            {off.map(|label| button(label, true))}
            {agent.disable_native_memory.then(|| button("Restore", false))}
        </div>
    }
}
