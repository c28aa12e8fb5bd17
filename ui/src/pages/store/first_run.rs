//! The global store before anything was remembered: how an agent gets here.

use coffer_api::routes;
use leptos::prelude::*;

use crate::parts::copy::Copyable;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::shared::use_shared;

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
            <Connect/>
            <p class="waiting" role="status">
                <span class="pulse" aria-hidden="true"></span>
                "Listening. The first fact appears here by itself."
            </p>
        </section>
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
