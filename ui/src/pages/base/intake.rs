//! Taking files in: dropped onto the page or chosen, sent one after the other.

use coffer_api::error::{ErrorCode, ErrorOut, RejectReason};
use coffer_api::kb::DocumentOut;
use coffer_api::routes;
use leptos::ev::DragEvent;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::{File, FileList, FormData};

use crate::api::{Api, use_api};
use crate::failure::Failure;
use crate::parts::icon::{Glyph, Icon};

/// How a file fares.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fate {
    /// It waits for those before it.
    Waiting,
    /// It is sent and converted.
    Working,
    /// It is a document.
    Added {
        /// Which.
        id: String,
    },
    /// It was one already.
    Unchanged {
        /// Which.
        id: String,
    },
    /// Another version of it is there.
    Duplicate,
    /// It could not be taken in, and why.
    Failed(Failure),
}

/// One file.
#[derive(Clone)]
pub(super) struct Sent {
    /// Unique on the page.
    pub key: u64,
    /// Its name.
    pub name: String,
    /// How it fares.
    pub fate: RwSignal<Fate>,
    file: StoredValue<File, LocalStorage>,
    replace: RwSignal<bool>,
}

/// The files that this page takes in.
#[derive(Clone, Copy)]
pub(super) struct Intake {
    api: Api,
    address: StoredValue<String>,
    /// All, oldest first.
    pub sent: RwSignal<Vec<Sent>>,
    is_busy: RwSignal<bool>,
}

impl Intake {
    pub(super) fn new(base: &str) -> Self {
        Self {
            api: use_api(),
            address: StoredValue::new(routes::fill(routes::DOCUMENTS, &[base])),
            sent: RwSignal::default(),
            is_busy: RwSignal::new(false),
        }
    }

    /// Queues files.
    pub(super) fn take(self, files: &FileList) {
        let files = (0..files.length()).filter_map(|at| files.get(at));
        self.sent.update(|sent| {
            for file in files {
                let key = sent.last().map_or(0, |last: &Sent| last.key + 1);
                sent.push(Sent {
                    key,
                    name: file.name(),
                    fate: RwSignal::new(Fate::Waiting),
                    file: StoredValue::new_local(file),
                    replace: RwSignal::new(false),
                });
            }
        });
        self.start();
    }

    /// Sends a file once more, to take the place of the version that is there.
    pub(super) fn replace(self, sent: &Sent) {
        sent.replace.set(true);
        sent.fate.set(Fate::Waiting);
        self.start();
    }

    /// Forgets the files that are through.
    pub(super) fn clear(self) {
        self.sent.update(|sent| {
            sent.retain(|one| matches!(one.fate.get_untracked(), Fate::Waiting | Fate::Working));
        });
    }

    fn start(self) {
        if self.is_busy.get_untracked() {
            return;
        }
        self.is_busy.set(true);
        spawn_local(async move {
            while let Some(next) = self.next() {
                next.fate.try_set(Fate::Working);
                let fate = self.send(&next).await;
                next.fate.try_set(fate);
            }
            self.is_busy.try_set(false);
        });
    }

    /// The next file that waits; none when the page was left.
    fn next(self) -> Option<Sent> {
        let waits = |one: &&Sent| one.fate.try_get_untracked() == Some(Fate::Waiting);
        self.sent.try_with_untracked(|sent| sent.iter().find(waits).cloned()).flatten()
    }

    async fn send(self, sent: &Sent) -> Fate {
        let Some(form) = form(sent) else { return Fate::Failed(Failure::Unreadable) };
        let replace = sent.replace.get_untracked();
        match self.api.upload::<DocumentOut>(&self.address.get_value(), form).await {
            Ok((true, document)) => Fate::Added { id: document.id },
            // A replaced one is no news of its own.
            Ok((false, document)) if replace => Fate::Added { id: document.id },
            Ok((false, document)) => Fate::Unchanged { id: document.id },
            Err(Failure::Refused(error)) if is_duplicate(&error) => Fate::Duplicate,
            Err(failure) => Fate::Failed(failure),
        }
    }
}

fn form(sent: &Sent) -> Option<FormData> {
    let form = FormData::new().ok()?;
    let file = sent.file.try_with_value(Clone::clone)?;
    form.append_with_blob_and_filename("file", &file, &sent.name).ok()?;
    if sent.replace.get_untracked() {
        form.append_with_str("replace", "true").ok()?;
    }
    Some(form)
}

fn is_duplicate(error: &ErrorOut) -> bool {
    error.code == ErrorCode::IngestRejected && error.details.reason == Some(RejectReason::Duplicate)
}

/// The page as a place to drop files on. In the window the shell takes what is dropped, with its path.
#[component]
pub(super) fn DropZone(intake: Intake, children: Children) -> impl IntoView {
    // Each element below tells of entering and leaving.
    let depth = RwSignal::new(0_i32);
    let enter = move |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
            depth.update(|depth| *depth += 1);
        }
    };
    let leave = move |event: DragEvent| {
        if has_files(&event) {
            depth.update(|depth| *depth = (*depth - 1).max(0));
        }
    };
    let over = move |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
        }
    };
    let dropped = move |event: DragEvent| {
        depth.set(0);
        if let Some(files) = event.data_transfer().and_then(|data| data.files()) {
            event.prevent_default();
            intake.take(&files);
        }
    };
    view! {
        <div
            class="drop-zone"
            data-testid="drop-zone"
            class:dropping=move || { depth.get() > 0 }
            on:dragenter=enter
            on:dragleave=leave
            on:dragover=over
            on:drop=dropped
        >
            {children()}
            <div class="drop-note" aria-hidden="true">
                <Icon of=Glyph::Add/>
                <span>"Drop to add"</span>
            </div>
        </div>
    }
}

fn has_files(event: &DragEvent) -> bool {
    let kinds = event.data_transfer().map(|data| data.types());
    kinds.is_some_and(|kinds| kinds.includes(&"Files".into(), 0))
}

/// A button that lets a person choose files.
#[component]
pub(super) fn ChooseFiles(intake: Intake) -> impl IntoView {
    let input = NodeRef::<Input>::new();
    let choose = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(files) = input.files() {
            intake.take(&files);
        }
        // The same file can be chosen again.
        input.set_value("");
    };
    view! {
        <button class="quiet" data-testid="add-files" on:click=choose>
            <Icon of=Glyph::Add/>"Add files"
        </button>
        <input
            node_ref=input
            id="files"
            type="file"
            multiple=true
            hidden=true
            aria-label="Files to add"
            data-testid="files"
            on:change=chosen
        />
    }
}
