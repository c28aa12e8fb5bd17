//! What happened: changes and MCP calls, and how much of each by day. Never content.

mod calls;
mod changes;
mod timeline;

use std::time::Duration;

use coffer_api::history::UsageOut;
use coffer_api::routes;
use leptos::prelude::*;
use leptos_router::hooks::query_signal;

use crate::api::use_api;
use crate::live::use_live;
use crate::pages::activity::calls::Calls;
use crate::pages::activity::changes::Changes;
use crate::parts::chart::UsageChart;
use crate::parts::shown::Shown;
use crate::parts::title::name_page;
use crate::query::Query;

/// Recalls leave no event behind, so they are looked for this often.
const PACE: Duration = Duration::from_secs(5);

/// The page at `/activity`.
#[component]
pub(crate) fn ActivityPage() -> impl IntoView {
    name_page(|| "Activity".to_owned());
    let usage = usage_query(tick());
    let agents = Memo::new(move |_| agents(usage));
    view! {
        <header class="page-head"><h1>"Activity"</h1></header>
        <div class="usage">
            <Shown query=usage lines=3 let:reply>
                {move || view! { <UsageChart rows=reply.get().usage.clone()/> }}
            </Shown>
        </div>
        <Histories agents/>
    }
}

/// The two histories, one at a time.
#[component]
fn Histories(agents: Memo<Vec<String>>) -> impl IntoView {
    let (view, set_view) = query_signal::<String>("view");
    let are_calls = Memo::new(move |_| view.get().as_deref() == Some("calls"));
    let tab = move |label: &'static str, calls: bool| {
        let choose = move |_| set_view.set(calls.then(|| "calls".to_owned()));
        let is_chosen = move || (are_calls.get() == calls).then_some("page");
        view! { <button class="tab" aria-current=is_chosen on:click=choose>{label}</button> }
    };
    view! {
        <nav class="tabs" aria-label="Histories">
            {tab("Changes", false)}
            {tab("Calls by agents", true)}
        </nav>
        {move || if are_calls.get() {
            view! { <Calls agents/> }.into_any()
        } else {
            view! { <Changes agents/> }.into_any()
        }}
    }
}

/// Rises every few seconds while the page is in sight.
fn tick() -> RwSignal<u32> {
    let tick = RwSignal::new(0);
    let beat = move || {
        if !document().hidden() {
            tick.update(|tick| *tick += 1);
        }
    };
    if let Ok(timer) = set_interval_with_handle(beat, PACE) {
        on_cleanup(move || timer.clear());
    }
    tick
}

fn usage_query(tick: RwSignal<u32>) -> Query<UsageOut> {
    let (api, changes) = (use_api(), use_live().of_any_store());
    Query::at(api, move || {
        tick.track();
        changes.follow();
        routes::USAGE.to_owned()
    })
}

/// Agents that did something, in order.
fn agents(usage: Query<UsageOut>) -> Vec<String> {
    let usage = usage.latest();
    let rows = usage.iter().flat_map(|usage| &usage.usage);
    let names: std::collections::BTreeSet<_> = rows.map(|row| row.agent.clone()).collect();
    names.into_iter().collect()
}
