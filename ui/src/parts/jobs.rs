//! Background work of one store or knowledge base, a card for each job: how far it is and what came of
//! it, until a person puts it away.

use std::collections::HashSet;

use coffer_api::jobs::JobKind;
use coffer_api::routes;
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::job::{Job, Jobs};
use crate::live::{follows, use_live};
use crate::parts::notices::use_notices;
use crate::parts::prose::Prose;
use crate::parts::row::fingerprint;
use crate::query::Query;

/// So many are shown at once.
const MOST: usize = 20;

/// How jobs are told.
#[derive(Clone, Copy)]
pub(crate) struct Telling {
    /// Which kinds.
    pub(crate) is_ours: fn(JobKind) -> bool,
    /// What they are.
    pub(crate) label: &'static str,
    /// What their steps are.
    pub(crate) steps: &'static str,
    /// Said when one is stopped.
    pub(crate) stopped: &'static str,
    pub(crate) testid: &'static str,
    /// One line.
    pub(crate) head: fn(&Job) -> String,
    /// What there is to say of one that has ended.
    pub(crate) body: fn(&Job) -> AnyView,
}

/// The jobs of a store, or of `knowledge_base:<name>`, from now on.
#[component]
pub(crate) fn JobCards(#[prop(into)] store: String, telling: Telling) -> impl IntoView {
    let (api, changes) = (use_api(), use_live().of_jobs());
    let jobs = Query::<Jobs>::at(api, follows(changes, routes::JOBS));
    let away = RwSignal::new(None::<HashSet<String>>);
    let ours = move || -> Vec<Job> {
        let Some(jobs) = jobs.latest() else { return Vec::new() };
        let is_ours =
            |job: &&Job| (telling.is_ours)(job.kind) && job.store.as_deref() == Some(&store);
        let ours = jobs.jobs.iter().filter(is_ours);
        // What had ended before the page was opened is old news.
        let old = || ours.clone().filter(|job| !job.is_open()).map(|job| job.id.clone()).collect();
        let away = away.get().unwrap_or_else(|| {
            let old: HashSet<String> = old();
            away.set(Some(old.clone()));
            old
        });
        ours.filter(|job| !away.contains(&job.id)).take(MOST).cloned().collect()
    };
    let put_away = Callback::new(move |id: String| {
        away.update(|away| {
            away.get_or_insert_default().insert(id);
        });
    });
    let ours = Memo::new(move |_| ours());
    view! {
        <For each=move || ours.get() key=job_key let:job><JobCard job telling put_away/></For>
    }
}

/// A card is drawn anew when its job moved.
fn job_key(job: &Job) -> u64 {
    fingerprint((&job.id, job.progress.done, job.is_open()))
}

#[component]
fn JobCard(job: Job, telling: Telling, put_away: Callback<String>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let id = StoredValue::new(job.id.clone());
    let cancel = move |_| {
        spawn_local(async move {
            let address = routes::fill(routes::JOB, &[&id.get_value()]);
            let reply = api.with_body::<_, ()>(Method::DELETE, &address, &()).await;
            notices.outcome(&reply, telling.stopped);
        });
    };
    let is_open = job.is_open();
    let button = if is_open {
        view! { <button class="quiet" data-testid="stop" on:click=cancel>"Stop"</button> }
            .into_any()
    } else {
        view! { <button class="quiet" on:click=move |_| put_away.run(id.get_value())>"Clear"</button> }
            .into_any()
    };
    let bar = is_open.then(|| {
        let total = job.progress.total.unwrap_or(0);
        view! {
            <progress max=total.max(1) value=job.progress.done aria-label=telling.steps></progress>
        }
    });
    view! {
        <section class="card" aria-label=telling.label data-testid=telling.testid>
            <div class="head-row">
                <h2 aria-live="polite"><Prose text=(telling.head)(&job)/></h2>
                {button}
            </div>
            {bar}
            {(!is_open).then(|| (telling.body)(&job))}
        </section>
    }
}
