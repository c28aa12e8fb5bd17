//! Work that goes on in the background: folders that are taken in, and a look at the sources.

use std::collections::HashSet;

use coffer_api::jobs::{JobKind, JobState};
use coffer_api::kb::{IngestOut, IngestStatus, SourceStatus, SourcesOut};
use coffer_api::routes;
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::format::{count, sentence};
use crate::job::{self, Job, Jobs};
use crate::live::{follows, use_live};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::notices::use_notices;
use crate::parts::prose::Prose;
use crate::parts::row::fingerprint;
use crate::query::Query;

/// So many are shown at once.
const MOST: usize = 20;

/// What is taken into this knowledge base from this machine's disk, until a person puts it away.
#[component]
pub(super) fn FolderWork(name: String) -> impl IntoView {
    let (api, changes) = (use_api(), use_live().of_jobs());
    let jobs = Query::<Jobs>::at(api, follows(changes, routes::JOBS));
    let reference = format!("knowledge_base:{name}");
    let away = RwSignal::new(None::<HashSet<String>>);
    let ours = move || -> Vec<Job> {
        let Some(jobs) = jobs.latest() else { return Vec::new() };
        let is_ours = |job: &&Job| {
            job.kind == JobKind::Ingest && job.store.as_deref() == Some(reference.as_str())
        };
        let ours = jobs.jobs.iter().filter(is_ours);
        // What had ended before the page was opened is old news.
        let old = || ours.clone().filter(|job| !is_open(job)).map(|job| job.id.clone()).collect();
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
        <For each=move || ours.get() key=job_key let:job><FolderCard job put_away/></For>
    }
}

fn given(job: &Job) -> Option<&IngestOut> {
    job.result.as_ref()?.ingest.as_ref()
}

/// A card is drawn anew when its job moved.
fn job_key(job: &Job) -> u64 {
    fingerprint((&job.id, job.progress.done, is_open(job)))
}

fn is_open(job: &Job) -> bool {
    matches!(job.state, JobState::Queued | JobState::Running)
}

#[component]
fn FolderCard(job: Job, put_away: Callback<String>) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let id = StoredValue::new(job.id.clone());
    let cancel = move |_| {
        spawn_local(async move {
            let address = routes::fill(routes::JOB, &[&id.get_value()]);
            let reply = api.with_body::<_, ()>(Method::DELETE, &address, &()).await;
            notices.outcome(&reply, "What was added by then stays.");
        });
    };
    let button = if is_open(&job) {
        view! { <button class="quiet" on:click=cancel>"Stop"</button> }.into_any()
    } else {
        view! { <button class="quiet" on:click=move |_| put_away.run(id.get_value())>"Clear"</button> }
            .into_any()
    };
    let bar = is_open(&job).then(|| {
        let total = job.progress.total.unwrap_or(0);
        view! {
            <progress max=total.max(1) value=job.progress.done aria-label="Files added"></progress>
        }
    });
    let files = given(&job).map(troubles).unwrap_or_default();
    view! {
        <section class="card" aria-label="Folder being added" data-testid="folder-work">
            <div class="head-row">
                <h2 aria-live="polite">{told(&job)}</h2>
                {button}
            </div>
            {bar}
            {(!files.is_empty()).then(|| view! { <Troubles files/> })}
        </section>
    }
}

fn told(job: &Job) -> String {
    match (&job.state, given(job)) {
        (JobState::Queued, _) => "A folder waits to be added".to_owned(),
        (JobState::Running, _) => format!("Adding a folder: {}", job::told(&job.progress)),
        (_, Some(folder)) => {
            let parts = [
                (folder.ingested, "added"),
                (folder.unchanged, "unchanged"),
                (folder.skipped, "left out"),
                (folder.failed, "failed"),
            ];
            let told = parts.iter().filter(|(many, _)| *many > 0);
            let told: Vec<_> = told.map(|(many, word)| format!("{many} {word}")).collect();
            match folder.files.as_slice() {
                [] => "There was nothing to add".to_owned(),
                [one] => format!("{}: {}", one.path, told.join(" · ")),
                _ => told.join(" · "),
            }
        }
        (JobState::Cancelled, _) => "Stopped: what was added by then stays".to_owned(),
        (_, _) => sentence(job.error.as_deref().unwrap_or("the folder could not be added")),
    }
}

/// Files that were left out or failed, with the reason.
fn troubles(folder: &IngestOut) -> Vec<(bool, String, String)> {
    let odd = folder.files.iter().filter_map(|file| {
        let is_failure = match file.status {
            IngestStatus::Failed => true,
            IngestStatus::Skipped => false,
            IngestStatus::Ingested | IngestStatus::Unchanged => return None,
        };
        Some((is_failure, file.path.clone(), file.reason.clone().unwrap_or_default()))
    });
    odd.collect()
}

#[component]
fn Troubles(files: Vec<(bool, String, String)>) -> impl IntoView {
    let rows = files.into_iter().take(200).map(|(is_failure, path, reason)| {
        let of = if is_failure { Glyph::Alert } else { Glyph::Warning };
        view! {
            <li class="check" class:error=is_failure data-testid="outcome">
                <span class="check-state"><Icon of/></span>
                <div class="outcome">
                    <span class="outcome-name">{path}</span>
                    <span class="small"><Prose text=sentence(&reason)/></span>
                </div>
            </li>
        }
    });
    view! { <ul class="checks">{rows.collect_view()}</ul> }
}

/// A button that looks whether the files that documents came from have changed.
#[component]
pub(super) fn CheckSources(name: String) -> impl IntoView {
    let (api, notices) = (use_api(), use_notices());
    let address = StoredValue::new(routes::fill(routes::KB_CHECK_SOURCES, &[&name]));
    let is_busy = RwSignal::new(false);
    let check = move |_| {
        is_busy.set(true);
        spawn_local(async move {
            match api.post::<_, SourcesOut>(&address.get_value(), &()).await {
                Ok(found) => notices.done(sources(&found)),
                Err(failure) => notices.failed(&failure),
            }
            is_busy.try_set(false);
        });
    };
    view! {
        <button
            class="quiet"
            data-testid="check-sources"
            title="See whether the files that documents came from have changed"
            disabled=move || is_busy.get()
            on:click=check
        >
            <Icon of=Glyph::Topic/>"Check sources"
        </button>
    }
}

fn sources(found: &SourcesOut) -> String {
    if found.documents.is_empty() {
        return "No document here knows where its file stands.".to_owned();
    }
    let many = |status: SourceStatus| {
        found.documents.iter().filter(|document| document.status == status).count() as u64
    };
    let parts = [
        (SourceStatus::Unchanged, "unchanged"),
        (SourceStatus::Updated, "updated"),
        (SourceStatus::Changed, "changed on disk"),
        (SourceStatus::Edited, "changed on disk and edited here"),
        (SourceStatus::Missing, "gone"),
    ];
    let told = parts.into_iter().map(|(status, word)| (many(status), word));
    let told: Vec<_> = told.filter(|(many, _)| *many > 0).collect();
    let all = count(found.documents.len() as u64, "source", "sources");
    let told: Vec<_> = told.iter().map(|(many, word)| format!("{many} {word}")).collect();
    format!("{all} checked: {}.", told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::kb::SourceOut;

    #[test]
    fn sources_are_told_in_a_sentence() {
        let one = |status| SourceOut { id: String::new(), source_path: String::new(), status };
        let of = |documents| sources(&SourcesOut { documents });
        assert_eq!(of(Vec::new()), "No document here knows where its file stands.");
        let some = vec![one(SourceStatus::Unchanged), one(SourceStatus::Missing)];
        assert_eq!(of(some), "2 sources checked: 1 unchanged, 1 gone.");
    }
}
