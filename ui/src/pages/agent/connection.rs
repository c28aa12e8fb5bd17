//! What Coffer has in an agent's files, and whether it is still so.

use coffer_api::agents::{AgentFileOut, AgentFileState, AgentOut, InstallationOut};
use coffer_api::routes;
use leptos::prelude::*;

use crate::api::use_api;
use crate::live::{follows, use_live};
use crate::pages::agent::memory::OwnMemory;
use crate::parts::file_actions::PathRow;
use crate::parts::icon::{Glyph, Icon};
use crate::parts::prose::Prose;
use crate::parts::shown::Shown;
use crate::query::Query;
use crate::wording::agents as wording;

const MCP: &str = "The agent starts Coffer's MCP server, and with it reads and keeps memory.";
const HOOK: &str = "The agent asks Coffer when a session starts, and is given the rules that hold.";
const END: &str = " It also tells when a session ends.";
const NO_END: &str = " It cannot tell when a session ends.";

#[component]
pub(super) fn Connection(name: String, agent: Memo<Option<AgentOut>>) -> impl IntoView {
    let mcp = installation(routes::AGENT_MCP, &name);
    let hook = installation(routes::AGENT_HOOK, &name);
    let end = move || {
        agent.with(|agent| {
            let can_tell = agent.as_ref().map(|agent| agent.capabilities.session_end);
            can_tell.map_or("", |can_tell| if can_tell { END } else { NO_END })
        })
    };
    // It is to be done once the hook is there, and not before.
    let remark = move || {
        let agent = agent.get().filter(|agent| agent.hook_installed)?;
        wording::remark(agent.kind)
    };
    let remark = move || {
        remark().map(|text| {
            view! {
                <p class="note" data-testid="remark">
                    <Icon of=Glyph::Warning/><span><Prose text/></span>
                </p>
            }
        })
    };
    view! {
        <section class="card" aria-labelledby="mcp" data-testid="mcp-install">
            <h2 id="mcp">"MCP server"</h2>
            <p class="small">{MCP}</p>
            <Shown query=mcp lines=1 let:reply>
                {move || view! { <Files installation=(*reply.get()).clone()/> }}
            </Shown>
        </section>
        <section class="card" aria-labelledby="hook" data-testid="hook-install">
            <h2 id="hook">"Session hook"</h2>
            <p class="small">{HOOK}{end}</p>
            {remark}
            <Shown query=hook lines=1 let:reply>
                {move || view! { <Files installation=(*reply.get()).clone()/> }}
            </Shown>
        </section>
        {move || agent.get().map(|agent| view! { <OwnMemory agent/> })}
    }
}

fn installation(route: &str, name: &str) -> Query<InstallationOut> {
    let (api, changes) = (use_api(), use_live().of_agents());
    let route = routes::fill(route, &[name]);
    Query::at(api, follows(changes, route))
}

#[component]
fn Files(installation: InstallationOut) -> impl IntoView {
    let rows = installation.files.into_iter().map(|file| view! { <File file/> });
    view! { <ul class="checks">{rows.collect_view()}</ul> }
}

#[component]
fn File(file: AgentFileOut) -> impl IntoView {
    let AgentFileOut { path, state } = file;
    let (class, icon) = match state {
        AgentFileState::Installed => ("check ok", Glyph::Ok),
        AgentFileState::Absent => ("check", Glyph::None),
        AgentFileState::Changed | AgentFileState::Missing => ("check warning", Glyph::Warning),
        AgentFileState::Unreadable => ("check error", Glyph::Alert),
    };
    let (told, advice) = wording::state(state);
    let advice = advice.map(|advice| {
        view! {
            <p class="check-fix small"><Icon of=Glyph::Mend/><span>{advice}</span></p>
        }
    });
    view! {
        <li class=class data-testid="agent-file">
            <span class="check-state"><Icon of=icon/></span>
            <div>
                <p>{told}</p>
                <PathRow path is_foreign=true/>
                {advice}
            </div>
        </li>
    }
}
