//! The global store before anything was remembered: how an agent gets here.

use coffer_api::routes;
use leptos::prelude::*;

use crate::pages::agents::Candidates;
use crate::parts::copy::Copyable;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::shared::use_shared;
use crate::wording::agents as wording;

/// What a coding agent is told to start; it speaks MCP over standard input and output.
const COMMAND: &str = "coffer mcp";
const HEADER: &str = "Give it this address and the header `Authorization: Bearer <token>`.";
const BY_HAND: &str = "coffer memory add --global \"The tests run with cargo xtask test.\"";

#[component]
pub(super) fn FirstRun() -> impl IntoView {
    view! {
        <section class="first-run" data-testid="first-run">
            <h3>"Nothing remembered yet"</h3>
            <p>"Connect a coding agent, and what it remembers is here for every other one."</p>
            <Connected/>
            <Candidates/>
            <OtherWays/>
            <p class="waiting" role="status">
                <span class="pulse" aria-hidden="true"></span>
                "Listening. The first fact appears here by itself."
            </p>
        </section>
    }
}

/// The agents that are connected already.
#[component]
fn Connected() -> impl IntoView {
    let agents = use_shared().agents;
    let names = move || -> Vec<String> {
        let reply = agents.latest();
        let agents = reply.iter().flat_map(|reply| &reply.agents);
        let connected = agents.filter(|agent| agent.mcp_installed);
        connected.map(|agent| wording::agent(agent.kind, &agent.name)).collect()
    };
    move || {
        let names = names();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let told = format!(
            "{} can use Coffer now. Start a session and ask it to remember something.",
            wording::list(&names)
        );
        (!names.is_empty()).then(|| {
            view! {
                <p class="note" data-testid="connected"><Icon of=Glyph::Ok/><span>{told}</span></p>
            }
        })
    }
}

/// The ways without a click: at hand where no agent was found, else folded.
#[component]
fn OtherWays() -> impl IntoView {
    let shared = use_shared();
    let is_alone = Memo::new(move |_| {
        let (agents, candidates) = (shared.agents.latest(), shared.candidates.latest());
        let none = agents.is_some_and(|reply| reply.agents.is_empty());
        none && candidates.is_some_and(|reply| reply.candidates.is_empty())
    });
    view! {
        <details class="other-ways" open=move || is_alone.get()>
            <summary>
                {move || if is_alone.get() { "Ways to connect" } else { "Other ways to connect" }}
            </summary>
            <Connect/>
        </details>
    }
}

/// The ways in, each to be copied.
#[component]
pub(crate) fn Connect() -> impl IntoView {
    let status = use_shared().status;
    let address = format!("{}{}", window().location().origin().unwrap_or_default(), routes::MCP);
    let token_file = move || {
        status
            .latest()
            .map(|status| format!("The token is in `run/server.json` under `{}`.", status.home))
    };
    view! {
        <ol class="ways">
            <li>
                <h3><Icon of=Glyph::Terminal/>"An agent that starts MCP servers by a command"</h3>
                <p class="small">
                    "Claude Code, Codex, Cursor, OpenCode, Gemini CLI and most others. It finds
                    Coffer and its key, and starts Coffer when it does not run."
                </p>
                <Copyable text=COMMAND what="Command"/>
            </li>
            <li>
                <h3><Icon of=Glyph::Plug/>"An agent that speaks MCP over HTTP"</h3>
                <p class="small">
                    <Prose text=HEADER/>
                    " "
                    {move || token_file().map(|text| view! { <Prose text/> })}
                </p>
                <Copyable text=address what="Address"/>
            </li>
            <li>
                <h3><Icon of=Glyph::Edit/>"Or by hand, to try it"</h3>
                <Copyable text=BY_HAND what="Command"/>
            </li>
        </ol>
    }
}
