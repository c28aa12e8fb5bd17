//! Calls that agents made over MCP.

use coffer_api::hidden;
use coffer_api::history::{InvocationOut, InvocationsOut};
use coffer_api::routes;
use leptos::prelude::*;

use crate::format::humanize;
use crate::pages::activity::timeline::{self, Source};
use crate::parts::choice::Choice;
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::parts::when::When;

const SOURCE: Source<InvocationsOut, InvocationOut> = Source {
    route: routes::INVOCATIONS,
    rows: |reply| reply.invocations,
    seq: |call| call.seq,
    is_silent: true,
};

#[component]
pub(super) fn Calls(agents: Memo<Vec<String>>) -> impl IntoView {
    let agent = RwSignal::new(None);
    let filter = Signal::derive(move || timeline::filtered(None, None, agent.get()));
    let calls = timeline::follow(SOURCE, filter);
    let options = Signal::derive(move || {
        let agents = agents.get().into_iter().filter(|name| name != "user");
        agents.map(|name| (name.clone(), hidden::expose(&name).into_owned())).collect()
    });
    view! {
        <section aria-label="Calls by agents" data-testid="calls">
            <div class="filters"><Choice label="Agent" all="All agents" options chosen=agent choose=agent/></div>
            <Shown query=calls.newest lines=6 let:_answer>
                <table class="history">
                    <thead>
                        <tr>
                            <th scope="col">"Call"</th>
                            <th scope="col">"Agent"</th>
                            <th scope="col">"Outcome"</th>
                            <th scope="col" class="number">"Took"</th>
                            <th scope="col">"When"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || calls.rows.get() key=|row| fingerprint(row.seq) let:row>
                            <CallRow row/>
                        </For>
                    </tbody>
                </table>
                <Show when=move || calls.rows.with(Vec::is_empty)>
                    <Empty icon=Glyph::Plug title="No calls yet">
                        "Calls appear here as soon as an agent recalls or remembers."
                    </Empty>
                </Show>
                <Show when=move || calls.has_older.get()>
                    <button data-testid="older" on:click=move |_| calls.load_older.run(())>
                        "Load older"
                    </button>
                </Show>
            </Shown>
        </section>
    }
}

#[component]
fn CallRow(row: InvocationOut) -> impl IntoView {
    let InvocationOut { tool, agent, session, started_at, duration_ms, outcome, .. } = row;
    let agent =
        agent.map_or_else(|| "Unknown".to_owned(), |agent| hidden::expose(&agent).into_owned());
    let session = session.map(|session| format!("Session {session}"));
    let is_ok = outcome == "ok";
    view! {
        <tr data-testid="call">
            <td>{humanize(tool.trim_start_matches("coffer__"))}</td>
            <td title=session>{agent}</td>
            <td class:bad=!is_ok>
                {if is_ok { "Done".to_owned() } else { humanize(&outcome.to_lowercase()) }}
            </td>
            <td class="number">{took(duration_ms)}</td>
            <td><When time=started_at/></td>
        </tr>
    }
}

fn took(milliseconds: f64) -> String {
    match milliseconds {
        _ if milliseconds < 1.0 => "< 1 ms".to_owned(),
        _ if milliseconds < 1000.0 => format!("{milliseconds:.0} ms"),
        _ => format!("{:.1} s", milliseconds / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        assert_eq!(took(0.3), "< 1 ms");
        assert_eq!(took(12.6), "13 ms");
        assert_eq!(took(1234.0), "1.2 s");
    }
}
