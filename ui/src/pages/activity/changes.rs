//! The audit trail.

use coffer_api::hidden;
use coffer_api::history::{AuditEventOut, AuditOut};
use coffer_api::routes;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::address;
use crate::format::humanize;
use crate::pages::activity::timeline::{self, Source};
use crate::parts::choice::{Choice, StoreChoice};
use crate::parts::empty::Empty;
use crate::parts::icon::Glyph;
use crate::parts::row::fingerprint;
use crate::parts::shown::Shown;
use crate::parts::when::When;
use crate::shared::use_shared;
use crate::wording;

const SOURCE: Source<AuditOut, AuditEventOut> = Source {
    route: routes::AUDIT,
    rows: |reply| reply.events,
    seq: |event| event.seq,
    is_silent: false,
};

/// Events whose one id is that of a fact that is there afterwards.
const OF_A_FACT: [&str; 3] = ["memory_added", "memory_updated", "memory_restored"];

#[component]
pub(super) fn Changes(agents: Memo<Vec<String>>) -> impl IntoView {
    let (event, store, agent) = (RwSignal::new(None), RwSignal::new(None), RwSignal::new(None));
    let filter = Signal::derive(move || timeline::filtered(event.get(), store.get(), agent.get()));
    let changes = timeline::follow(SOURCE, filter);
    let events = wording::KNOWN_EVENTS.iter().map(|(word, name)| ((*word).into(), (*name).into()));
    let events = Signal::stored(events.collect::<Vec<_>>());
    let actors = Signal::derive(move || {
        agents.get().into_iter().map(|name| (name.clone(), actor(&name))).collect()
    });
    view! {
        <section aria-label="Changes" data-testid="changes">
            <div class="filters">
                <Choice label="Event" all="All events" options=events chosen=event choose=event/>
                <StoreChoice chosen=store/>
                <Choice label="Who" all="Everyone" options=actors chosen=agent choose=agent/>
            </div>
            <Shown query=changes.newest lines=6 let:_answer>
                <table class="history">
                    <thead>
                        <tr>
                            <th scope="col">"Event"</th>
                            <th scope="col">"Store"</th>
                            <th scope="col">"Who"</th>
                            <th scope="col">"When"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || changes.rows.get() key=|row| fingerprint(row.seq) let:row>
                            <ChangeRow row/>
                        </For>
                    </tbody>
                </table>
                <Show when=move || changes.rows.with(Vec::is_empty)>
                    <Empty icon=Glyph::Activity title="Nothing here">
                        "No change fits this filter, or nothing was changed yet."
                    </Empty>
                </Show>
                <Show when=move || changes.has_older.get()>
                    <button data-testid="older" on:click=move |_| changes.load_older.run(())>
                        "Load older"
                    </button>
                </Show>
            </Shown>
        </section>
    }
}

fn actor(name: &str) -> String {
    if name == "user" { "You".to_owned() } else { hidden::expose(name).into_owned() }
}

#[component]
fn ChangeRow(row: AuditEventOut) -> impl IntoView {
    let shared = use_shared();
    let AuditEventOut { time, event, actor: who, store, ids, counts, .. } = row;
    let target = match (&store, ids.as_slice()) {
        (Some(store), [id]) if OF_A_FACT.contains(&event.as_str()) => {
            Some(address::fact(store, id))
        }
        _ => None,
    };
    let words = wording::event(&event);
    let what = match target {
        Some(href) => view! { <A href>{words}</A> }.into_any(),
        None => words.into_any(),
    };
    let counted = counts.iter().map(|(name, count)| format!("{}: {count}", humanize(name)));
    let counted = counted.collect::<Vec<_>>().join(", ");
    let store = store.map(|name| {
        let href = address::store(&name);
        view! { <A href>{move || shared.store_title(&name)}</A> }
    });
    view! {
        <tr data-testid="change" data-event=event>
            <td>{what}" "<span class="small">{counted}</span></td>
            <td>{store}</td>
            <td>{actor(&who)}</td>
            <td><When time/></td>
        </tr>
    }
}
