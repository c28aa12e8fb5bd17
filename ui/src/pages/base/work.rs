//! Work that goes on in the background: folders that are taken in, and a look at the sources.

use coffer_api::jobs::{JobKind, JobState};
use coffer_api::kb::{IngestOut, IngestStatus, SourceStatus, SourcesOut};
use coffer_api::routes;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::use_api;
use crate::format::{count, sentence};
use crate::job::{self, Job};
use crate::parts::icon::{Glyph, Icon};
use crate::parts::jobs::{JobCards, Telling};
use crate::parts::notices::use_notices;
use crate::parts::troubles::Troubles;

const TELLING: Telling = Telling {
    is_ours: |kind| kind == JobKind::Ingest,
    label: "Folder being added",
    steps: "Files added",
    stopped: "What was added by then stays.",
    testid: "folder-work",
    head: told,
    body: |job| given(job).map(troubles).into_any(),
};

/// What is taken into this knowledge base from this machine's disk, until a person puts it away.
#[component]
pub(super) fn FolderWork(name: String) -> impl IntoView {
    view! { <JobCards store=format!("knowledge_base:{name}") telling=TELLING/> }
}

fn given(job: &Job) -> Option<&IngestOut> {
    job.result.as_ref()?.ingest.as_ref()
}

fn told(job: &Job) -> String {
    match (&job.state, given(job)) {
        (JobState::Queued, _) => "A folder waits to be added".to_owned(),
        (JobState::Running, _) => {
            format!("Adding a folder: {}", job::told(&job.progress, ["file", "files"]))
        }
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
fn troubles(folder: &IngestOut) -> AnyView {
    let odd = folder.files.iter().filter_map(|file| {
        let is_failure = match file.status {
            IngestStatus::Failed => true,
            IngestStatus::Skipped => false,
            IngestStatus::Ingested | IngestStatus::Unchanged => return None,
        };
        Some((is_failure, file.path.clone(), file.reason.clone().unwrap_or_default()))
    });
    let items: Vec<_> = odd.collect();
    view! { <Troubles items/> }.into_any()
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
